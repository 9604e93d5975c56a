#include "engine/files/atomic_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "scratch_folder.h"

using namespace glassformer;

TEST_CASE("a new file takes the place of nothing, not even of a link that leads nowhere") {
  ScratchFolder scratch;
  const std::string file = scratch.path("a"), link = scratch.path("b"), folder = scratch.path("c");
  write_new_file(file, "one");
  CHECK(read_file(file, 10) == "one");
  CHECK_THROWS_AS(write_new_file(file, "two"), Error);
  CHECK(read_file(file, 10) == "one");
  std::filesystem::create_symlink(scratch.path("nowhere"), link);
  CHECK_THROWS_AS(write_new_file(link, "two"), Error);
  CHECK_FALSE(std::filesystem::exists(scratch.path("nowhere")));
  std::filesystem::create_directory(folder);
  CHECK_THROWS_AS(write_new_file(folder, "two"), Error);
  CHECK_THROWS_AS(write_new_file(scratch.path("missing/a"), "two"), Error);
}

TEST_CASE("a file named after another takes the place of the program's own alone") {
  ScratchFolder scratch;
  const std::string caption = scratch.path("a.caption.txt"), mine = scratch.path("b.caption.txt");
  for (const char* text : {"one", "two"}) {
    check_named_after(caption);
    write_named_after(caption, text);
    CHECK(read_file(caption, 10) == text);
  }
  scratch.write("b.caption.txt", "mine");
  CHECK_THROWS_AS(check_named_after(mine), Error);
  CHECK_THROWS_AS(write_named_after(mine, "three"), Error);
  CHECK(read_file(mine, 10) == "mine");
  scratch.write("a.caption.txt", "two, by me");
  CHECK_THROWS_AS(write_named_after(caption, "three"), Error);
  CHECK(read_file(caption, 20) == "two, by me");
}
