// What a newcomer does first: types one sentence after another, asks what things are, drags the slider.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/offscreen.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE("after Enter the field keeps the keyboard: a second sentence is typed, nothing trains or plays") {
  SmallProgram program;
  REQUIRE(program.type("Source sentence", "the cat"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.find("Source sentence")->focused);
  for (const char letter : {'t', 'n', 'c', 's', 'x'}) program.press(letter);
  CHECK(program.text("Source sentence") == "tncsx");
  CHECK_FALSE(program.session().training());
  CHECK_FALSE(program.visible("dialog"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().scene().sentences.front().source == "tncsx");
  press(program, ui::Key::escape);
  CHECK_FALSE(program.find("Source sentence")->focused);
  program.press('e');
  CHECK(program.session().pinned().kind == AttentionKind::encoder);
}

TEST_CASE("what the key T does is said, and is what it does") {
  OffscreenProgram program({});
  REQUIRE(program.settle());
  const Session& session = program.session();
  CHECK(session.learns_on());
  const long at = session.model()->last_step;
  click(program, "Model");
  CHECK(program.visible("Continue training"));
  program.press(ui::Key::escape);
  program.press('t');
  REQUIRE(program.wait([&] { return session.training() && session.run().step > at; }, 120));
  const auto notices = session.notices();
  CHECK(std::ranges::any_of(notices, [](const Notice& each) {
    return each.text.find("a tenth of the peak rate") != std::string::npos;
  }));
  program.press('t');
  CHECK(program.wait([&] { return !session.training(); }));
}

TEST_CASE("Q, K and V say what they are under the mouse") {
  SmallProgram program;
  std::set<char> told;
  for (const std::string& label : program.labels()) {
    if (!label.starts_with("what is ")) continue;
    told.insert(label[8]);
    REQUIRE(program.hover(label));
  }
  CHECK(told.contains('Q'));
  CHECK(told.contains('K'));
}

TEST_CASE("Help names every part of the screen, at every size, and a click or Esc ends it") {
  ScratchFolder scratch;
  for (const Point size : {Point{1600, 1000}, Point{1024, 768}, Point{480, 360}}) {
    OffscreenProgram program({.model = model_folder(scratch), .size = size});
    REQUIRE(program.settle());
    const bool small = size.x < 900;
    click(program, small ? "Menu" : "Help");
    click(program, "What am I looking at?");
    CHECK(program.visible("Close the names of the parts"));
    CHECK(program.text("part Picture").starts_with("One view of the model"));
    press(program, ui::Key::escape);
    CHECK_FALSE(program.visible("Close the names of the parts"));
  }
}

TEST_CASE("the slider of the bundled model goes back to the first step before anybody trains") {
  OffscreenProgram program({});
  REQUIRE(program.settle());
  REQUIRE(program.session().run().history.size() >= 10);
  CHECK(program.session().run().history.front()->step() == 0);
  for (int i = 0; i < 40 && program.session().looked_back() != 0; ++i) {
    program.press('[');
    REQUIRE(program.settle());
  }
  CHECK(program.session().looked_back() == 0);
  CHECK(program.session().result()->snapshot->step == 0);
  CHECK_FALSE(program.session().run().held_out.empty());
  CHECK(program.session().run().held_out.front().attempts.size() >= 10);
}

TEST_CASE(
    "a sentence with words that the model never saw is whole on the first screen, each piece in sight") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}}) {
    OffscreenProgram program({.size = size, .quiet = true});
    REQUIRE(program.settle());
    REQUIRE(program.type("English sentence", "the tired giraffe sees a purple elephant in the zoo"));
    program.press(ui::Key::enter);
    REQUIRE(program.settle());
    program.frame(4);
    const std::size_t pieces = program.session().result()->source_words.size() - 1;  // without the end sign
    REQUIRE(pieces > 10);
    for (std::size_t i = 0; i < pieces; ++i) {
      const auto key = program.find("start key " + std::to_string(i));
      REQUIRE(key);
      CHECK(key->visible == key->rect);
    }
  }
}
