// What a page of a lesson points at, covers and says, in the window and in a lecture.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/lessons/given_answer.h"
#include "app/lessons/lesson_reader.h"
#include "app/lessons/page_names.h"
#include "app/panels/open_folder.h"
#include "app/views/embedding/embedding.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::lesson_window_test {
namespace {

std::string lesson_file(const Home& home, const std::string& pages) {
  const std::string file = home.scratch.path("window.lesson");
  std::ofstream(file, std::ios::binary) << "lesson A window\nmodel reverse\nsource b a c\n" + pages;
  return file;
}

void open_page(OffscreenProgram& program) {
  REQUIRE(program.settle());
  REQUIRE(program.wait([&] { return program.visible("lesson question"); }));
  REQUIRE(program.settle());
  program.frame(8);
}

}  // namespace

TEST_CASE("a row that is asked for is covered in the steps of its head, in tooltips and in the inspector") {
  const Home& home = home_of_test();
  const std::string file = lesson_file(
      home,
      "page One\nview head 5\nkind encoder\nlayer 1\nhead 1\npin query 1 key 0\npoint row 1\ncover row 1\n"
      "ask How many columns?\nanswer number : columns(weights)\n");
  OffscreenProgram program({.lesson = file, .threads = 1});
  open_page(program);
  CHECK(program.visible("covered: row"));
  CHECK(program.visible("pointed at: row"));
  REQUIRE(program.hover("head A 1 0"));
  REQUIRE(program.wait([&] {
    program.frame(1);
    return program.visible("tooltip");
  }));
  CHECK(program.text("tooltip") == "covered until the question is answered");
  REQUIRE(program.hover("head S′ 1 0"));
  REQUIRE(program.wait([&] { return program.visible("tooltip"); }));
  CHECK(program.text("tooltip") == "covered until the question is answered");
  REQUIRE(program.hover("head A 0 0"));
  REQUIRE(program.wait([&] {
    program.frame(1);
    return program.visible("tooltip") && !contains(program.text("tooltip"), "covered");
  }));
  program.move({1, 1});
  program.frame(3);
  click(program, "Right column: Inspector");
  CHECK(program.text("inspector subject") == "**asked for**");
  CHECK(program.text("inspector value").empty());
  // A number of another row is shown.
  REQUIRE(program.click("head A 0 0"));
  program.frame(4);
  CHECK_FALSE(program.text("inspector value").empty());
}

TEST_CASE("a covered row is covered in what Ctrl+C copies and in what Ctrl+D says, with the question") {
  const Home& home = home_of_test();
  const std::string file = lesson_file(
      home,
      "page One\nview head 5\nkind encoder\nlayer 1\nhead 1\npin query 1 key 0\ntext Some words.\n"
      "cover row 1\nask Which number is in the row?\nanswer choice 3 | some 77 : \"some 77\"\n"
      "wrong Not that one.\nright So it is.\nhint Count.\n");
  OffscreenProgram program({.lesson = file, .threads = 1});
  open_page(program);
  const auto copied = [&] {
    program.move({1, 1});
    press(program, ui::Key::copy);
    return program.clipboard();
  };
  const auto said = [&] {
    program.press(ui::Key::describe);
    program.frame(4);
    REQUIRE(program.click("Copy the text"));
    press(program, ui::Key::escape);
    return program.clipboard();
  };
  const auto has = [](const std::string& text, const char* part) { return contains(text, part); };
  CHECK(has(copied(), " (covered)\t\t"));
  const std::string words = said();
  for (const char* const part : {"page 1 of 1: One", "Some words.", "Question: Which number is in the row?",
                                 "Choices: 3 | some 77", " (covered) | – |"})
    CHECK_MESSAGE(has(words, part), part, " in ", words);
  for (const char* const part : {"So it is", "Answered", "Not right"}) CHECK_FALSE(has(words, part));
  // A report would show it.
  program.press(ui::Key::report);
  program.frame(4);
  CHECK(has(program.text("report problem"), "answer it first"));
  CHECK_FALSE(program.click("Write the report"));
}

TEST_CASE("a mouse that rests changes nothing of a page that was turned to, until it moves") {
  const Home& home = home_of_test();
  const std::string asked = "ask How many columns?\nanswer number : columns(weights)\n";
  const std::string file = lesson_file(
      home, "view head 5\nkind encoder\nlayer 1\nhead 1\npage One\n" + asked + "page Two\n" + asked);
  OffscreenProgram program({.lesson = file, .threads = 1});
  open_page(program);
  REQUIRE(program.hover("head A 1 0"));
  REQUIRE(program.wait([&] { return program.session().hovering(); }));
  // Turned to by the keyboard, with the mouse where it is.
  program.press('4');
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.find("Next page")->focused; }));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.text("lesson page") == "Page 2 of 2"; }));
  open_page(program);
  CHECK_FALSE(program.session().hovering());
  CHECK_FALSE(program.visible("tooltip"));
  const Rect cell = program.find("head A 1 0")->rect;
  program.move({cell.x + 1, cell.y + 1});
  REQUIRE(program.wait([&] { return program.session().hovering(); }));
}

TEST_CASE("an Enter too many leads no page away from its picture") {
  const Home& home = home_of_test();
  const std::string file =
      lesson_file(home,
                  "view lookup\nset Lookup \"A table of facts\"\nset Query 11\npage One\n"
                  "do Drag the query. : view.hard > 40\npage Two\ntext It is done.\n");
  OffscreenProgram program({.lesson = file, .threads = 1});
  open_page(program);
  const auto state = [&] { return program.program().shell().view()->traits().state; };
  const std::string shown = state();
  program.press(ui::Key::enter);
  program.frame(4);
  CHECK(state() == shown);
  CHECK(program.text("lesson page") == "Page 1 of 2");
}

TEST_CASE("Enter goes on after a task that was done in the sentence field, which keeps the keyboard else") {
  const Home& home = home_of_test();
  const std::string file =
      lesson_file(home, "page One\ndo Type more words. : count(pieces) > 10\npage Two\ntext It is done.\n");
  OffscreenProgram program({.lesson = file, .threads = 1});
  open_page(program);
  REQUIRE(program.type("Source sentence", "a cat and a dog see a bird and a cat"));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.text("lesson verdict") == "Done"; }));
  REQUIRE(program.wait([&] { return program.find("Next page")->focused; }));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.text("lesson page") == "Page 2 of 2"; }));
}

TEST_CASE("a page that trains shows how far it is, then the curve, once that gives nothing away") {
  const Home& home = home_of_test();
  const std::string training = "train one --task reverse --preset nano --steps 60\n";
  const std::string file = lesson_file(home, "page One\n" + training +
                                                 "ask Lower?\nanswer choice yes | no : if(run one.loss < 9, "
                                                 "\"yes\", \"no\")\npage Two\n" +
                                                 "do Mute a head. : loss < 0\n");
  OffscreenProgram program({.lesson = file, .threads = 1});
  REQUIRE(program.wait([&] { return program.visible("lesson training"); }));
  CHECK(program.text("lesson training").starts_with("one: step "));
  CHECK(program.text("lesson training").ends_with(" of 60"));
  CHECK_FALSE(program.visible("lesson curves"));
  open_page(program);
  CHECK_FALSE(program.visible("lesson training"));
  CHECK_FALSE(program.visible("lesson curves"));
  REQUIRE(program.click("1  yes"));
  program.frame(4);
  CHECK(program.visible("lesson curves"));
  REQUIRE(program.click("Next page"));
  open_page(program);
  CHECK(program.visible("lesson curves"));
}

TEST_CASE("what a lesson covers is covered in a lecture, within the band of its picture") {
  const Home& home = home_of_test();
  const std::string file = lesson_file(
      home,
      "page One\nsource a b c d e f g h i j\nview head 5\nkind encoder\nlayer 1\nhead 1\npoint row 9\n"
      "cover row 9\ntext Words.\nask How many columns?\nanswer number : columns(weights)\n");
  OffscreenProgram program({.size = {1024, 768}, .lesson = file, .threads = 1});
  open_page(program);
  program.press(ui::Key::f5);
  program.frame(8);
  constexpr float kBottom = 600 * 0.6f;
  for (const ui::Widget& each : program.program().ui().registry().all())
    if (each.label.starts_with("covered: ") || each.label.starts_with("pointed at: "))
      CHECK(each.rect.bottom() <= kBottom + 5);
  CHECK(program.visible("covered: row"));
}

TEST_CASE("what an answer told is in sight on a low card, and Enter goes on from it") {
  const Home& home = home_of_test();
  std::string text = "page One\n";
  for (int i = 0; i < 3; ++i)
    text += "text " + std::string(400, 'x') + " these words fill the card from its top to its foot.\n";
  text +=
      "ask How many pieces?\nanswer number : 4\nwrong Not so many.\nright So it is.\n"
      "hint Count them.\npage Two\nask Is it so?\nanswer choice yes | no : \"yes\"\n";
  OffscreenProgram program({.size = {1024, 768}, .lesson = lesson_file(home, text), .threads = 1});
  open_page(program);
  const auto in_sight = [&](const char* label) {
    const auto widget = program.find(label);
    return widget && widget->visible.height > widget->rect.height - 1;
  };
  REQUIRE(program.type("Your answer", "77"));
  program.press(ui::Key::enter);
  program.frame(6);
  CHECK(in_sight("lesson verdict"));
  CHECK(in_sight("Show the answer"));
  REQUIRE(program.type("Your answer", "4"));
  program.press(ui::Key::enter);
  program.frame(6);
  REQUIRE(program.text("lesson verdict").starts_with("Right"));
  CHECK(in_sight("lesson answer"));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.text("lesson page") == "Page 2 of 2"; }));
}

TEST_CASE("a digit's verdict is in sight as a typed one's is") {
  const Home& home = home_of_test();
  std::string text = "page One\n";
  for (int i = 0; i < 3; ++i)
    text += "text " + std::string(400, 'x') + " these words fill the card from its top to its foot.\n";
  text += "ask Is it so?\nanswer choice yes | no : \"yes\"\nwrong It is.\nright It is so.\nhint Look.\n";
  OffscreenProgram program({.size = {1024, 768}, .lesson = lesson_file(home, text), .threads = 1});
  open_page(program);
  const auto in_sight = [&](const char* label) {
    const auto widget = program.find(label);
    return widget && widget->visible.height > widget->rect.height - 1;
  };
  REQUIRE_FALSE(in_sight("lesson verdict"));
  program.press('2');
  program.frame(6);
  REQUIRE(program.text("lesson verdict").starts_with("Not"));
  CHECK(in_sight("lesson verdict"));
  CHECK(in_sight("Show the answer"));
}

TEST_CASE("a page whose picture was left has a way back to it") {
  const Home& home = home_of_test();
  OffscreenProgram program(
      {.lesson = lesson_file(home, "page One\nview tokens\nask How many?\nanswer number : count(pieces)\n"),
       .threads = 1});
  open_page(program);
  CHECK_FALSE(program.visible("Back to its picture"));
  apply(program, {OpenView{"attention"}});
  REQUIRE(program.click("Back to its picture"));
  CHECK(program.wait([&] { return program.program().shell().open_view() == "tokens"; }));
}

TEST_CASE("the target field and the training slider can be pointed at") {
  const Home& home = home_of_test();
  for (const char* const control : {"target", "slider"}) {
    CAPTURE(control);
    OffscreenProgram program(
        {.lesson = lesson_file(home, std::string("page One\npoint control ") + control +
                                         "\nask How many?\nanswer number : count(pieces)\n"),
         .threads = 1});
    open_page(program);
    CHECK(program.visible("pointed at: control"));
  }
}

TEST_CASE("a number that stands for a place has the value there, and is one of the places") {
  const LessonFile file =
      read_lesson("lesson A\npage One\nask Which head?\nanswer number : argmax(muted_loss)\n");
  REQUIRE(file.errors.empty());
  const LessonQuestion& asked = *file.lesson.pages.front().question;
  const Value answer = found_at(1, row_of({0.25, 3, 2}, {.counted = true}));
  const Value given = given_answer(asked, "1", answer);
  REQUIRE(given.place);
  CHECK(given.place->among[given.place->at] == 0.25);
  CHECK_FALSE(is_right(asked, given, answer));
  CHECK(is_right(asked, given_answer(asked, "2", answer), answer));
  for (const char* typed : {"0", "4"})
    CHECK_THROWS_WITH_AS(given_answer(asked, typed, answer),
                         ("expected a whole number from 1 to 3, got " + std::string(typed)).c_str(),
                         Mismatch);
}

TEST_CASE("of dots that lie close the large one is meant") {
  const std::vector<MapDot> dots{{7, {100, 100}}, {8, {103, 100}}, {9, {140, 100}}};
  const std::vector<int> large{7};
  CHECK(dot_under(dots, {102, 100}, 12, {}) == 8);
  CHECK(dot_under(dots, {102, 100}, 12, large) == 7);
  CHECK(dot_under(dots, {139, 100}, 12, large) == 9);
  CHECK_FALSE(dot_under(dots, {170, 100}, 12, large));
}

TEST_CASE("a folder is opened by xdg-open, and what cannot be opened is told") {
  const Home& home = home_of_test();
  const std::string folder = home.scratch.path("a report; with \"signs\"");
  CHECK(open_folder(folder) == "There is no folder " + folder + " any more.");
  std::filesystem::create_directory(folder);
  const std::string programs = home.scratch.path("programs"), asked = home.scratch.path("asked");
  std::filesystem::create_directory(programs);
  const std::string before = std::getenv("PATH");
  setenv("PATH", programs.c_str(), 1);
  const std::string missing = open_folder(folder);
  std::ofstream(programs + "/xdg-open") << "#!/bin/sh\necho \"$1\" > '" + asked + "'\n";
  chmod((programs + "/xdg-open").c_str(), 0755);
  const std::string opened = open_folder(folder);
  setenv("PATH", before.c_str(), 1);
  CHECK(missing.starts_with("The folder could not be opened with xdg-open: "));
  CHECK(opened.empty());
  std::string line;
  for (int i = 0; i < 500 && line.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream file(asked);
    std::getline(file, line);
  }
  CHECK(line == folder);
}

TEST_CASE("a report can be asked for while a sentence is typed") {
  SmallProgram program;
  REQUIRE(program.type("Source sentence", "the dog"));
  REQUIRE(program.program().ui().field_active());
  press(program, ui::Key::report);
  CHECK(program.text("dialog") == "Report");
}

}  // namespace glassformer::lesson_window_test
