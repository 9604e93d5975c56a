// The View menu and the field on top of it: views under six questions, and all that letters find.
#include <doctest/doctest.h>
#include <imgui.h>

#include <set>
#include <string>

#include "app/panels/find.h"
#include "app/views/view_table.h"
#include "tests/ui/small_program.h"

namespace glassformer::view_menu_test {

void type(OffscreenProgram& program, std::string_view letters) {
  for (const char letter : letters) {
    ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(letter));
    program.frame(2);
  }
}

void open_menu(OffscreenProgram& program) {
  REQUIRE(program.click("View"));
  program.frame(3);
  REQUIRE(program.visible("Find"));
}

TEST_CASE("six questions, each with its views together and a line of words for each") {
  std::set<std::string> questions, words;
  std::string last;
  for (const ViewEntry& entry : view_table()) {
    if (entry.question != last) CHECK(questions.insert(entry.question).second);
    last = entry.question;
    CHECK(words.insert(entry.words).second);
  }
  CHECK(questions.size() == 6);
}

TEST_CASE("at most five letters and Enter open every view") {
  SmallProgram program({.size = {1024, 768}});
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    open_menu(program);
    type(program, std::string(entry.title).substr(0, 5));
    program.press(ui::Key::enter);
    program.frame(3);
    CHECK_FALSE(program.visible("Find"));
    CHECK(program.program().shell().open_view() == entry.name);
  }
}

TEST_CASE("what is not in a name is found by the words") {
  SmallProgram program({.size = {1024, 768}});
  open_menu(program);
  type(program, "softmax");
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.program().shell().open_view() == "head");
}

TEST_CASE("a name that begins as typed is on top, in whatever group it stands") {
  ScratchFolder scratch;
  SettledProgram program({.size = {1440, 900}});
  open_menu(program);
  type(program, "change one");
  program.press(ui::Key::enter);
  program.frame(3);
  CHECK(program.text("dialog") == "Change one thing");
  const auto named = [](const char* group, const char* name, const char* words) {
    return Findable{group, words, {.label = name}};
  };
  const std::vector<Findable> all{
      named("Views", "Head report", "which heads can go"), named("Views", "Walk", "one step of a head"),
      named("Changes", "Mute a head", "a click on it"), named("Commands", "Open model", "a folder"),
      named("Commands", "Mute the sound", "one command")};
  for (const Findable& one : all)
    for (std::size_t letters = 1; letters <= one.item.label.size(); ++letters) {
      const std::vector<const Findable*> hits = found(all, one.item.label.substr(0, letters));
      REQUIRE_FALSE(hits.empty());
      CHECK(*fit(*hits.front(), one.item.label.substr(0, letters)) <= 1);
    }
}

TEST_CASE("arrows choose, Esc empties the field and then closes the menu") {
  SmallProgram program({.size = {1024, 768}});
  const std::string before = program.program().shell().open_view();
  open_menu(program);
  type(program, "head");
  CHECK(program.visible("Head report"));
  program.press(ui::Key::escape);
  program.frame(3);
  CHECK(program.text("Find") == "");
  CHECK(program.find("Find")->focused);
  CHECK(program.visible("Tokens"));
  program.press(ui::Key::escape);
  program.frame(3);
  CHECK_FALSE(program.visible("Find"));
  CHECK(program.program().shell().open_view() == before);
  open_menu(program);
  program.press(ui::Key::down);
  program.press(ui::Key::enter);
  program.frame(3);
  CHECK(program.program().shell().open_view() == view_table()[1].name);
}

TEST_CASE("a lesson is found by its number") {
  SmallProgram program({.size = {1440, 900}});
  for (const char* const typed : {"9", "lesson 9"}) {
    open_menu(program);
    type(program, typed);
    program.press(ui::Key::enter);
    REQUIRE(program.wait([&] { return program.text("lesson title") == "Heads"; }));
    REQUIRE(program.settle());
    REQUIRE(program.click("Leave the lesson"));
    REQUIRE(program.wait([&] { return !program.visible("lesson title"); }));
    REQUIRE(program.settle());
  }
}

TEST_CASE("letters find changes, commands and lessons, and Enter does them") {
  SmallProgram program({.size = {1440, 900}});
  open_menu(program);
  type(program, "causal");
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().scene().what_if.has(ChangeKind::causal_mask_off));
  open_menu(program);
  type(program, "dark");
  program.press(ui::Key::enter);
  program.frame(3);
  CHECK(program.program().shell().theme().dark);
  open_menu(program);
  type(program, "looking things");
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.text("lesson title") == "Looking things up softly"; }));
  open_menu(program);
  type(program, "zzzz");
  CHECK(program.visible("nothing found"));
}

TEST_CASE("no scroll bar at 1024 x 768; on a small one the chosen view alone has its words") {
  ScratchFolder scratch;
  for (const double scale : {1.0, 1.25, 2.0}) {
    OffscreenProgram program({.model = model_folder(scratch), .size = {1024, 768}, .scale = scale});
    begin(program);
    program.program().shell().apply({OpenDialog{kViewMenu}}, 0);
    program.frame(3);
    CAPTURE(scale);
    int worded = 0;
    for (const ViewEntry& entry : view_table()) {
      CHECK(program.find(entry.title));
      if (scale < 2) CHECK(program.visible(entry.title));
      worded += program.visible(std::string("words of ") + entry.title) ? 1 : 0;
    }
    CHECK(worded == (scale == 1 ? static_cast<int>(view_table().size()) : 1));
    if (scale < 2) CHECK_FALSE(program.visible("view list: scroll bar"));
  }
}

}  // namespace glassformer::view_menu_test
