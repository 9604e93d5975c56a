// Lessons whose sentences are drawn by the student's name, lessons that were done, and lessons of a file of
// one's own that is written anew while it is open.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/lessons/hand_in.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::lesson_names_test {
namespace {

void write(const std::string& file, const std::string& text, int seconds_later = 0) {
  std::ofstream(file, std::ios::binary) << text;
  if (seconds_later > 0)
    std::filesystem::last_write_time(
        file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(seconds_later));
}

constexpr const char* kByName =
    "lesson By name\nmodel reverse\nsource from held-out by NAME\npage One\ntext Read it.\n"
    "ask How many letters?\nanswer number : count(pieces)\n";

constexpr const char* kDone =
    "lesson Two pages\nmodel reverse\nsource b a c\npage One\ntext Look.\nask How many letters?\nanswer "
    "number : count(pieces)\n"
    "page Two\nask Is it so?\nanswer choice yes | no : if(count(pieces) > 2, \"yes\", \"no\")\n";

bool asked(OffscreenProgram& program, const std::string& page) {
  return program.wait(
      [&] { return program.text("lesson page") == page && program.visible("lesson question"); });
}

}  // namespace

TEST_CASE("a lesson that draws sentences by name asks nothing before it has one, and is handed in under it") {
  const Home& home = home_of_test();
  const std::string file = home.scratch.path("names.lesson"), handed = home.scratch.path("a.handin");
  write(file, kByName);
  SettledProgram program({.lesson = file, .threads = 1});
  REQUIRE(program.wait([&] { return program.visible("Your name"); }));
  program.frame(30);
  CHECK(program.text("lesson state") == "Type your name first: it draws your sentence.");
  CHECK_FALSE(program.visible("lesson question"));
  CHECK_FALSE(program.find("Next page")->enabled);
  press(program, ui::Key::page_down);
  CHECK_FALSE(program.visible("Hand in to"));

  REQUIRE(program.type("Your name", "Zoe"));
  program.press(ui::Key::enter);
  REQUIRE(asked(program, "Page 1 of 1"));
  REQUIRE(program.settle());
  REQUIRE(program.type("Your name", "Bob"));  // not taken: no Enter
  REQUIRE(program.type("Your answer", "-7"));
  click(program, "Answer");
  click(program, "Show the answer");
  click(program, "Next page");
  CHECK(program.text("lesson student") == "Your name: Zoe");
  CHECK_FALSE(program.visible("Your name"));  // whose sentence it was is settled
  type(program, "Hand in to", handed);
  click(program, "Hand in");
  std::ostringstream text;
  text << std::ifstream(handed).rdbuf();
  CHECK(hand_in_from_text(text.str(), "a.handin").student == "Zoe");
}

TEST_CASE("a lesson that was done opens at its end with its answers, and begins again when it is asked to") {
  const Home& home = home_of_test();
  const std::string file = home.scratch.path("done.lesson");
  write(file, kDone);
  {
    SettledProgram program({.lesson = file, .keep_settings = true, .threads = 1});
    REQUIRE(asked(program, "Page 1 of 2"));
    REQUIRE(program.settle());
    REQUIRE(program.type("Your answer", "3"));
    click(program, "Answer");
    CHECK(program.text("lesson verdict") == "Right: 3");
    REQUIRE(program.click("Next page"));
    REQUIRE(asked(program, "Page 2 of 2"));
    REQUIRE(program.settle());
    click(program, "1  yes");
    click(program, "Next page");
    CHECK(program.text("lesson result") == "2 of 2 right");
    click(program, "Leave the lesson");
  }
  SettledProgram program({.lesson = file, .keep_settings = true, .threads = 1});
  REQUIRE(program.wait([&] { return program.visible("Hand in to"); }));
  CHECK(program.text("lesson result") == "2 of 2 right");
  // The answers go only when that is wanted.
  click(program, "Begin the lesson again");
  click(program, "Keep the answers");
  CHECK(program.text("lesson result") == "2 of 2 right");
  click(program, "Begin the lesson again");
  REQUIRE(program.click("Discard the answers"));
  REQUIRE(asked(program, "Page 1 of 2"));
  CHECK_FALSE(program.visible("lesson verdict"));
}

TEST_CASE("a lesson's file anywhere is read again when it is saved, and errors are told on its card") {
  const Home& home = home_of_test();
  const std::string file = home.scratch.path("mine.lesson");
  write(file, kDone);
  SettledProgram program({.lesson = file, .threads = 1});
  REQUIRE(asked(program, "Page 1 of 2"));
  const auto later = [&] {
    for (int i = 0; i < 90; ++i) program.frame(1);
  };
  std::string broken = kDone;
  broken.replace(broken.find("ask "), 4, "aks ");
  write(file, broken, 5);
  later();
  CHECK(program.text("saved errors").starts_with("Not as it is saved now: line 6: expected ask, got “aks”"));
  CHECK(program.text("lesson question") == "How many letters?");
  std::string mended = kDone;
  mended.replace(mended.find("How many letters"), 16, "How many of them");
  write(file, mended, 10);
  later();
  CHECK_FALSE(program.visible("saved errors"));
  REQUIRE(program.wait([&] { return program.text("lesson question") == "How many of them?"; }));
}

TEST_CASE("in a lecture a page with something to do is left by one key, and a sentence can be written") {
  const Home& home = home_of_test();
  const std::string file = home.scratch.path("do.lesson");
  write(file,
        "lesson Doing\nmodel reverse\nsource b a c\npage One\ndo Write another one. : count(pieces) > 4\n"
        "page Two\ndo Nothing. : count(pieces) > 99\npage Three\nask How many letters?\nanswer number : "
        "count(pieces)\n");
  SettledProgram program({.lesson = file, .threads = 1});
  REQUIRE(asked(program, "Page 1 of 3"));
  REQUIRE(program.settle());
  press(program, ui::Key::f5);
  press(program, '/');
  REQUIRE(program.visible("Lecture sentence"));
  REQUIRE(program.type("Lecture sentence", "a b c d e"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  program.frame(5);
  CHECK_FALSE(program.visible("Lecture sentence"));
  CHECK(program.session().scene().sentences.front().source == "a b c d e");
  program.press(ui::Key::page_down);  // it is done
  // A page that is still set up takes no key.
  REQUIRE(program.wait([&] {
    return program.text("lecture page") == "Page 2 of 3" && program.text("lecture question") == "Nothing.";
  }));
  REQUIRE(program.settle());
  program.press(ui::Key::page_down);  // it is not
  CHECK(program.wait([&] { return program.text("lecture page") == "Page 3 of 3"; }, 5));
}

}  // namespace glassformer::lesson_names_test
