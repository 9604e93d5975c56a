#include "engine/files/text_file.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "tests/gzip.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using glassformer::Error;
using glassformer::read_unpacked;
using glassformer::unpacked;
using namespace std::string_literals;

namespace {

constexpr long kPlenty = 1000000;

// "hello\n" as gzip writes it, without a name.
const std::string kHello =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00"s;

std::string message_of(const std::string& path, long max_bytes = kPlenty) {
  return glassformer::testing::refusal([&] { read_unpacked(path, max_bytes); });
}

}  // namespace

TEST_CASE("plain bytes come as they are") {
  const ScratchFolder folder;
  const std::string bytes = "a\r\n\0\xFF\n"s;
  CHECK(read_unpacked(folder.write("plain", bytes), kPlenty) == bytes);
  CHECK(read_unpacked(folder.write("empty", ""), kPlenty).empty());
}

TEST_CASE("gzip is unpacked whatever the file is called, members in a row together") {
  const ScratchFolder folder;
  CHECK(read_unpacked(folder.write("x.tsv", kHello), kPlenty) == "hello\n");
  CHECK(read_unpacked(folder.write("two.gz", kHello + kHello), kPlenty) == "hello\nhello\n");
  CHECK(read_unpacked(folder.write("padded.gz", kHello + std::string(512, '\0')), kPlenty) == "hello\n");
}

TEST_CASE("a gzip file that is damaged or cut short is refused") {
  const ScratchFolder folder;
  for (std::size_t length = 2; length < kHello.size(); ++length) {
    CAPTURE(length);
    CHECK(message_of(folder.write("cut.gz", kHello.substr(0, length))).find("cut short") !=
          std::string::npos);
  }
  std::string damaged = kHello;
  damaged[kHello.size() - 6] ^= 1;  // the checksum
  CHECK(message_of(folder.write("damaged.gz", damaged)).find("damaged") != std::string::npos);
  CHECK(message_of(folder.write("tail.gz", kHello + "garbage")).find("damaged") != std::string::npos);
}

TEST_CASE("no more is read than allowed, before and after unpacking") {
  const ScratchFolder folder;
  CHECK(read_unpacked(folder.write("six", "hello\n"), 6).size() == 6);
  CHECK(message_of(folder.write("seven", "hello!\n"), 6).find("more than 6 bytes") != std::string::npos);
  CHECK(message_of(folder.write("packed.gz", kHello), 5).find("more than 5 bytes") != std::string::npos);
}

TEST_CASE("what cannot be read is named with the reason") {
  const ScratchFolder folder;
  CHECK(message_of(folder.path("missing.txt")).find("missing.txt: the file cannot be opened (No such file") !=
        std::string::npos);
  CHECK(message_of(folder.path("")).find("found a folder") != std::string::npos);
}

TEST_CASE("packed text of several chunks is unpacked whole, in memory as from a file") {
  const ScratchFolder folder;
  std::string text;
  for (unsigned number = 1; text.size() < 300000; number = number * 1664525u + 1013904223u)
    text += std::to_string(number) + "\n";
  const std::string packed = glassformer::testing::gzipped(text);
  REQUIRE(packed.size() > 130000);
  CHECK(read_unpacked(folder.write("long.gz", packed), kPlenty) == text);
  CHECK(unpacked(packed + packed, "here", kPlenty) == text + text);
  CHECK_THROWS_WITH_AS(unpacked(packed.substr(0, 100000), "here", kPlenty), doctest::Contains("cut short"),
                       Error);
}

TEST_CASE("what unpacks to a thousand times its size is given up before it fills the memory") {
  const ScratchFolder folder;
  const std::string above = glassformer::testing::gzipped(std::string(2000000, '\0'));
  REQUIRE(above.size() * 1000 < 2000000);
  CHECK(message_of(folder.write("above.gz", above), 1L << 40).find("1000 times its size") !=
        std::string::npos);
  const std::string small = glassformer::testing::gzipped(std::string(900000, 'a'));
  CHECK(read_unpacked(folder.write("small.gz", small), kPlenty).size() == 900000);
}
