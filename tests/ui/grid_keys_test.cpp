// Heatmaps and walls by the keyboard alone.
#include <doctest/doctest.h>

#include <string>

#include "app/offscreen.h"
#include "tests/scratch_folder.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

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

}  // namespace

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
