#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/train/run_json.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

nlohmann::json recorded(const std::string& corpus, const std::string& folder) {
  return {{"origin", {{"training", {{"corpus", corpus}}}}}, {"folder", folder}};
}

}  // namespace

TEST_CASE("a relative path is meant from the folder in which it was typed") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("typed here");
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/pairs.tsv") << "a\tb\n";
  CHECK(recorded_origin(recorded("pairs.tsv", folder)).training.corpus == folder + "/pairs.tsv");
  CHECK(recorded_origin(recorded("gone.tsv", folder)).training.corpus == "gone.tsv");
  CHECK(recorded_origin(recorded("/else/where.tsv", folder)).training.corpus == "/else/where.tsv");
}

TEST_CASE("a record without the folder, or with something else there, keeps the path as it was typed") {
  nlohmann::json json = recorded("pairs.tsv", "");
  json.erase("folder");
  CHECK(recorded_origin(json).training.corpus == "pairs.tsv");
  json["folder"] = 5;
  CHECK(recorded_origin(json).training.corpus == "pairs.tsv");
}
