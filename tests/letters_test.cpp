// Letters and signs: what of them is kept, shown, composed and escaped.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/text/clean.h"
#include "engine/text/compose.h"
#include "engine/text/printable.h"
#include "engine/text/sign_escape.h"
#include "engine/text/tokenizer.h"
#include "engine/text/unicode.h"

namespace glassformer::letters_test {

TEST_CASE("blanks of every kind become one space, and none at the ends") {
  CHECK(cleaned("  a\t b\xC2\xA0"
                "c\xE2\x80\xAF! \r\n") == "a b c !");
  CHECK(cleaned("A line separator\xE2\x80\xA8is inside.") == "A line separator is inside.");
  CHECK(cleaned("Next line\xC2\x85inside,\x0B\x0C too") == "Next line inside, too");
  CHECK(cleaned(" \xE3\x80\x80 ").empty());
}

TEST_CASE("invisible marks go, joiners stay") {
  CHECK(cleaned("\xEF\xBB\xBFsoft\xC2\xADhy\xE2\x80\x8Bphen\xE2\x80\x8F") == "softhyphen");
  CHECK(cleaned(std::string("nu\0l", 4)) == "nul");
  CHECK(cleaned("👨‍👩‍👧") == "👨‍👩‍👧");
  CHECK(cleaned("می‌خواهم") == "می‌خواهم");
}

TEST_CASE("a letter and its mark become one letter") {
  CHECK(cleaned("Ko\xCC\x88nnen fru\xCC\x88h") == "Können früh");
  CHECK(cleaned("e\xCC\xA3\xCC\x82") == "ệ");                      // two marks
  CHECK(cleaned("\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB") == "한");  // Korean
  CHECK(composed(U'q', char32_t{0x301}) == 0);
  CHECK(cleaned("q\xCC\x81") == "q\xCC\x81");
}

TEST_CASE("nothing that is seen changes") {
  const std::string text = "Fullwidth ＡＢＣ, ligature ﬁne, 𐎠, « ça »… “quoted” — 100 % <b> \\ \"";
  CHECK(cleaned(text) == text);
}

TEST_CASE("bytes that are no text become the replacement character") {
  CHECK(cleaned("caf\xE9") == "caf\xEF\xBF\xBD");
}

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

const std::string kSign = "\xEF\xBF\xBD";  // U+FFFD

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

const std::vector<std::string> kSigned = {"▁▂▃▅ rising prices",      "press <s> or </s> twice",
                                          "an <unk> word and <pad>", "under▁score ▅",
                                          "prices press twice",      "a word or a score"};

std::vector<int> ids_of_text(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> ids;
  for (const Piece& piece : tokenizer.encode(text)) ids.push_back(piece.id);
  return ids;
}

TEST_CASE("signs that sentencepiece keeps for itself are learned, read and written as text") {
  for (const TokenizerKind kind : {TokenizerKind::bpe, TokenizerKind::unigram}) {
    const auto tokenizer = train_tokenizer(kSigned, {.kind = kind, .pieces = 0});
    for (const std::string& line : kSigned) {
      CAPTURE(line);
      for (const Piece& piece : tokenizer->encode(line)) CHECK_FALSE(piece.unknown);
      CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
      CHECK(tokenizer->normalized(line) == line);
    }
    // The same after the model was kept and read.
    const auto loaded = load_tokenizer("sentencepiece", tokenizer->bytes(), tokenizer->special(), "test");
    CHECK(loaded->decode(ids_of_text(*loaded, kSigned[3])) == kSigned[3]);
    for (int id = 0; id < tokenizer->size(); ++id)
      CHECK(tokenizer->piece(id).find('\xF4') == std::string::npos);
  }
}

TEST_CASE("text of signs alone teaches pieces") {
  const std::vector<std::string> lines = {"<s>", "▅", "▁ <pad>", "<s> ▅"};
  const auto tokenizer = train_tokenizer(lines, {.pieces = 0});
  for (const std::string& line : lines) CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
}

TEST_CASE("a model that never saw the signs names them as unknown and reads the rest as before") {
  const std::vector<std::string> plain = {"the moon <b>rises</b>", "a star s k u n p", "stars rise"};
  const auto tokenizer = train_tokenizer(plain, {.pieces = 0});
  bool found_mark = false;
  for (const Piece& piece : tokenizer->encode("the▁moon"))
    found_mark = found_mark || (piece.unknown && piece.text == "▁");
  CHECK(found_mark);
  CHECK(tokenizer->decode(ids_of_text(*tokenizer, "<s>")) == "<s>");
  for (const std::string& line : plain) CHECK(tokenizer->decode(ids_of_text(*tokenizer, line)) == line);
}

TEST_CASE("what stands in for a sign is no way to write one") {
  CHECK(escaped_signs(std::string(kBlankStandIn)) == "\xEF\xBF\xBD");
  CHECK(unescaped_signs(escaped_signs("<s>▁▅</s><unk><pad><sx>")) == "<s>▁▅</s><unk><pad><sx>");
}

}  // namespace glassformer::letters_test
