// The Model menu's three ideas: on with what is there, one thing changed, and from the beginning.
#include <doctest/doctest.h>

#include <string>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer::model_menu_test {

void show(OffscreenProgram& program, const char* dialog) {
  apply(program, {OpenDialog{dialog}});
}

TEST_CASE("the Model menu has three ideas of training, and none of the old entries") {
  OffscreenProgram program({.size = {1024, 768}});
  REQUIRE(program.settle());
  click(program, "Model");
  for (const char* const label : {"Continue training", "Change one thing…", "Start over…", "One step"})
    CHECK(program.visible(label));
  for (const char* const label :
       {"Train a fresh model", "Train this one on", "Change the learning…", "Train a copy from here…",
        "Train a variant beside it…", "Try settings…", "Start again, same seed", "Start again, new seed"})
    CHECK_FALSE(program.visible(label));
}

TEST_CASE("without known data nothing trains it, and the menu says why") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch), .size = {1024, 768}});
  REQUIRE(program.settle());
  CHECK_FALSE(program.find("Train")->enabled);
  click(program, "Model");
  CHECK_FALSE(program.find("Continue training")->enabled);
  CHECK_FALSE(program.find("Start over…")->enabled);
}

TEST_CASE("what cannot be changed in a place is grey there, with its reason") {
  OffscreenProgram program({.size = {1024, 768}});
  REQUIRE(program.settle());
  show(program, "change one thing");
  CHECK(program.visible("In this run, from now on"));
  CHECK(program.text("about: In a copy, from an earlier step") == "drag the training slider there first");
  click(program, "thing: Heads");
  CHECK_FALSE(program.find("In this run, from now on"));
  CHECK(program.find("Beside it, from step 0")->selected);
  click(program, "thing: Dropout");
  type(program, "New value", "2");
  CHECK_FALSE(program.find("Change it")->enabled);
  type(program, "New value", "0.2");
  CHECK(program.find("Change it")->enabled);
  click(program, "All options…");
  CHECK(program.text("dialog") == "Train a variant beside this run");
}

TEST_CASE("a copy learns at × the rate of the schedule, however the copied run's was scaled, and says so") {
  for (const double scale : {0.5, 2.0}) {
    renew_home();
    OffscreenProgram program({.size = {1024, 768}, .threads = 1});
    REQUIRE(program.settle());
    Session& session = program.session();
    train_and_pause(session, 4);
    LearningWish wish;
    wish.rate_scale = scale;
    const long before = session.run().step;
    session.apply({wish, Train{}});
    REQUIRE(program.wait([&] { return session.run().step > before + 3; }));
    session.apply({PauseTraining{}});
    REQUIRE(program.wait([&] { return session.run().phase == RunPhase::paused; }));
    session.apply({ShowStep{before + 2}});
    REQUIRE(program.settle());
    const TrainingOptions made_by = session.recipe()->training;
    RunState anew;
    anew.options = made_by;
    const double highest = run_schedule(anew, session.snapshot()->config).peak_rate();
    show(program, "change one thing");
    click(program, "thing: Learning rate");
    REQUIRE(program.type("New value", "0.25"));
    click(program, "In a copy, from an earlier step");
    CHECK(program.text("change note").find("is then " + format_short(0.25 * highest) + ".") !=
          std::string::npos);
    REQUIRE(program.click("Change it"));
    const auto learns_at_a_quarter = [&] {
      const TrainingOptions& options = session.run().options;
      return options.peak == doctest::Approx(0.25 * made_by.peak) &&
             options.factor == doctest::Approx(0.25 * made_by.factor);
    };
    CHECK(program.wait([&] { return session.run().step > 0 && learns_at_a_quarter(); }, 120));
    session.apply({PauseTraining{}});
  }
}

TEST_CASE("Start over begins at step 0 and says what is kept") {
  OffscreenProgram program({.size = {1024, 768}, .threads = 1});
  REQUIRE(program.settle());
  show(program, "start over");
  CHECK(program.text("what is kept").find("stays as it is") != std::string::npos);
  REQUIRE(program.click("Start over from step 0"));
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::ready; }, 120));
  CHECK(program.session().run().step == 0);
}

}  // namespace glassformer::model_menu_test
