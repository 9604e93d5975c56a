#include "engine/files/folder_lock.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "engine/math/error.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

TEST_CASE("a folder has one writer, and the next one may come when it is gone") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  std::filesystem::create_directories(folder);
  {
    const FolderLock first(folder);
    CHECK(FolderLock::taken(folder));
    CHECK_THROWS_WITH_AS(FolderLock{folder}, doctest::Contains("is being trained and saved there"), Error);
    CHECK_THROWS_AS(FolderLock(folder, FolderLock::Kind::reader), Error);
  }
  CHECK_FALSE(FolderLock::taken(folder));
  CHECK_NOTHROW(FolderLock{folder});
}

TEST_CASE("readers share a folder, and a missing one keeps nobody out") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  std::filesystem::create_directories(folder);
  const FolderLock first(folder, FolderLock::Kind::reader);
  CHECK_NOTHROW(FolderLock(folder, FolderLock::Kind::reader));
  CHECK_FALSE(FolderLock::taken(folder));
  CHECK_NOTHROW(FolderLock{scratch.path("nowhere")});
}

TEST_CASE("a program that is killed lets go of its folder") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  std::filesystem::create_directories(folder);
  int ready[2];
  REQUIRE(pipe(ready) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const FolderLock held(folder);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    while (true) pause();
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  CHECK(FolderLock::taken(folder));
  REQUIRE(kill(child, SIGKILL) == 0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK_FALSE(FolderLock::taken(folder));
  close(ready[0]);
  close(ready[1]);
}
