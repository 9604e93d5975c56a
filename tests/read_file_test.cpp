#include "engine/files/read_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "engine/files/json_file.h"
#include "engine/files/safetensors.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/grammar.h"
#include "scratch_folder.h"

using namespace glassformer;

namespace {

// What each reader of files says of this one.
template <class Check>
void check_every_reader(const std::string& path, Check check) {
  const auto said = [&](const char* reader, auto read) {
    CAPTURE(reader);
    try {
      read();
      FAIL_CHECK("it was read");
    } catch (const Error& error) {
      check(std::string(error.what()));
    }
  };
  said("bytes", [&] { read_file(path); });
  said("JSON", [&] { read_json(path); });
  said("text", [&] { read_unpacked(path, 1000); });
  said("weights", [&] { Safetensors::read(path); });
  said("grammar", [&] { Grammar::read(path); });
}

void check_said(const std::string& path, const std::string& words) {
  check_every_reader(path, [&](const std::string& message) {
    CHECK(message.starts_with(path + ": "));
    CHECK(message.find(words) != std::string::npos);
  });
}

}  // namespace

TEST_CASE("a pipe, a socket, a device and a folder are refused by every reader instead of waited for") {
  const ScratchFolder folder;
  REQUIRE(::mkfifo(folder.path("pipe").c_str(), 0600) == 0);
  check_said(folder.path("pipe"), "found a pipe");
  std::filesystem::create_symlink("pipe", folder.path("link"));
  check_said(folder.path("link"), "found a pipe");
  check_said("/dev/zero", "found a device");
  check_said("/dev/tty0/none", "cannot be opened");
  check_said(folder.path(""), "found a folder");

  const int handle = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, folder.path("socket").c_str(), sizeof address.sun_path - 1);
  REQUIRE(::bind(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  check_said(folder.path("socket"), "found a socket");
  ::close(handle);
}

TEST_CASE("text comes in through a pipe of this process, within its limit; nothing else does") {
  const auto through_pipe = [](const std::string& bytes, auto read) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    REQUIRE(::write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    ::close(ends[1]);
    struct Closer {
      int handle;
      ~Closer() { ::close(handle); }
    } const closer{ends[0]};
    return read("/dev/fd/" + std::to_string(ends[0]));
  };
  const auto text = [](const std::string& path) { return read_unpacked(path, 1000); };
  CHECK(through_pipe("one\ntwo\n", text) == "one\ntwo\n");
  CHECK(through_pipe("", text).empty());
  CHECK_THROWS_WITH_AS(through_pipe(std::string(1001, 'x'), text), doctest::Contains("more than 1000"),
                       Error);
  CHECK_THROWS_WITH_AS(through_pipe("{}", [](const std::string& path) { return read_json(path).dump(); }),
                       doctest::Contains("found a pipe"), Error);
}

TEST_CASE("a file that is too large is refused by its size, before it is read") {
  const ScratchFolder folder;
  const std::string path = folder.write("sparse", "");
  std::filesystem::resize_file(path, 1UL << 42);
  check_every_reader(path, [](const std::string& message) { CHECK(message.size() < 250); });
  CHECK_THROWS_WITH_AS(read_file(path, 7), doctest::Contains("more than 7 bytes"), Error);
}

TEST_CASE("a file whose size is not told is read to its end") {
  CHECK(read_file("/proc/self/status").find("Pid:") != std::string::npos);
  CHECK_THROWS_WITH_AS(read_file("/proc/self/status", 5), doctest::Contains("more than 5 bytes"), Error);
}
