// Letters beyond 16 bits in text fields.
#include "app/ui/wide_letters.h"

#include <doctest/doctest.h>

#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("letters beyond 16 bits go through Dear ImGui and come out as themselves") {
  // Emoji, an old script, and the letters that stand for others on the way.
  for (const std::string text : {"a 😀 b", "𐍈𐍉", "\uA000\uA001", "\uA005😀\uA48F", "plain", ""})
    CHECK(ui::wide_letters(ui::narrow_letters(text)) == text);
  CHECK(ui::narrow_letters("voilà") == "voilà");
  // Bytes that are no UTF-8 stay what they are.
  CHECK(ui::narrow_letters("a\xff"
                           "b") ==
        "a\xff"
        "b");
}

TEST_CASE("an emoji that is typed is the one that is read") {
  SmallProgram program;
  translate(program, "the 😀 cat");
  CHECK(program.session().result()->scene.sentences.front().source == "the 😀 cat");
}

}  // namespace glassformer
