#include "app/session/model_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

// Writes a model that says so.
std::function<void(const std::string&)> model_saying(const std::string& words) {
  return [words](const std::string& to) { OwnedFolder(to).write("config.json", words); };
}

// Of a file system that cannot exchange names, and on which only the first so many renamings succeed.
FolderNames without_exchange(int renamings) {
  FolderNames names;
  names.exchange = [](const fs::path&, const fs::path&) {
    return std::make_error_code(std::errc::invalid_argument);
  };
  names.rename = [rename = names.rename, renamings](const fs::path& from, const fs::path& to) mutable {
    return renamings-- > 0 ? rename(from, to) : std::make_error_code(std::errc::io_error);
  };
  return names;
}

std::ptrdiff_t entries(const ScratchFolder& scratch) {
  const fs::directory_iterator all(scratch.path(""));
  return std::distance(begin(all), end(all));
}

}  // namespace

TEST_CASE("a model replaces another, on a file system that cannot exchange names too") {
  for (const FolderNames& names : {FolderNames(), without_exchange(2)}) {
    const ScratchFolder scratch;
    const std::string folder = scratch.path("model");
    write_model_folder(folder, model_saying("old"));
    write_model_folder(folder, model_saying("new"), names);
    CHECK(read_file(folder + "/config.json") == "new");
    CHECK(entries(scratch) == 1);
  }
}

TEST_CASE("a model that cannot be put there leaves the old one in its place") {
  FolderNames refused;
  refused.exchange = [](const fs::path&, const fs::path&) {
    return std::make_error_code(std::errc::permission_denied);
  };
  FolderNames once = without_exchange(0);  // the second renaming fails, the way back does not
  once.rename = [rename = FolderNames().rename, call = 0](const fs::path& from, const fs::path& to) mutable {
    return ++call == 2 ? std::make_error_code(std::errc::io_error) : rename(from, to);
  };
  for (const FolderNames& names : {refused, without_exchange(0), once}) {
    const ScratchFolder scratch;
    const std::string folder = scratch.path("model");
    write_model_folder(folder, model_saying("old"));
    CHECK_THROWS_WITH_AS(write_model_folder(folder, model_saying("new"), names),
                         doctest::Contains("cannot be put there"), Error);
    CHECK(read_file(folder + "/config.json") == "old");
    CHECK(entries(scratch) == 1);
  }
}

TEST_CASE("a model that cannot get back to its place stays beside it, and the error says where") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("model");
  for (const std::string old : {"old", "older"}) {  // the second time something stands aside already
    write_model_folder(folder, model_saying(old));
    std::string said;
    try {
      write_model_folder(folder, model_saying("new"), without_exchange(1));
    } catch (const Error& error) {
      said = error.what();
    }
    const std::string words = "now stands in ";
    REQUIRE(said.find(words) != std::string::npos);
    CHECK(read_file(said.substr(said.find(words) + words.size()) + "/config.json") == old);
    CHECK_FALSE(fs::exists(folder));
  }
  CHECK(entries(scratch) == 2);
}
