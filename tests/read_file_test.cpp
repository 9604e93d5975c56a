// Files of text, of archives and of anything else, as they are read.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>
#include <zip.h>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/files/safetensors.h"
#include "engine/files/text_file.h"
#include "engine/math/error.h"
#include "engine/text/corpus_reader.h"
#include "engine/text/grammar.h"
#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "tests/gzip.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

namespace glassformer::read_file_test {

using namespace std::string_literals;
using testing::refusal;
using Files = std::vector<std::pair<std::string, std::string>>;
using Lines = std::vector<std::string_view>;

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

constexpr long kPlenty = 1000000;

// "hello\n" as gzip writes it, without a name.
const std::string kHello =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\xe7\x02\x00\x20\x30\x3a\x36\x06\x00\x00\x00"s;

std::string message_of(const std::string& path, long max_bytes = kPlenty) {
  return glassformer::testing::refusal([&] { read_unpacked(path, max_bytes); });
}

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

// An archive of these files; a name that ends in "/" is a folder.
std::string zip_of(const Files& files, const char* password = nullptr) {
  const ScratchFolder folder;
  const std::string path = folder.path("a.zip");
  zip_t* archive = zip_open(path.c_str(), ZIP_CREATE, nullptr);
  REQUIRE(archive != nullptr);
  for (const auto& [name, bytes] : files) {
    if (name.ends_with('/')) {
      zip_dir_add(archive, name.c_str(), ZIP_FL_ENC_UTF_8);
      continue;
    }
    zip_source_t* source = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    REQUIRE(index >= 0);
    if (password != nullptr)
      REQUIRE(zip_file_set_encryption(archive, static_cast<zip_uint64_t>(index), ZIP_EM_TRAD_PKWARE,
                                      password) == 0);
  }
  REQUIRE(zip_close(archive) == 0);
  return read_file(path);
}

std::string refused(const std::string& bytes, long max_bytes = 1 << 30) {
  return refusal([&] { unzipped(bytes, "texts.zip", max_bytes); });
}

bool says(const std::string& message, const std::string& words) {
  CAPTURE(message);
  return message.find(words) != std::string::npos;
}

TEST_CASE("the one file of a zip archive is read, whatever a file manager put beside it") {
  const std::string text = "the cat\tle chat\nthe dog\tle chien\n";
  CHECK(unzipped(zip_of({{"pairs.tsv", text}}), "a", 1000) == text);
  CHECK(unzipped(zip_of({{"data/", ""},
                         {"data/pairs.tsv", text},
                         {"__MACOSX/data/._pairs.tsv", "x"},
                         {"data/.DS_Store", "y"}}),
                 "a", 1000) == text);
  CHECK(unzipped(zip_of({{"empty.txt", ""}}), "a", 1000).empty());
}

TEST_CASE("an archive in which no single text is meant is refused by what it holds") {
  CHECK(says(refused(zip_of({{"a.en", "x"}, {"a.fr", "y"}})), "holds 2 files (\"a.en\", \"a.fr\")"));
  CHECK(says(refused(zip_of({{"1", "x"}, {"2", "x"}, {"3", "x"}, {"4", "x"}})),
             "4 files (\"1\", \"2\", \"3\", ...)"));
  CHECK(says(refused(zip_of({{"only/", ""}})), "holds no file"));
  CHECK(says(refused(zip_of({{"[Content_Types].xml", "x"}, {"word/document.xml", "y"}})), "office document"));
  CHECK(says(refused(zip_of({{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", "y"}})),
             "office document"));
  CHECK(says(refused(zip_of({{"secret.txt", "x"}}, "password")), "locked with a password"));
}

TEST_CASE("a zip archive that is cut short, damaged or a bomb is refused") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "sentence " + std::to_string(i * 7919 % 5003) + "\n";
  const std::string whole = zip_of({{"a.txt", text}});
  for (const std::size_t length : {std::size_t{4}, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(length);
    CHECK(says(refused(whole.substr(0, length)), "damaged or cut short"));
  }
  std::string changed = whole;
  changed[whole.size() / 2] = static_cast<char>(changed[whole.size() / 2] ^ 0x55);
  CHECK(says(refused(changed), "damaged"));
  CHECK(says(refused(whole, 100), "100"));
  CHECK(says(refused(zip_of({{"zeros", std::string(20 << 20, '\0')}})), "1000 times its size"));
}

TEST_CASE("a corpus is read from a zip archive as it is without") {
  const ScratchFolder folder;
  folder.write("pairs.zip", zip_of({{"pairs.tsv", "the cat\tle chat\nthe dog\tle chien\n"}}));
  const Corpus corpus = read_tab_separated(folder.path("pairs.zip"));
  REQUIRE(corpus.pairs.size() == 2);
  CHECK(corpus.pairs[1] == SentencePair{"the dog", "le chien"});
}

TEST_CASE("LF, CRLF and a lone CR end a line, mixed as they come") {
  CHECK(split_lines("a\nb\r\nc\rd") == Lines{"a", "b", "c", "d"});
  CHECK(split_lines("a\r\r\nb\n\nc\n") == Lines{"a", "b", "", "c"});  // converted twice
  CHECK(split_lines("a\rb\r\nc\r", false) == Lines{"a\rb", "c\r"});
}

TEST_CASE("nothing else ends a line") {
  const std::string text =
      "a\xE2\x80\xA8"
      "b\xE2\x80\xA9"
      "c\xC2\x85"
      "d\x0B"
      "e\x0C"
      "f\x1C"
      "g";
  CHECK(split_lines(text) == Lines{text});
}

TEST_CASE("a last line without an end is a line, an end without a line is none") {
  CHECK(split_lines("").empty());
  CHECK(split_lines("a") == Lines{"a"});
  CHECK(split_lines("a\n") == Lines{"a"});
  CHECK(split_lines("\n\n\n") == Lines{"", "", ""});
}

TEST_CASE("byte order marks are taken off and UTF-16 becomes UTF-8") {
  CHECK(decoded_text("\xEF\xBB\xBF"
                     "é\n",
                     "f")
            .text == "é\n");
  CHECK(decoded_text("\xEF\xBB\xBF", "f").text.empty());
  const DecodedText little = decoded_text(
      "\xFF\xFE"
      "a\0\xE9\0\x3D\xD8\x00\xDE\n\0"s,
      "f");
  CHECK(little.text == "aé😀\n");
  CHECK(little.notes == std::vector<std::string>{"read as UTF-16 (little-endian)"});
  CHECK(decoded_text("\xFE\xFF\0a\0\xE9\xD8\x3D\xDE\x00\0\n"s, "f").text == "aé😀\n");
}

TEST_CASE("wrong UTF-16 leaves bytes that are seen as wrong, on their line alone") {
  const std::string text = decoded_text(
                               "\xFF\xFE"
                               "a\0\n\0\x3D\xD8"
                               "b\0\n\0"
                               "c\0"s,
                               "f")
                               .text;
  const auto lines = split_lines(text);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "a");
  CHECK(first_invalid_utf8(lines[1]) == 0);
  CHECK(lines[2] == "c");
  CHECK(first_invalid_utf8(decoded_text("\xFF\xFE"
                                        "a\0b"s,
                                        "f")
                               .text) == 1);
}

TEST_CASE("UTF-16 without a mark, UTF-32 and binary data are refused by name") {
  CHECK_THROWS_WITH_AS(decoded_text("a\0\t\0b\0\n\0"s, "f"),
                       doctest::Contains("UTF-16LE without a byte order mark"), Error);
  const auto widened = [](std::string_view text, std::size_t width, std::size_t at) {
    std::string bytes;
    for (const char c : text) {
      bytes.append(width, '\0');
      bytes[bytes.size() - width + at] = c;
    }
    return bytes;
  };
  const std::string text = "title One\npage\n";
  CHECK(wide_encoding(widened(text, 2, 1)) == "UTF-16BE");
  CHECK(wide_encoding(widened(text, 2, 0)) == "UTF-16LE");
  CHECK(wide_encoding(widened(text, 4, 0)) == "UTF-32LE");
  CHECK(wide_encoding(widened(text, 4, 3)) == "UTF-32BE");
  CHECK(wide_encoding(text).empty());
  CHECK_THROWS_WITH_AS(decoded_text(widened(text, 4, 3), "f"), doctest::Contains("iconv -f UTF-32BE"), Error);
  CHECK_THROWS_WITH_AS(decoded_text("\xFF\xFE\0\0a\0\0\0"s, "f"), doctest::Contains("UTF-32"), Error);
}

}  // namespace glassformer::read_file_test
