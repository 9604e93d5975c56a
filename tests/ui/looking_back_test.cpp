// The training slider: every view goes back to an earlier step of the run.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "app/session/opened_model.h"
#include "app/session/paths.h"
#include "app/views/bottleneck/bottleneck.h"
#include "engine/files/atomic_file.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

namespace {

bool shows_step(Session& session, long step) {
  return frames_until(session, [&] { return session.result() && session.result()->snapshot->step == step; });
}

}  // namespace

TEST_CASE("a Scene goes back to any kept step and returns to the newest") {
  Session session(nothing_open());
  train_and_pause(session, 12);
  const long newest = session.run().step;
  const double loss = session.result()->trace->loss;
  REQUIRE(session.run().history.size() > 10);
  CHECK(session.run().history.front()->step() == 0);
  CHECK_FALSE(session.looked_back());

  session.apply({ShowStep{0}});
  CHECK(session.looked_back() == 0);
  REQUIRE(shows_step(session, 0));
  CHECK(session.result()->trace->loss > loss);
  CHECK(session.run().step == newest);
  CHECK(session.snapshot()->step == newest);

  // A new sentence is read by the step that is looked at.
  session.apply({SetSource{"a b c"}});
  REQUIRE(frames_until(session, [&] { return session.result()->source_read == "a b c"; }));
  CHECK(session.result()->snapshot->step == 0);

  session.apply({ShowStep{std::nullopt}});
  CHECK_FALSE(session.looked_back());
  REQUIRE(shows_step(session, newest));
  session.apply({ShowStep{newest + 1000}});  // nothing is later than the newest
  CHECK_FALSE(session.looked_back());
}

TEST_CASE("training goes on while somebody looks back, and pressing Train returns to what is learned") {
  Session session(nothing_open());
  train_and_pause(session, 6);
  session.apply({Train{}, ShowStep{2}});
  REQUIRE(shows_step(session, 2));
  const long before = session.run().step;
  REQUIRE(frames_until(session, [&] { return session.run().step > before + 20; }));
  CHECK(session.result()->snapshot->step == 2);
  CHECK(session.looked_back() == 2);
  session.apply({PauseTraining{}, Train{}});
  CHECK_FALSE(session.looked_back());
  REQUIRE(frames_until(session, [&] { return session.result()->snapshot->step > before; }));
  session.apply({ShowStep{0}, ResetTraining{}});  // another run: its steps are not those of before
  CHECK_FALSE(session.looked_back());
}

TEST_CASE("a saved run can be looked back at when it is opened again") {
  long last = 0;
  std::string folder;
  {
    Session session(nothing_open());
    train_and_pause(session, 8);
    last = session.run().step;
    CHECK(session.close() == "");
    for (const auto& entry : std::filesystem::directory_iterator(runs_folder()))
      folder = entry.path().string();
  }
  SessionOptions options = nothing_open();
  options.model = folder;
  Session session(options);
  REQUIRE(frames_until(session, [&] { return session.result() != nullptr; }));
  REQUIRE_FALSE(session.run().history.empty());
  CHECK(session.run().history.back()->step() == last);
  session.apply({ShowStep{3}});
  REQUIRE(shows_step(session, 3));

  // Weights that were taken away are reported; what was shown stays.
  std::filesystem::remove_all(std::filesystem::path(folder) / "history");
  session.apply({ShowStep{0}});
  REQUIRE(frames_until(session, [&] { return notice(session, Place::sentence) != nullptr; }));
  CHECK(session.result()->snapshot->step == 3);
}

TEST_CASE("the slider is dragged, stepped by keys, played and left again") {
  OffscreenProgram program({.threads = 1});
  NewRun run = reverse_run();
  run.training.steps = 40;
  program.session().apply({run, Train{}});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::stopped; }));
  REQUIRE(program.settle());
  const long newest = program.session().run().step;
  CHECK(newest == 40);
  CHECK(program.text("training step") == std::to_string(newest));

  press(program, '[');
  REQUIRE(program.session().looked_back());
  const long before = *program.session().looked_back();
  CHECK(before < newest);
  CHECK(program.text("training step") == std::to_string(before));
  press(program, ']');
  CHECK_FALSE(program.session().looked_back());

  // Half of the way is a quarter of the steps.
  click(program, "training slider");
  CHECK(program.session().looked_back() == newest / 4);
  REQUIRE(program.wait([&] {
    const auto result = program.session().result();
    return result && result->snapshot->step == newest / 4;
  }));
  CHECK(program.text("step") == std::to_string(newest / 4));
  click(program, "Back to the newest step");
  CHECK_FALSE(program.session().looked_back());
  click(program, "training slider");
  REQUIRE(program.session().looked_back());
  press(program, ui::Key::escape);
  CHECK_FALSE(program.session().looked_back());

  REQUIRE(program.click("Play the training"));
  REQUIRE(program.wait([&] { return program.session().looked_back() == 0; }));
  REQUIRE(program.wait([&] { return program.session().looked_back() > newest / 4; }));
  REQUIRE(program.wait([&] { return !program.session().looked_back(); }));
  CHECK(program.session().run().step == newest);
}

TEST_CASE("the slider is of the model on the stage: the recurrent one beside goes back, the other stays") {
  OffscreenProgram program({.size = {1440, 900}, .threads = 1});
  Session& session = program.session();
  NewRun run = reverse_run();
  run.training.steps = 40;
  NewRecurrentRun recurrent{.config = {}, .data = run.data, .training = run.training};
  recurrent.config.width = 12;
  recurrent.training.steps = 80;
  session.apply({run, Train{}, TrainRecurrent{recurrent}});
  REQUIRE(program.wait([&] {
    return session.run().phase == RunPhase::stopped && session.recurrent().scene &&
           !session.recurrent_run()->running;
  }));
  apply(program, {OpenView{"attention"}});
  REQUIRE(program.settle());
  const auto reads_at = [&](long step) {
    return program.wait([&] { return session.recurrent().scene && session.recurrent().scene->step == step; });
  };
  const long own = session.recurrent_run()->of_step, other = session.run().step;
  REQUIRE(reads_at(own));
  CHECK(program.text("training step") == std::to_string(other));
  CHECK_FALSE(program.find("recurrent step"));

  click(program, "Model: Recurrent");
  CHECK_FALSE(program.find("training step"));
  CHECK(program.text("recurrent step") == std::to_string(own));
  CHECK(program.text("last step of the slider") == "80");
  CHECK(program.text("step of the run") ==
        (own == 80 ? "80 of 80" : std::to_string(own) + ", the best of 80"));
  // Half of the way is a quarter of the steps.
  click(program, "training slider");
  CHECK(session.recurrent_run()->shown_step() == 20);
  CHECK_FALSE(session.looked_back());
  REQUIRE(reads_at(20));
  program.frame(3);
  CHECK(program.text("recurrent step") == "20");
  CHECK(program.text("step of the run") == "20 of 80");
  CHECK(scene_words(*session.recurrent().scene).starts_with("step 20, reads “"));
  apply(program, {OpenView{"bottleneck", "Page", "Own model"}});
  CHECK(program.text("recurrent step") == "20");
  CHECK(own_subtitle({.state = session.recurrent_run(), .reading = {}})
            .find("It is shown as it was at step 20.") != std::string::npos);
  CHECK(program.visible("Back to the newest step"));
  press(program, '[');
  const long before = session.recurrent_run()->shown_step();
  CHECK(before < 20);
  press(program, ']');
  CHECK(session.recurrent_run()->shown_step() == 20);

  // The Transformer is where it was, and moves alone.
  apply(program, {OpenView{"attention", "Model", "Transformer"}});
  CHECK(program.text("training step") == std::to_string(other));
  click(program, "training slider");
  CHECK(session.looked_back() == other / 4);
  press(program, ui::Key::escape);
  CHECK_FALSE(session.looked_back());
  CHECK(session.recurrent_run()->shown_step() == 20);
  click(program, "Model: Recurrent");
  press(program, ui::Key::escape);
  CHECK(session.recurrent_run()->shown_step() == own);

  REQUIRE(program.click("Play the training"));
  REQUIRE(program.wait([&] { return session.recurrent_run()->shown_step() == 0; }));
  REQUIRE(program.wait([&] { return session.recurrent_run()->shown_step() > 20; }));
  REQUIRE(program.wait([&] { return !session.recurrent_run()->looked_at; }));
  CHECK_FALSE(session.looked_back());

  // A model alone, without the record of its run.
  const ScratchFolder scratch;
  const auto state = session.recurrent_run();
  save_recurrent_model(scratch.path("alone"), *state->model, state->tokenizers);
  session.apply({OpenModel{scratch.path("alone")}});
  REQUIRE(program.wait(
      [&] { return session.recurrent_run()->model != state->model && session.recurrent_run()->model; }));
  REQUIRE(program.wait([&] { return session.recurrent().scene != nullptr; }));
  apply(program, {OpenView{"attention", "Model", "Recurrent"}});
  CHECK(program.text("training not known") == "How this model was trained is not known.");
  CHECK_FALSE(program.find("training slider"));
}

TEST_CASE("without a kept step there is nothing to drag") {
  const ScratchFolder scratch;
  SettledProgram program({.model = model_folder(scratch), .threads = 1});
  CHECK_FALSE(program.find("training slider"));
  CHECK_FALSE(program.find("Play the training"));
  press(program, '[');
  CHECK_FALSE(program.session().looked_back());
}

TEST_CASE("a copy learns on from an earlier step, and the run it comes from stays") {
  Session session(nothing_open());
  train_and_pause(session, 12);
  const auto kept = session.run().history[4];
  const long newest = session.run().step;
  REQUIRE(session.recipe());
  TrainingOptions training = session.recipe()->training;
  training.clip = 0.5;
  const ForkRun fork{.training = training, .dropout = 0.2};
  session.apply({fork});  // nothing is looked at: nothing to begin with
  CHECK(session.run().phase == RunPhase::paused);

  session.apply({ShowStep{kept->step()}, fork});
  CHECK_FALSE(session.looked_back());
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::training; }));
  REQUIRE(session.run().curves);
  const std::string mark = session.run().curves->marks.front().text;
  CHECK(contains(mark, "step " + std::to_string(kept->step()) + " of “"));
  CHECK(session.run().live.dropout == 0.2);
  CHECK(session.run().live.clip == 0.5);
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.starts_with("A copy learns on from step "));
  CHECK(notice(session, Place::training)->action == "Back to that run");

  REQUIRE(frames_until(session, [&] { return session.run().step > 3; }));
  CHECK(testing::same_weights(*session.run().history.front()->snapshot(),
                              *KeptWeights::of(*kept->snapshot()->weights, 0)->snapshot()));
  // Again from the start is again from that step.
  session.apply({ResetTraining{}});
  REQUIRE(frames_until(session, [&] { return session.run().phase == RunPhase::ready; }));
  CHECK(testing::same_weights(*session.snapshot(), *kept->snapshot()));
  CHECK(session.close() == "");
  std::vector<long> steps;
  for (const auto& entry : std::filesystem::directory_iterator(runs_folder()))
    steps.push_back(open_model(entry.path().string()).last_step);
  CHECK(std::ranges::find(steps, newest) != steps.end());
}

TEST_CASE("a copy is offered as its step was learned, and learns by what is typed") {
  OffscreenProgram program({.view = "training", .threads = 1});
  Session& session = program.session();
  session.apply({reverse_run(), Train{}});
  REQUIRE(program.wait([&] { return session.run().history.size() > 8; }));
  session.apply({SetLearning{.rate_scale = 0.5, .dropout = 0.25, .smoothing = {}, .clip = 2}});
  REQUIRE(program.wait([&] { return session.run().live.clip == 2; }));
  const long changed = session.run().curves->marks.front().step;
  REQUIRE(program.wait([&] { return session.run().history.back()->step() > changed + 1; }));
  session.apply({PauseTraining{}});
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::paused; }));
  const double factor = session.run().options.factor, peak = session.run().options.peak;
  session.apply({ShowStep{3}});
  REQUIRE(program.wait([&] { return session.looked_back().has_value(); }));
  ForkForm before;
  before.start(session);
  CHECK(before.fork.dropout == session.recipe()->config.dropout);
  CHECK(before.fork.training.clip == session.run().options.clip);
  long after = 0;  // the newest weights are no step to look back at
  for (const auto& kept : session.run().history)
    if (kept->step() < session.run().step) after = kept->step();
  REQUIRE(after > changed);
  session.apply({ShowStep{after}});
  REQUIRE(program.wait([&] { return session.looked_back() == after; }));
  apply(program, {OpenDialog{"fork"}});
  type(program, "Label smoothing", "1");
  CHECK(contains(program.text("fork note"), "Label smoothing"));
  CHECK_FALSE(program.click("Train the copy"));
  REQUIRE(program.type("Label smoothing", "0"));
  REQUIRE(program.type("Warm-up steps", "7"));
  REQUIRE(program.click("Train the copy"));
  REQUIRE(program.wait([&] { return session.run().phase == RunPhase::training && session.run().step > 1; }));
  CHECK(session.run().live == LiveSettings{.rate_scale = 1, .dropout = 0.25, .smoothing = 0, .clip = 2});
  CHECK(session.run().options.warmup == 7);
  const bool noam = session.run().options.schedule == "noam";  // only what the schedule goes by
  CHECK(session.run().options.factor == doctest::Approx(noam ? factor / 2 : factor));
  CHECK(session.run().options.peak == doctest::Approx(noam ? peak : peak / 2));
}

TEST_CASE("the learning is changed while a run goes on, and the change is marked") {
  OffscreenProgram program({.view = "training", .threads = 1});
  program.session().apply({reverse_run(), Train{}});
  REQUIRE(program.wait([&] { return program.session().run().step > 2; }));
  apply(program, {OpenDialog{"learning"}});
  type(program, "Dropout", "1");
  CHECK(contains(program.text("learning note"), "Dropout"));
  CHECK_FALSE(program.click("Change the learning"));
  REQUIRE(program.type("Dropout", "0.25"));
  REQUIRE(program.type("Learning rate ×", "0.5"));
  REQUIRE(program.click("Change the learning"));
  REQUIRE(program.wait([&] { return program.session().run().live.dropout == 0.25; }));
  CHECK(program.session().run().live.rate_scale == 0.5);
  CHECK(program.session().run().curves->marks.size() == 1);
  const long at = program.session().run().step;
  CHECK(program.wait([&] { return program.session().run().step > at; }));
}

TEST_CASE("how much is kept to look back at is set while a run goes on") {
  OffscreenProgram program({.view = "training", .threads = 1});
  Session& session = program.session();
  session.apply({reverse_run(), Train{}});
  REQUIRE(program.wait([&] { return session.run().history.size() > 3; }));
  apply(program, {OpenDialog{"learning"}});
  type(program, "Look back, MB", "-1");
  CHECK(contains(program.text("learning note"), "Look back, MB"));
  CHECK_FALSE(program.click("Change the learning"));
  REQUIRE(program.type("Look back, MB", "0"));
  REQUIRE(program.click("Change the learning"));
  CHECK(session.settings().history_mb == 0);
  CHECK(session.run().curves->marks.empty());  // the training itself continues as it was
  // The newest that is kept stays behind.
  REQUIRE(program.wait([&] { return session.run().step > session.run().history.back()->step() + 200; }));
}

TEST_CASE("of a model that is the best of its run, the steps after it are reached as well") {
  const ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  const OpenedModel model = open_model(folder);
  std::filesystem::create_directories(folder + "/history");
  for (const long step : {-1L, 1L, 2L}) {
    const long at = model.snapshot.step + step;
    if (at >= 0)
      KeptWeights::of(*model.snapshot.weights, at)
          ->write(folder + "/history/" + std::to_string(at) + ".safetensors");
  }
  const std::string best = std::to_string(model.snapshot.step),
                    last = std::to_string(model.snapshot.step + 2);
  write_atomically(folder + "/training.json", R"({"step": )" + last + R"(, "kept": {"step": )" + best + "}}");
  OffscreenProgram program({.model = folder, .threads = 1});
  begin(program);
  REQUIRE(program.session().run().history.size() >= 2);
  const long own = program.session().snapshot()->step;
  for (const long step : {own + 1, own + 2, own + 2}) {  // there is nothing behind the last
    press(program, ']');
    CHECK(program.session().looked_back() == step);
  }
  program.press('[');
  press(program, '[');
  CHECK_FALSE(program.session().looked_back());
}
