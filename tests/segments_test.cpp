#include "engine/text/segments.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <functional>
#include <string>

#include "engine/math/error.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using glassformer::testing::refusal;
using namespace std::string_literals;

namespace {

using Segments = std::vector<std::string>;

std::string utf16(const std::string& ascii) {
  std::string bytes = "\xFF\xFE";
  for (const char c : ascii) bytes += std::string(1, c) + '\0';
  return bytes;
}

}  // namespace

TEST_CASE("marks, UTF-16, gzip and every line end give the same segments") {
  const ScratchFolder folder;
  const Segments expected = {"the moon", "", "a star"};
  for (const std::string end : {"\n", "\r\n", "\r\r\n", "\r"}) {
    const std::string text = "the moon" + end + end + "a star" + end;
    CAPTURE(end);
    CHECK(read_segments(folder.write("a", text)) == expected);
    CHECK(read_segments(folder.write("a", "\xEF\xBB\xBF" + text)) == expected);
    CHECK(read_segments(folder.write("a", utf16(text))) == expected);
  }
  const std::string packed = folder.write("b", "");
  const gzFile file = gzopen(packed.c_str(), "wb");
  gzputs(file, "the moon\n\na star\n");
  gzclose(file);
  CHECK(read_segments(packed) == expected);
}

TEST_CASE("Windows-1252 is refused with an offer, and read when it is named") {
  const ScratchFolder folder;
  const std::string path = folder.write("a", "No\xEBl \x96 d\xE9j\xE0\n20 \x80\n");
  CHECK(refusal([&] { read_segments(path); }).find("takes the encoding’s name") != std::string::npos);
  CHECK(read_segments(path, {.encoding = "windows-1252"}) == Segments{"Noël – déjà", "20 €"});
  CHECK(read_segments(path, {.encoding = "latin-1"}) == Segments{"Noël – déjà", "20 €"});
  // A single line is refused too: what is scored has no place for a line that cannot be read.
  CHECK(refusal([&] {
          read_segments(folder.write("b", "one\nd\xE9j\xE0\n"));
        }).find("line 2 is no text: not valid UTF-8 (byte 2") != std::string::npos);
  // UTF-8 is not read as something else by mistake; what Windows-1252 does not know is reported.
  CHECK(read_segments(folder.write("c", "déjà\n"), {.encoding = "windows-1252"}) == Segments{"déjà"});
  CHECK(refusal([&] {
          read_segments(folder.write("d", "a \x81\n"), {.encoding = "windows-1252"});
        }).find("line 1 is no text") != std::string::npos);
  CHECK(refusal([&] { read_segments(path, {.encoding = "morse"}); }).find("\"morse\" is not known") !=
        std::string::npos);
}

TEST_CASE("UTF-16 without a mark is read when it is named") {
  const ScratchFolder folder;
  const std::string path = folder.write("a", utf16("ab\ncd\n").substr(2));
  CHECK(refusal([&] { read_segments(path); }).find("encoding’s name, utf-16le") != std::string::npos);
  CHECK(read_segments(path, {.encoding = "utf-16le"}) == Segments{"ab", "cd"});
}

TEST_CASE("a carriage return inside a line shifts neither file against the other") {
  const ScratchFolder folder;
  // As many CRs in each file, but in other lines.
  const auto read = read_aligned_segments(folder.write("a", "one\rmore\ntwo\nthree\n"),
                                          folder.write("b", "eins mehr\nzwei\ndr\rei\n"));
  CHECK(read.first == Segments{"one more", "two", "three"});
  CHECK(read.second == Segments{"eins mehr", "zwei", "dr ei"});
  REQUIRE(read.notes.size() == 1);
  CHECK(read.notes[0].find("carriage returns") != std::string::npos);
  // Line ends that are mixed alike are line ends.
  CHECK(read_aligned_segments(folder.write("a", "1\n2\r3\r4\n"), folder.write("b", "5\n6\r7\r8\n")).first ==
        Segments{"1", "2", "3", "4"});
}

TEST_CASE("nothing is scored when there is nothing, or when the counts differ") {
  const ScratchFolder folder;
  const std::string empty = folder.write("a", ""), two = folder.write("b", "1\n2\n");
  CHECK(refusal([&] { read_aligned_segments(empty, empty); }).find("the file is empty") != std::string::npos);
  const std::string words = refusal([&] { read_aligned_segments(two, folder.write("c", "1\n")); });
  CHECK(words.find("the source has 2 lines, the target 1") != std::string::npos);
}

TEST_CASE("a table or JSON lines are no sentences, for whatever reads lines") {
  const ScratchFolder folder;
  const std::string table = folder.write("a", "the dog\tle chien\nthe cat\tle chat\n\n");
  const std::string objects = folder.write("b", "{\"en\": \"dog\"}\n{\"en\": \"cat\"}\nsleep\n");
  const std::string two = folder.write("c", "one\ta\ntwo\nthree\n");
  CHECK(refusal([&] { read_segments(table); }).find("tab-separated table") != std::string::npos);
  CHECK(refusal([&] { read_aligned_segments(two, table); }).find("tab-separated table") != std::string::npos);
  CHECK(refusal([&] { read_segments(objects); }).find("JSON lines") != std::string::npos);
  CHECK(refusal([&] { read_aligned_segments(objects, two); }).find("JSON lines") != std::string::npos);
  CHECK(read_segments(two).size() == 3);  // a tab in a sentence
}

TEST_CASE("a line that no sentence fills is refused by its number") {
  const ScratchFolder folder;
  const std::string path = folder.write("a", "short\r\n" + std::string(kMostLineBytes + 1, 'x'));
  CHECK(refusal([&] { read_segments(path); }).find("line 2 has 4194305 bytes") != std::string::npos);
}
