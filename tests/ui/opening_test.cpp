// What is open first, and what a newcomer does with it.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "app/offscreen.h"
#include "app/reading/run_schedule.h"
#include "app/scene/run_state.h"
#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/text/ready_data.h"
#include "engine/train/curves.h"
#include "engine/train/trainer_state.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::opening_test {

using namespace testing;

// ---- What is said of a run that is opened: where its best weights are, and how far the reading of a long
// one is.

// A run of so many steps whose best weights are those of an earlier one.
std::string run_folder(const ScratchFolder& scratch, long steps, long best) {
  const std::string folder = model_folder(scratch);
  Curves curves;
  for (long step = 1; step <= steps; ++step) {
    const auto x = static_cast<float>(step);
    curves.steps.push_back({3 / (1 + 0.001f * x) + 0.01f * static_cast<float>(step % 97), 1e-3f / (1 + x),
                            1 + 1 / x, 1e4f + static_cast<float>(step % 89)});
  }
  for (const long step : {best / 2, best, steps})
    curves.validations.push_back({.step = step,
                                  .loss = step == best ? 0.5 : 0.75,
                                  .nll = 0.5,
                                  .token_accuracy = 0.9,
                                  .best = step <= best});
  const nlohmann::json training = {
      {"step", steps}, {"kept", {{"step", best}, {"validation_loss", 0.5}}}, {"curves", to_json(curves)}};
  write_atomically(folder + "/training.json", training.dump());
  return folder;
}

TEST_CASE("a run that was ended opens at its best step and says so beside its newest") {
  const ScratchFolder scratch;
  SettledProgram program({.model = run_folder(scratch, 10000, 9500), .threads = 1});
  const std::string words = "9\u2009500, the best of 10\u2009000";
  CHECK(program.text("step") == words);
  CHECK(program.text("step of the run") == words);
  CHECK(program.text("last step of the slider") == "10000");
}

TEST_CASE("the newest step of a run is called no best") {
  const ScratchFolder scratch;
  SettledProgram program({.model = run_folder(scratch, 400, 400), .threads = 1});
  CHECK(program.text("step") == "400");
  CHECK(program.text("step of the run") == "400 of 400");
}

TEST_CASE("a run of a million steps opens with a bar, and its opening can be cancelled") {
  const ScratchFolder scratch, other;
  const std::string folder = run_folder(scratch, 1'000'000, 900'000);
  SettledProgram program({.model = model_folder(other), .threads = 1});
  Session& session = program.session();
  const std::string before = session.open_folder();
  session.apply({OpenModel{folder}});
  REQUIRE(program.wait([&] { return session.opening().has_value(); }));
  program.frame(2);
  CHECK(program.text("opening").find("opening ") == 0);
  click(program, "Cancel opening");
  CHECK_FALSE(session.opening());
  REQUIRE(program.settle());
  CHECK(session.open_folder() == before);
  CHECK_FALSE(notice(session, Place::model));

  session.apply({OpenModel{folder}});
  double furthest = 0;
  REQUIRE(program.wait([&] {
    furthest = std::max(furthest, session.opening().value_or(0));
    return session.open_folder() == folder;
  }));
  CHECK(furthest > 0.3);
  CHECK(session.run().curves->steps.size() == 1'000'000);
  CHECK(session.snapshot()->step == 900'000);
}

TEST_CASE("a line of a menu does what it says, though a model came meanwhile and its lines are others") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch), .threads = 1});
  Session& session = program.session();
  REQUIRE(session.train_would() == TrainWould::nothing);
  REQUIRE(program.click("Model"));
  session.apply({OpenModel{}});  // whose menu can do more, above that one
  REQUIRE(program.wait([&] { return session.would_fine_tune(); }));
  REQUIRE(program.settle());
  click(program, "Runs…");
  CHECK(program.visible("no runs"));
  CHECK_FALSE(session.training());
  CHECK(session.run().phase != RunPhase::preparing);
}

TEST_CASE("a model opens with the settings that its run had come to, not with those it began with") {
  const ScratchFolder scratch;
  TrainingOptions options = small_options();
  options.schedule = "cosine";
  options.steps = 20;
  Trainer trainer(copying_set(), copying_config(), options);
  run(trainer, 20);
  trainer.extend_plan();
  LiveSettings live = trainer.live();
  live.rate_scale = 0.5;
  live.clip = 0.25;
  live.smoothing = 0.2;
  trainer.change(live);
  const StepReport last = trainer.step();
  trainer.save(scratch.path("model"));

  const OpenedModel model = open_model(scratch.path("model"));
  const RunState recorded = recorded_run(model);
  CHECK(recorded.live == live);
  CHECK(recorded.options.clip == 0);
  REQUIRE(recorded.schedule);
  CHECK(recorded.schedule->from == 20);
  const Schedule schedule = run_schedule(recorded, model.snapshot.config);
  CHECK(schedule.rate(last.step) == doctest::Approx(2 * last.learning_rate));
  CHECK(run_rate(recorded, schedule, last.step) == doctest::Approx(last.learning_rate));
  CHECK(run_rate(recorded, schedule, last.step + 1) == doctest::Approx(schedule.rate(last.step + 1) / 2));
  CHECK(last.learning_rate > 0);
}

// ---- What the build leaves beside the program (CMakeLists.txt, "ready").

TEST_CASE("the data of the model that opens first are made ready when the program is built") {
  const OpenedModel model = open_model(program_file("models/english-french").string());
  REQUIRE(model.data.has_value());
  const auto ready = read_ready_data(ready_file("english-french.data").string(),
                                     ready_key(*model.data, model.tokenizers), model.tokenizers);
  REQUIRE(ready.has_value());
  const nlohmann::json recorded =
      read_json((program_file("models/english-french") / "training.json").string());
  CHECK(fingerprint(training_set(*ready, *model.data)) ==
        recorded.at("data").at("fingerprint").get<std::string>());
}

// ---- The dummy run of the tutorials: a model of ten words, untrained, two clicks away.

TEST_CASE("a model of ten symbols that has learned nothing shows its forward pass after two clicks") {
  SettledProgram program({.threads = 1});
  click(program, "File");
  REQUIRE(program.click("Ten symbols, untrained"));
  REQUIRE(program.wait([&] {
    const auto result = program.session().result();
    return result && result->snapshot && result->snapshot->config.source_vocab == 14;
  }));
  REQUIRE(program.settle());
  const auto result = program.session().result();
  CHECK(program.session().run().step == 0);
  CHECK_FALSE(program.session().training());
  REQUIRE_FALSE(result->scene.sentences.empty());
  const std::string& source = result->scene.sentences.front().source;
  CHECK(source.find_first_not_of("0123456789 ") == std::string::npos);
  REQUIRE(result->trace);
  CHECK(result->trace->source.front().size() == (source.size() + 1) / 2 + 1);  // and <eos>
  // The ids that the sentence is typed by, as the Scene reads them.
  REQUIRE(program.type("Source sentence", "2 5 3"));
  program.press(ui::Key::enter);
  REQUIRE(program.settle());
  CHECK(program.session().result()->trace->source.front().size() == 4);
}

// ---- What a newcomer does first: types one sentence after another, asks what things are, drags the slider.

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
  SettledProgram program({});
  const Session& session = program.session();
  CHECK(session.would_fine_tune());
  const long at = session.model()->last_step;
  click(program, "Model");
  CHECK(program.visible("Continue training"));
  program.press(ui::Key::escape);
  program.press('t');
  REQUIRE(program.wait([&] { return session.training() && session.run().step > at; }, 120));
  const auto notices = session.notices();
  CHECK(std::ranges::any_of(
      notices, [](const Notice& each) { return contains(each.text, "a tenth of the peak rate"); }));
  program.press('t');
  CHECK(program.wait([&] { return !session.training(); }));
}

TEST_CASE("Q, K and V say what they are under the mouse") {
  SmallProgram program;
  std::set<char> named;
  for (const std::string& label : program.labels()) {
    if (!label.starts_with("what is ")) continue;
    named.insert(label[8]);
    REQUIRE(program.hover(label));
  }
  CHECK(named.contains('Q'));
  CHECK(named.contains('K'));
}

TEST_CASE("Help names every part of the screen, at every size, and a click or Esc ends it") {
  ScratchFolder scratch;
  for (const Point size : {Point{1600, 1000}, Point{1024, 768}, Point{480, 360}}) {
    SettledProgram program({.model = model_folder(scratch), .size = size});
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
  SettledProgram program({});
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

TEST_CASE("a sentence with words the model never saw is whole on the first screen, each piece in sight") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}}) {
    SettledProgram program({.size = size, .quiet = true});
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

}  // namespace glassformer::opening_test
