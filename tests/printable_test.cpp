#include "engine/text/printable.h"

#include <doctest/doctest.h>

#include "engine/text/unicode.h"

using namespace glassformer;

namespace {

const std::string kSign = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

TEST_CASE("readable text of any script stays as it is") {
  for (const std::string text :
       {"", "the cat", "\u00E9\u00DF \u4E2D\u6587 \u0E01 \U0001F600", "a\u200Db", "  "})
    CHECK(printable(text) == text);
}

TEST_CASE("a text stays on one line") {
  CHECK(printable("a\nb\tc\r\nd\re") == "a b c d e");
  CHECK(printable("a\u2028b\u2029c\u0085d") == "a b c d");
}

TEST_CASE("what is no sign is shown as the replacement character") {
  CHECK(printable("m\xFCller") == "m" + kSign + "ller");
  CHECK(printable("cut \xE4\xB8") == "cut " + kSign);
  CHECK(printable("\x1B[31mred\x07") == kSign + "[31mred" + kSign);
  CHECK(printable(std::string("a\0b", 3)) == "a" + kSign + "b");
  CHECK(printable("\u009B\x7F") == kSign + kSign);
  for (const char32_t c : {char32_t{0xFFFE}, char32_t{0xFFFF}, char32_t{0xFDD0}, char32_t{0xFDEF},
                           char32_t{0x1FFFE}, char32_t{0x10FFFF}}) {
    std::string text;
    append_utf8(text, c);
    CHECK(printable(text) == kSign);
  }
  CHECK(printable("\xED\xA0\x80").find('\xED') == std::string::npos);  // a surrogate
}

TEST_CASE("every pair of bytes becomes valid text without control characters") {
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const char bytes[] = {static_cast<char>(first), static_cast<char>(second)};
      const std::string shown = printable({bytes, 2});
      REQUIRE(first_invalid_utf8(shown) == std::string::npos);
      REQUIRE(shown.find_first_of("\n\r\t\x1B") == std::string::npos);
    }
}

TEST_CASE("a message is a sentence whatever was typed, and keeps where it happened and what to do") {
  const std::string at_hand = "what-if: “mute” is no change; write one as in the README";
  CHECK(message_text(at_hand) == at_hand);
  for (const std::string& typed : {std::string(400, 'x'), std::string(60000, ' ') + "\x1b[31m",
                                   std::string(3000, '"'), std::string("“”“”") + std::string(500, 'y')}) {
    const std::string shown =
        message_text("what-if: “" + typed + "” is no change; write one as in the README");
    CHECK(code_points(shown).size() <= kMostMessageLetters);
    CHECK(shown.find('\x1b') == std::string::npos);
    CHECK(shown.starts_with("what-if: “"));
    CHECK(shown.ends_with("README"));
    CHECK(shown.find("…") != std::string::npos);
  }
  // Without quotes, and with two of them: the longer one is cut alone.
  CHECK(code_points(message_text(std::string(1000, 'a'))).size() == kMostMessageLetters);
  const std::string two = message_text("“" + std::string(1000, 'a') + "” and “" + std::string(60, 'b') + "”");
  CHECK(two.ends_with(std::string(60, 'b') + "”"));
  CHECK(code_points(two).size() == kMostMessageLetters);
}
