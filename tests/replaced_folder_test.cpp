#include "engine/files/replaced_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "scratch_folder.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

long entries_of(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

ReplaceFolder writing(const std::string& text, bool whole = true) {
  return {.check = [](const std::string&) {},
          .fill =
              [text, whole](const std::string& to) {
                OwnedFolder(to).write("page", text);
                return whole;
              }};
}

}  // namespace

TEST_CASE("a folder takes the place of an older one whole, and one that is stopped or fails leaves it") {
  const ScratchFolder scratch;
  fs::create_directory(scratch.path("all"));
  const std::string folder = scratch.path("all/report");
  replace_folder(folder, writing("old"));
  CHECK(read_file(folder + "/page") == "old");

  replace_folder(folder, writing("stopped", false));
  ReplaceFolder fails = writing("broken");
  fails.fill = [](const std::string& to) -> bool {
    OwnedFolder(to).write("page", "half");
    throw Error(to, "the disk is full");
  };
  CHECK_THROWS_AS(replace_folder(folder, fails), Error);
  CHECK(read_file(folder + "/page") == "old");
  CHECK(entries_of(scratch.path("all")) == 1);

  replace_folder(folder, writing("new"));
  CHECK(read_file(folder + "/page") == "new");
  CHECK(entries_of(scratch.path("all")) == 1);
}

TEST_CASE("what a link in the older folder leads to stays") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("report");
  fs::create_directory(scratch.path("thesis"));
  scratch.write("thesis/page", "mine");
  OwnedFolder(folder).claim({"figures/page"});
  fs::create_symlink(scratch.path("thesis"), folder + "/figures");
  replace_folder(folder, writing("new"));
  CHECK(read_file(scratch.path("thesis/page")) == "mine");
  CHECK(read_file(folder + "/page") == "new");
}
