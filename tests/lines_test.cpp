#include "engine/text/lines.h"

#include <doctest/doctest.h>

#include <string>

#include "engine/math/error.h"
#include "engine/text/unicode.h"

using namespace glassformer;
using namespace std::string_literals;
using Lines = std::vector<std::string_view>;

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
