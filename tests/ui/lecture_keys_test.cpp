// What keys do in a lecture, and what of it is echoed.
#include <doctest/doctest.h>

#include "tests/ui/small_program.h"

namespace glassformer {

namespace {

void wait_for_page(OffscreenProgram& program) {
  program.frame(2);
  REQUIRE(program.wait([&] {
    return !program.text("lecture question").empty() && program.text("lecture question") != "One moment…";
  }));
  REQUIRE(program.settle());
  program.frame(8);
}

void begin_keys_lecture(OffscreenProgram& program) {
  REQUIRE(program.settle());
  program.press(ui::Key::f5);
  wait_for_page(program);
}

void press_through(OffscreenProgram& program, ui::Key key) {
  program.press(key);
  wait_for_page(program);
}

}  // namespace

TEST_CASE("a key that changes nothing on a lesson's page is not echoed, and one that does is") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "4", .threads = 1});
  begin_keys_lecture(program);
  for (const char key : {'w', 'k', '8'}) {
    CAPTURE(key);
    program.press(key);
    program.frame(10);
    CHECK(program.text("lecture key").empty());
  }
  press_through(program, ui::Key::page_down);
  CHECK(program.text("lecture key").starts_with("PgDn, "));
  program.press('k');
  program.frame(10);
  CHECK(program.text("lecture key").empty());
}

TEST_CASE("behind its last page a second PgDn opens the next lesson in the lecture, and PgUp stays") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "2", .threads = 1});
  begin_keys_lecture(program);
  LessonGuide& lessons = program.program().shell().lessons();
  for (int presses = 0; presses < 20 && !lessons.next(); ++presses)
    press_through(program, ui::Key::page_down);
  REQUIRE(lessons.next() == 2);
  press_through(program, ui::Key::page_down);
  CHECK(lessons.leaving());
  press_through(program, ui::Key::page_up);
  CHECK_FALSE(lessons.leaving());
  CHECK(lessons.next() == 2);
  press_through(program, ui::Key::page_down);
  press_through(program, ui::Key::page_down);
  REQUIRE(program.wait([&] { return program.text("lecture title").starts_with("Lesson 3: "); }));
  CHECK(program.text("lecture page").starts_with("Page 1 of "));
}

TEST_CASE("PgDn and PgUp go through the views in a lecture without a lesson") {
  SmallProgram program({.size = {1024, 768}, .view = "tokens"});
  press(program, ui::Key::f5);
  const auto caption_of = [&](ui::Key key) {
    press(program, key);
    REQUIRE(program.settle());
    return program.text("lecture caption");
  };
  const std::string tokens = program.text("lecture caption"), embedding = caption_of(ui::Key::page_down);
  CHECK(embedding != tokens);
  CHECK(program.text("lecture key").starts_with("PgDn, "));
  CHECK(caption_of(ui::Key::page_up) == tokens);
}

TEST_CASE("the list of lessons is one screen in a small window, and Escape closes it") {
  OffscreenProgram program({.size = {1024, 768}, .threads = 1});
  REQUIRE(program.settle());
  program.press('l');
  program.frame(4);
  REQUIRE(program.visible("Close the lessons"));
  const Point rest = program.program().ui().scroll.room("lessons").rest;
  CHECK(rest == Point{});
  for (const char* const row : {"lesson 1", "lesson 20"}) CHECK(program.visible(row));
  program.press(ui::Key::escape);
  program.frame(4);
  CHECK_FALSE(program.visible("Close the lessons"));
}

}  // namespace glassformer
