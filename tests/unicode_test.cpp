#include "engine/text/unicode.h"

#include <doctest/doctest.h>

#include <string>

using namespace glassformer;

TEST_CASE("every code point survives the way to UTF-8 and back") {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    REQUIRE(first_invalid_utf8(text) == std::string::npos);
    std::size_t position = 0;
    REQUIRE(next_code_point(text, position) == c);
    REQUIRE(position == text.size());
  }
}

TEST_CASE("surrogates and values past the last code point become the replacement character") {
  for (const char32_t c : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
    std::string text;
    append_utf8(text, c);
    CHECK(text == "\xEF\xBF\xBD");
  }
}

TEST_CASE("wrong bytes are found where they stand") {
  CHECK(first_invalid_utf8("plain") == std::string::npos);
  CHECK(first_invalid_utf8("ab\xC3\xA9") == std::string::npos);
  CHECK(first_invalid_utf8("ab\xC3") == 2);            // cut short
  CHECK(first_invalid_utf8("a\x80") == 1);             // a continuation byte alone
  CHECK(first_invalid_utf8("\xC0\xAF") == 0);          // overlong
  CHECK(first_invalid_utf8("\xE0\x80\xAF") == 0);      // overlong
  CHECK(first_invalid_utf8("\xED\xA0\x80") == 0);      // a surrogate
  CHECK(first_invalid_utf8("\xF4\x90\x80\x80") == 0);  // past U+10FFFF
  CHECK(first_invalid_utf8("caf\xE9 au lait") == 3);   // Latin-1
  CHECK(first_invalid_utf8(std::string("\xFF", 1)) == 0);
}

TEST_CASE("a wrong sequence decodes as one replacement character for its longest valid beginning") {
  CHECK(code_points("\xE2\x82"
                    "a") == std::vector<char32_t>{0xFFFD, 'a'});
  CHECK(code_points("\xF0\x9F\x98") == std::vector<char32_t>{0xFFFD});
  CHECK(code_points("\xFF\xFE") == std::vector<char32_t>{0xFFFD, 0xFFFD});
}

TEST_CASE("letters of every script are told from signs, digits and blanks") {
  for (const char32_t c : code_points("aZéßœʼŁΩжךشहि்ก한中々ーぁ\u0301\u200d𐐷")) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK(is_letter(c));
  }
  for (const char32_t c : code_points("@[`{ "
                                      "0'-.\u00a0×÷«»¿“”‘’…–—′€™→∀■✓·;"
                                      "।٣५、。「」・！７￥🙂\ufffd")) {
    CAPTURE(static_cast<unsigned>(c));
    CHECK_FALSE(is_letter(c));
  }
}

TEST_CASE("lower case covers the scripts that have case") {
  CHECK(to_lower(std::string_view("ÀÉÎÕÜ ÇÑ ŁÓDŹ ŸŽ")) == "àéîõü çñ łódź ÿž");
  CHECK(to_lower(std::string_view("МОСКВА Ёж ՀԱՅ ＡＢ")) == "москва ёж հայ ａｂ");
  CHECK(to_lower(std::string_view("straße ﬁ 中文 हिन्दी 123")) == "straße ﬁ 中文 हिन्दी 123");
  CHECK(to_lower(std::string_view("ẞ")) == "ß");
}

TEST_CASE("a sigma that ends a Greek word takes its final form") {
  CHECK(to_lower(std::string_view("ΟΔΟΣ ΣΑΣ.")) == "οδος σας.");
  CHECK(to_lower(std::string_view("Σ")) == "σ");
}

TEST_CASE("the dotted capital I keeps its dot as a mark of its own") {
  CHECK(to_lower(std::string_view("İ")) == "i\xCC\x87");
}

TEST_CASE("words are cut at every kind of blank and nowhere else") {
  CHECK(split_words("  a\tb\xC2\xA0"
                    "c\xE2\x80\xAF"
                    "d\xE3\x80\x80"
                    "e\xE2\x80\xA8"
                    "f ") == std::vector<std::string>{"a", "b", "c", "d", "e", "f"});
  CHECK(split_words("zero\xE2\x80\x8Bwidth") == std::vector<std::string>{"zero\xE2\x80\x8Bwidth"});
  CHECK(split_words("").empty());
  CHECK(split_words(" \xC2\xA0 ").empty());
}

TEST_CASE("trimming takes blanks from both ends and leaves those inside") {
  CHECK(trimmed("\xC2\xA0 a b \t") == "a b");
  CHECK(trimmed(" \xE2\x80\xA9 ").empty());
}
