// Files and folders that are written whole or not at all, by one program at a time.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "engine/files/atomic_file.h"
#include "engine/files/folder_lock.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/files/replaced_folder.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"

namespace glassformer::safe_files_test {

namespace fs = std::filesystem;

long entries(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST_CASE("a file that is written shows under its name when it is whole, and no other name shows before") {
  const ScratchFolder folder;
  const std::string path = folder.write("kept", "old");
  {
    AtomicFile file(path);
    file.write("half of");
    CHECK(read_file(path) == "old");
  }
  CHECK(read_file(path) == "old");
  CHECK(entries(folder.path("")) == 1);
  write_atomically(path, "new");
  write_atomically(folder.path("fresh"), "first");
  CHECK(read_file(path) == "new");
  CHECK(read_file(folder.path("fresh")) == "first");
  CHECK(entries(folder.path("")) == 2);
}

TEST_CASE("a file that is replaced keeps its mode") {
  const ScratchFolder folder;
  const std::string path = folder.write("private", "old");
  for (const mode_t mode : {0600, 0640, 0755}) {
    REQUIRE(::chmod(path.c_str(), mode) == 0);
    write_atomically(path, "new");
    struct stat info;
    REQUIRE(::stat(path.c_str(), &info) == 0);
    CHECK((info.st_mode & 0777) == mode);
  }
}

TEST_CASE("a link is refused as a target, and what it leads to stays") {
  const ScratchFolder folder;
  const std::string target = folder.write("thesis", "years of work");
  fs::create_symlink(target, folder.path("link"));
  fs::create_symlink(folder.path("nowhere"), folder.path("dangling"));
  for (const char* name : {"link", "dangling"}) {
    CHECK_THROWS_AS(write_atomically(folder.path(name), "x"), Error);
    CHECK_THROWS_AS(append(folder.path(name), "x", Sync::yes), Error);
    CHECK(fs::is_symlink(folder.path(name)));
  }
  CHECK(read_file(target) == "years of work");
  CHECK_FALSE(fs::exists(folder.path("nowhere")));
}

TEST_CASE("a pipe or a device is written to and stays what it is") {
  const ScratchFolder folder;
  const std::string pipe = folder.path("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::string read(16, '\0');
  std::thread reader([&] {
    const int handle = ::open(pipe.c_str(), O_RDONLY);
    std::size_t have = 0;
    for (ssize_t got = 0; (got = ::read(handle, read.data() + have, read.size() - have)) > 0;)
      have += static_cast<std::size_t>(got);
    read.resize(have);
    ::close(handle);
  });
  write_atomically(pipe, "through");
  reader.join();
  CHECK(read == "through");
  CHECK(fs::is_fifo(pipe));
  write_atomically("/dev/null", "away");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_AS(write_atomically(folder.path(""), "x"), Error);
}

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

}  // namespace glassformer::safe_files_test
