// A fresh model that is watched as it learns.
#include <doctest/doctest.h>

#include "app/format/number_format.h"
#include "app/lessons/hand_in.h"
#include "app/panels/train_words.h"
#include "app/panels/watch_page.h"
#include "engine/train/presets.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace watch_page_test {
namespace {

std::vector<std::string> right_words(OffscreenProgram& program) {
  std::vector<std::string> words;
  const WatchState* const state = program.session().watched();
  if (!state || !state->result) return words;
  for (const WatchedRow& row : watch_scene(*state->result, program.session().tokenizers()).rows)
    words.push_back(row.right);
  return words;
}

bool reaches(OffscreenProgram& program, long step) {
  return program.wait(
      [&] {
        const WatchState* const state = program.session().watched();
        return state && state->result && state->result->snapshot->step >= step;
      },
      120);
}

}  // namespace

TEST_CASE("F4 watches a fresh model by the open one's recipe, whose rows stay, and Esc brings all back") {
  SettledProgram program({.quiet = true, .keep_runs = true, .threads = 1});
  const std::string before = weights_fingerprint(*program.session().snapshot()),
                    folder = program.session().open_folder(), sentence = program.text("start sentence");
  const Config config = program.session().snapshot()->config;
  program.press(ui::Key::f4);
  REQUIRE(reaches(program, 1));
  const WatchState& state = *program.session().watched();
  // The paper's recipe is learned as "quick" has it, at the same size.
  CHECK(state.run.planned_steps == suggested_options("grammar", config, preset("quick")).steps);
  CHECK(state.result->snapshot->config.d_model == config.d_model);
  CHECK(state.result->snapshot->config.positions == PositionKind::rotary);
  CHECK(
      contains(watch_words(state, program.session().tokenizers()),
               "the size “quick” of New model…: LayerNorm before each block, rotary positions, batches of " +
                   format_count(state.run.options.batch_tokens) + " tokens."));
  const std::vector<std::string> rows = right_words(program);
  std::vector<std::string> written = program.session().result()->target_out_words;
  CHECK(written.back() == "<eos>");
  written.back() = "(end)";  // its sign says nothing to a newcomer
  CHECK(rows == written);
  CHECK_FALSE(program.visible("start title"));
  REQUIRE(reaches(program, 4));
  CHECK(right_words(program) == rows);
  click(program, "Watch: All");
  CHECK(program.text("watched loss") != "");
  const WatchScene early = watch_scene(*state.result, program.session().tokenizers());
  CHECK(early.guesses == (contains(early.says, " it guesses")));
  CHECK((early.own.missing > 0) == early.says.ends_with("; a box is a missing word"));
  CHECK(program.text("watched says") == early.asks(WatchPart::all));
  CHECK(early.guesses);  // after a few steps of thousands
  CHECK(weights_fingerprint(*program.session().snapshot()) == before);
  program.press(ui::Key::escape);
  REQUIRE(program.wait([&] { return program.visible("start title"); }));
  REQUIRE(program.settle());
  CHECK(program.session().watched() == nullptr);
  CHECK(weights_fingerprint(*program.session().snapshot()) == before);
  CHECK(program.session().open_folder() == folder);
  CHECK(program.text("start sentence") == sentence);
}

TEST_CASE("Space pauses what is watched, and what it says in words has a line a row") {
  SettledProgram program({.quiet = true, .threads = 1});
  REQUIRE(program.click("Watch one learn"));
  REQUIRE(reaches(program, 1));
  program.press(ui::Key::space);
  REQUIRE(program.wait([&] { return !program.session().watched()->learns; }));
  const std::string words = watch_words(*program.session().watched(), program.session().tokenizers());
  for (const std::string& word : right_words(program)) CHECK(contains(words, word));
  CHECK(contains(words, "step"));
  CHECK(contains(words, "loss"));
  program.press(ui::Key::space);
  REQUIRE(program.wait([&] { return program.session().watched()->learns; }));
}

TEST_CASE("a run that other programs leave no processor to says so in place of the time left") {
  SettledProgram program({.quiet = true, .threads = 1});
  REQUIRE(program.click("Watch one learn"));
  const auto says_left = [&] { return program.text("watched left").starts_with("about "); };
  REQUIRE(program.wait(says_left, 120));
  others_compute = true;
  CHECK(program.wait([&] { return program.text("watched left") == kStarvedWords; }, 120));
  others_compute = false;
  CHECK(program.wait(says_left, 120));
}

TEST_CASE("what is watched has the rails of the first screen at their places, and a press unfolds there") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}, Point{700, 600}}) {
    renew_home();
    SettledProgram program({.size = size, .quiet = true, .threads = 1});
    constexpr const char* kRails[] = {"Unfold the map", "Unfold the inspector", "Unfold training",
                                      "Unfold words and decoding"};
    std::vector<Rect> places;
    for (const char* const rail : kRails) places.push_back(program.find(rail)->rect);
    program.press(ui::Key::f4);
    REQUIRE(reaches(program, 1));
    program.frame(2);
    for (std::size_t i = 0; i < places.size(); ++i) {
      CAPTURE(kRails[i]);
      REQUIRE(program.visible(kRails[i]));
      CHECK(program.find(kRails[i])->rect.x == doctest::Approx(places[i].x).epsilon(0.2));
      CHECK(program.find(kRails[i])->rect.y == places[i].y);
    }
    click(program, "Unfold words and decoding");
    CHECK_FALSE(program.visible("Unfold words and decoding"));
    REQUIRE(program.session().watched());
    program.press(ui::Key::escape);
    REQUIRE(program.wait([&] { return program.visible("start title"); }));
    CHECK(program.visible("Unfold words and decoding"));
  }
}

TEST_CASE("rows are called right where somebody has said what is, else they are the trained model’s") {
  for (const bool said : {false, true}) {
    renew_home();
    SettledProgram program({.quiet = true, .threads = 1});
    if (said) {
      program.session().apply({SetTarget{"la fille voit une voiture"}});
      REQUIRE(program.settle());
    }
    program.press(ui::Key::f4);
    REQUIRE(reaches(program, 1));
    const WatchState& state = *program.session().watched();
    CHECK(state.by_model == !said);
    const std::string words = watch_words(state, program.session().tokenizers());
    CHECK((contains(words, "The goal, what the trained model writes")) == !said);
    CHECK((contains(words, "The goal, the right words: la fille voit une voiture")) == said);
    CHECK(contains(words, "for la it would write "));
    CHECK(contains(words, "; chance of la 0."));
    CHECK(program.text("watched says") ==
          std::string("It begins knowing nothing, and guesses. Underlined words ") +
              (said ? "are wrong" : "differ") + ", a box is a word that is missing.");
  }
}

TEST_CASE("a sentence with words the model never saw has a known one offered, which is watched instead") {
  SettledProgram program({.quiet = true, .threads = 1});
  const auto offer = [&]() -> const Notice* {
    for (const Notice& each : program.session().notices())
      if (each.place == Place::sentence && !each.action.empty()) return &each;
    return nullptr;
  };
  CHECK(offer() == nullptr);
  REQUIRE(program.type("English sentence", "my brother likes zorgball"));
  program.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return offer() != nullptr; }));
  const std::string known = offer()->command->get<SetSource>().text;
  CHECK(offer()->action == "Try “" + known + "”");
  program.press(ui::Key::f4);
  REQUIRE(reaches(program, 1));
  const WatchState& state = *program.session().watched();
  CHECK(state.sentence.source == known);
  CHECK_FALSE(state.by_model);
  CHECK(program.text("watched says").starts_with("Yours has unknown words: here is another. "));
  // The notice is of the open model, and is there again with it.
  CHECK_FALSE(program.visible("Try “" + known + "”"));
  program.press(ui::Key::escape);
  REQUIRE(program.wait([&] { return program.visible("start title"); }));
  CHECK(program.visible("Try “" + known + "”"));
}

TEST_CASE("on a low or a small stage every row of what is watched has room for its words") {
  for (const Point size : {Point{1024, 768}, Point{800, 500}, Point{640, 400}, Point{512, 384}}) {
    CAPTURE(size.x);
    renew_home();
    SettledProgram program({.size = size, .quiet = true, .threads = 1});
    program.press(ui::Key::f4);
    REQUIRE(reaches(program, 1));
    program.frame(3);
    CHECK(program.find("watched now, step " +
                       format_count(program.session().watched()->result->snapshot->step)));
    program.click("Watch: What it reads");
    program.frame(3);
    REQUIRE(program.find("watched rows"));
    CHECK(program.find("watched rows")->rect.height >= 14 * static_cast<float>(right_words(program).size()));
    CHECK(program.find("Pause watching"));
  }
}

TEST_CASE("a model without a recipe is not watched, and the way on says why") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch), .quiet = true, .threads = 1});
  const std::string why = program.session().why_no_watching();
  REQUIRE_FALSE(why.empty());
  CHECK_FALSE(program.find("Watch one learn"));  // it can't be pressed
  CHECK(program.text("Watch one learn says") == why);
  press(program, ui::Key::f4);
  CHECK(program.session().watched() == nullptr);
}

TEST_CASE("what is said of a watched model goes with what it can do") {
  WatchScene scene{.rows = {{"le", "le", true, 0.9}, {"chat", "chien", false, 0.1}},
                   .says = "one word is wrong"};
  CHECK(
      scene.asks(WatchPart::all) ==
      "Fed the goal word by word, it guesses 1 of 2 next words. On its own it is fed its own words, mistakes "
      "too.");
  CHECK(scene.asks(WatchPart::all, true) == "Fed the goal word by word, it guesses 1 of 2 next words.");
  CHECK(scene.asks(WatchPart::reads) ==
        "Fed the goal word by word, it guesses 1 of 2 next words. Alone it goes on from its own words, and "
        "mistakes mislead it.");
  CHECK(scene.asks(WatchPart::reads, true) ==
        "Fed the goal word by word, it guesses 1 of 2 next words; alone its own mistakes mislead it.");
  scene.guesses = true;
  CHECK(scene.asks(WatchPart::all, true) == "Look at “On its own” first: it grows into the goal.");
  scene.says.clear();
  CHECK(scene.asks(WatchPart::all) ==
        "It writes this sentence on its own. Look at those that it has never seen.");
}

TEST_CASE("how many held-out sentences are right is said of the step at which they were counted") {
  RunState run;
  CHECK(counted_right(run, 200).empty());
  Curves curves;
  curves.validations.push_back({.step = 200});
  run.validation_pairs = 1000;
  run.curves = std::make_shared<const Curves>(curves);
  CHECK(counted_right(run, 200).empty());  // nothing was held out
  curves.validations.back().exact_match = 0.612;
  run.curves = std::make_shared<const Curves>(curves);
  CHECK(counted_right(run, 200) == format_percent(0.612, 1) + " of " + format_count(1000) + " right");
  CHECK(counted_right(run, 225).empty());

  SettledProgram program({.quiet = true});
  REQUIRE(program.click("Watch one learn"));
  REQUIRE(reaches(program, 210));
  program.press(ui::Key::space);
  REQUIRE(program.wait([&] { return !program.session().watched()->learns; }));
  program.frame(3);
  click(program, "Watch: All");
  const RunState& learned = program.session().watched()->run;
  REQUIRE(learned.curves->validations.size() == 1);
  const std::string counted = counted_right(learned, 200);
  CHECK(contains(counted, " of " + format_count(learned.validation_pairs) + " right"));
  CHECK(program.text("held out as of") == "as of step " + format_count(200) + ": " + counted);
  CHECK(contains(watch_words(*program.session().watched(), program.session().tokenizers()),
                 "at step " + format_count(200) + ": " + counted));
}

TEST_CASE("what was written earlier stays below what is read, a line for each doubling of the steps") {
  SettledProgram program({.quiet = true, .threads = 1});
  program.press(ui::Key::f4);
  REQUIRE(reaches(program, 45));
  program.press(ui::Key::space);
  REQUIRE(program.wait([&] { return !program.session().watched()->learns; }));
  program.frame(3);
  const WatchState& state = *program.session().watched();
  REQUIRE(state.attempts.size() >= 3);
  for (std::size_t i = 1; i < state.attempts.size(); ++i)
    CHECK(state.attempts[i].step >= std::max(10L, 2 * state.attempts[i - 1].step));
  const std::string words = watch_words(state, program.session().tokenizers());
  for (const WatchedAttempt& each : state.attempts) {
    const std::string name = "step " + format_count(each.step);
    CAPTURE(name);
    CHECK(contains(words, "at " + name + " it wrote: "));
    if (each.step < state.result->snapshot->step) CHECK(program.find("watched " + name));
  }
  click(program, "Watch: How well");
  CHECK(program.text("watched loss") != "");
  CHECK(program.text("watched says").starts_with("The lower its loss, the better it guesses"));
}

TEST_CASE("an attempt beside what is right says which words are wrong and which are missing") {
  CHECK(attempt_of("le chat noir", "le chat noir").says().empty());
  const Attempt wrong = attempt_of("le chien noir", "le chat noir");
  CHECK(wrong.wrong == 1);
  CHECK(wrong.missing == 0);
  const Attempt missing = attempt_of("le noir", "le chat noir");
  CHECK(missing.missing == 1);
  CHECK(missing.says() == "one word is missing");
  CHECK(attempt_of("la noir", "le grand chat noir").says() == "one word is wrong, 2 are missing (the boxes)");
  CHECK(attempt_of("", "le chat").says() == "nothing: it ends at once");
  CHECK(attempt_of("a b a b a b a b a b a b a b", "le chat").cut);
  const std::string long_goal = "a b c d e f g h i j k l m n o";
  const Attempt whole = attempt_of(long_goal, long_goal);
  CHECK(whole.cut);
  CHECK(whole.hits == 15);
  const Attempt again = attempt_of("a a a a a a a a a a a a a a le le", "le chat");
  CHECK_FALSE(again.cut);
  REQUIRE(again.words.size() == 3);  // a, le that is right, le that is not
  CHECK(again.words[0].times == 14);
  CHECK(again.words[1].right);
  CHECK(again.wrong == 15);
}

}  // namespace watch_page_test
