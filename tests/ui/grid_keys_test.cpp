// The keyboard: in heatmaps and walls, and by the letters that keys bear.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <doctest/doctest.h>
#include <imgui.h>

#include <string>

#include "app/canvas/screen_canvas.h"
#include "app/offscreen.h"
#include "app/ui/wide_letters.h"
#include "app/window_events.h"
#include "tests/scratch_folder.h"
#include "tests/ui/small_program.h"

namespace glassformer::grid_keys_test {

// ---- Heatmaps and walls by the keyboard alone.

void open_view(OffscreenProgram& program, const std::string& name) {
  program.program().shell().apply({OpenView{name}}, 0);
  REQUIRE(program.settle());
}

// Tab until the n-th grid has the focus.
std::string tab_to_grid(OffscreenProgram& program, int n) {
  const std::string label = "grid " + std::to_string(n);
  for (int i = 0; i < n; ++i) program.press(ui::Key::tab);
  REQUIRE(program.find(label));
  CHECK(program.find(label)->focused);
  return label;
}

// The arrows to row 2, column 3 and back to 1, 2; Enter pins what a click pins there; Esc ends without focus.
void walk_and_pin(OffscreenProgram& program, int n) {
  const std::string grid = tab_to_grid(program, n);
  const Selection before = program.session().pinned();
  const int layer = before.layer;
  for (int i = 0; i < 2; ++i) program.press(ui::Key::down);
  for (int i = 0; i < 3; ++i) program.press(ui::Key::right);
  program.press(ui::Key::up);
  program.press(ui::Key::left);
  CHECK(program.session().pinned() == before);  // neither step nor layer moved
  CHECK(program.session().shown_steps() == -1);
  CHECK(program.session().pinned().layer == layer);
  CHECK(program.session().hovering());
  const std::string cell = program.find(grid)->value;
  CAPTURE(cell);
  program.press(ui::Key::enter);
  const Selection pinned = program.session().pinned();
  CHECK_FALSE(pinned == before);
  CHECK(program.session().shown() == pinned);
  program.press(ui::Key::escape);
  CHECK_FALSE(program.find(grid)->focused);
  CHECK(program.session().pinned() == pinned);
  program.press(ui::Key::escape);  // the pin
  program.frame(30);               // soon after the pin it would be a double click
  REQUIRE(program.click(cell));
  CHECK(program.session().pinned() == pinned);
}

TEST_CASE("the arrows go over the cells of the enlarged head, Enter pins one and then leads deeper") {
  SmallProgram program({.size = {1600, 1000}});
  program.press(ui::Key::escape);  // out of the field
  program.press('1');
  walk_and_pin(program, 2);
  CHECK(program.session().pinned().query == 1);
  CHECK(program.session().pinned().key == 2);
  program.move({5, 5});
  const std::string grid = tab_to_grid(program, 2);
  program.press(ui::Key::down);
  program.press(ui::Key::enter);
  CHECK(program.session().pinned().query == 1);
  CHECK(program.session().pinned().key == 0);
  CHECK(program.program().shell().open_view() == "attention");
  press(program, ui::Key::enter);
  CHECK(program.program().shell().open_view() == "head");
}

TEST_CASE("the arrows go over layers and heads of the wall") {
  SmallProgram program({.size = {1600, 1000}});
  program.press(ui::Key::escape);  // out of the field
  tab_to_grid(program, 1);
  for (int i = 0; i < 5; ++i) program.press(ui::Key::up);
  program.press(ui::Key::right);
  program.press(ui::Key::enter);
  CHECK(program.session().pinned().layer == 0);
  CHECK(program.session().pinned().head == 1);
  program.press(ui::Key::down);
  program.press(ui::Key::enter);
  CHECK(program.session().pinned().layer == 1);
  CHECK(program.session().pinned().head == 1);
}

TEST_CASE("the arrows go over the cells of one head's step and of the masks") {
  SmallProgram program({.size = {1600, 1000}});
  program.press(ui::Key::escape);  // out of the field
  for (const char* view : {"head", "masks"}) {
    CAPTURE(std::string(view));
    open_view(program, view);
    walk_and_pin(program, 1);
    program.move({5, 5});
    program.press(ui::Key::escape);
  }
}

TEST_CASE("without the focus on a grid the arrows step the decoding and change the layer") {
  SmallProgram program({.size = {1600, 1000}});
  program.press(ui::Key::escape);  // out of the field
  tab_to_grid(program, 1);
  program.press(ui::Key::escape);
  program.press(ui::Key::left);
  CHECK(program.session().shown_steps() > 0);
  const int layer = program.session().pinned().layer;
  program.press(layer == 0 ? ui::Key::up : ui::Key::down);
  CHECK(program.session().pinned().layer != layer);
}

TEST_CASE("a button with the focus keeps letters from the stage, and the blank presses it") {
  SmallProgram program({.size = {1600, 1000}});
  program.press(ui::Key::escape);  // out of the field
  program.press('e');
  REQUIRE(program.session().pinned().kind == AttentionKind::encoder);
  for (int i = 0; i < 100 && !program.find("File")->focused; ++i) program.press(ui::Key::tab);
  REQUIRE(program.find("File")->focused);
  for (const char letter : {'x', 't', 'n', 's', '2'}) program.press(letter);
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
  CHECK(program.session().pinned().head == 0);
  CHECK_FALSE(program.session().training());
  CHECK_FALSE(program.visible("dialog"));
  press(program, ui::Key::space);
  CHECK(program.session().shown_steps() == -1);  // the decoding does not play
  CHECK(program.visible("New model…"));
  program.press(ui::Key::escape);  // the menu, then the button
  program.press(ui::Key::escape);
  program.press('x');
  CHECK(program.session().pinned().kind == AttentionKind::cross);
}

// ---- Keys by the letters that they bear, and what a field of one line takes.

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

}  // namespace glassformer::grid_keys_test
