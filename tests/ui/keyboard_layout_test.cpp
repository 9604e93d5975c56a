// Keys by the letters that they bear, and what a field of one line takes.
#include <doctest/doctest.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/canvas/screen_canvas.h"
#include "app/ui/wide_letters.h"
#include "app/window_events.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("a key acts as the letter that it bears in the layout") {
  CHECK(key_by_layout(GLFW_KEY_Y, "z", true) == GLFW_KEY_Z);  // German
  CHECK(key_by_layout(GLFW_KEY_A, "q", true) == GLFW_KEY_Q);  // French
  CHECK(key_by_layout(GLFW_KEY_SLASH, "-", true) == GLFW_KEY_MINUS);
  CHECK(key_by_layout(GLFW_KEY_SEMICOLON, "s", true) == GLFW_KEY_S);  // Dvorak
  // What bears another sign than a letter ends no program: Dvorak's ' is where Q is elsewhere, Turkish F's ı
  // R.
  for (const char* sign : {"'", "ı", ",", "é"})
    for (const int key : {GLFW_KEY_Q, GLFW_KEY_R, GLFW_KEY_MINUS})
      CHECK(key_by_layout(key, sign, true) > GLFW_KEY_Z);
  // Without Latin letters: its place.
  CHECK(key_by_layout(GLFW_KEY_E, "ε", false) == GLFW_KEY_E);
  CHECK(key_by_layout(GLFW_KEY_Q, ";", false) == GLFW_KEY_Q);
  for (const int key : {GLFW_KEY_ENTER, GLFW_KEY_LEFT, GLFW_KEY_F5, GLFW_KEY_KP_ADD, GLFW_KEY_LEFT_CONTROL})
    CHECK(key_by_layout(key, "a", true) == key);
  CHECK(key_by_layout(GLFW_KEY_Q, nullptr, true) == GLFW_KEY_Q);
}

TEST_CASE("lines that are pasted into a field are one line with blanks between them") {
  CHECK(ui::one_line("the red\ncat") == "the red cat");
  CHECK(ui::one_line("\n a\r\n\r\nb\tc \n d\n") == " a b c  d");
  CHECK(ui::one_line("a\u2028b\u0085c") == "a b c");
  CHECK(ui::one_line("two  blanks") == "two  blanks");
  CHECK(ui::one_line("") == "");
}

namespace {

void paste_into(OffscreenProgram& program, const std::string& field, const std::string& text) {
  REQUIRE(program.type(field, ""));
  ImGui::SetClipboardText(text.c_str());
  ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
  const auto key = [&](bool down) { io.AddKeyEvent(ImGuiMod_Ctrl, down), io.AddKeyEvent(ImGuiKey_V, down); };
#else
  const auto key = [&](bool down) {
    io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] = io.KeysDown[GLFW_KEY_V] = down;
  };
#endif
  key(true);
  program.frame(2);
  key(false);
  program.frame(3);
}

}  // namespace

TEST_CASE("what is pasted into a field is one line, cut where it is too long, and that is said") {
  SmallProgram program;
  paste_into(program, "Source sentence", "the red\r\ncat\tsees");
  CHECK(program.text("Source sentence") == "the red cat sees");
  CHECK(program.text("Source sentence: cut").empty());
  std::string most;
  for (int i = 0; i < 10'000; ++i) most += "é";
  paste_into(program, "Source sentence", most);
  CHECK(program.text("Source sentence") == most);
  CHECK(program.text("Source sentence: cut").empty());
  paste_into(program, "Source sentence", most + "xy");
  CHECK(program.text("Source sentence") == most);
  CHECK(program.text("Source sentence: cut") == "cut after 10 000 letters");
  program.press(ui::Key::escape);
}

TEST_CASE("a field shows letters that no word had before, and has its caret behind them") {
  SmallProgram program;
  press(program, 's');
  const std::string name = "Łukasz Żółć";
  REQUIRE(program.type("Name", name));
  program.frame(4);
  ImFont* font = program.program().fonts().im_font(Font::regular, 14);
  for (const int letter : {0x141, 0x17B, 0xF3, 0x142, 0x107})
    CHECK(font->FindGlyphNoFallback(static_cast<ImWchar>(letter)) != nullptr);
  CHECK(program.text("Name") == name);
}

TEST_CASE("Ctrl+Q in a field asks while something is not saved") {
  SmallProgram program;
  program.session().apply({SetWhatIf{{{mute_head(AttentionKind::cross, 0, 0)}}}});
  program.frame(3);
  REQUIRE(program.click("Source sentence"));
  REQUIRE(program.program().ui().field_active());
  program.press(ui::Key::quit);
  CHECK(!program.program().wants_close());
  press(program, ui::Key::escape);
  REQUIRE(program.click("End the program"));
  CHECK(program.program().wants_close());
}

TEST_CASE("Ctrl+Q on the stage ends the program") {
  SmallProgram program;
  program.press(ui::Key::quit);
  CHECK(program.program().wants_close());
}

TEST_CASE("the bar of a long menu lies beside its lines") {
  SmallProgram program({.size = {1000, 420}});
  click(program, "Lessons");
  const auto bar = program.find("Lessons: list: scroll bar"), line = program.find("All lessons");
  REQUIRE(bar);
  REQUIRE(line);
  CHECK(line->rect.right() <= bar->rect.x);
}

TEST_CASE("a view that is opened begins at its top") {
  SmallProgram program({.size = {1000, 500}});
  auto& ui = program.program().ui();
  ui.scroll.to("stage", {0, 80});
  program.frame(2);
  REQUIRE(ui.scroll.of("stage").y > 0);
  program.program().shell().apply({OpenView{"masks"}}, 0);
  CHECK(ui.scroll.of("stage").y == 0);
}

}  // namespace glassformer
