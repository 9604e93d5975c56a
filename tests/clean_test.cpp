#include "engine/text/clean.h"

#include <doctest/doctest.h>

#include "engine/text/compose.h"

using namespace glassformer;

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
