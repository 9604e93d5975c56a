#include "engine/files/atomic_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>

#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

long entries(const std::string& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

}  // namespace

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
