// What is said of a run that is opened: where its best weights stand, and how far the reading of a long one
// is.
#include <doctest/doctest.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/session/paths.h"
#include "engine/files/atomic_file.h"
#include "engine/train/curves.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

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

}  // namespace

TEST_CASE("a run that was ended opens at its best step and says so beside its newest") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = run_folder(scratch, 10000, 9500), .threads = 1});
  settle(program);
  const std::string words = "9\u2009500, the best of 10\u2009000";
  CHECK(program.text("step") == words);
  CHECK(program.text("step of the run") == words);
  CHECK(program.text("last step of the slider") == "10000");
}

TEST_CASE("the newest step of a run is called no best") {
  const ScratchFolder scratch;
  OffscreenProgram program({.model = run_folder(scratch, 400, 400), .threads = 1});
  settle(program);
  CHECK(program.text("step") == "400");
  CHECK(program.text("step of the run") == "400 of 400");
}

TEST_CASE("a run of a million steps opens with a bar, and its opening can be cancelled") {
  const ScratchFolder scratch, other;
  const std::string folder = run_folder(scratch, 1'000'000, 900'000);
  OffscreenProgram program({.model = model_folder(other), .threads = 1});
  REQUIRE(program.settle());
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
  OffscreenProgram program({.model = model_folder(scratch), .threads = 1});
  REQUIRE(program.settle());
  Session& session = program.session();
  REQUIRE(session.train_would() == TrainWould::nothing);
  REQUIRE(program.click("Model"));
  session.apply({OpenModel{}});  // whose menu can do more, above that one
  REQUIRE(program.wait([&] { return session.learns_on(); }));
  REQUIRE(program.settle());
  click(program, "Runs…");
  CHECK(program.visible("no runs"));
  CHECK_FALSE(session.training());
  CHECK(session.run().phase != RunPhase::preparing);
}

}  // namespace glassformer
