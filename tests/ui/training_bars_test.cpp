// What the top bar and the slider under the stage say of a run.
#include <doctest/doctest.h>

#include "app/offscreen.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/small_program.h"

using namespace glassformer;

TEST_CASE(
    "the top bar shows the training loss by its name until the first validation, then the validation's") {
  SmallProgram program({.threads = 1});
  NewRun run = reverse_run();
  run.training.validate_every = 4;
  program.session().apply({run, TrainOneStep{}});
  REQUIRE(program.wait([&] { return program.session().run().step == 1; }));
  program.frame(2);
  REQUIRE(program.session().run().curves->validations.empty());
  CHECK(program.text("loss") == "");
  const std::string trained = program.text("training loss");
  CHECK(std::stod(trained) ==
        doctest::Approx(program.session().run().curves->steps.back().loss).epsilon(0.01));
  CHECK(program.text("step") == "1");

  program.session().apply({TrainOneStep{}, TrainOneStep{}, TrainOneStep{}, TrainOneStep{}});
  REQUIRE(program.wait([&] { return program.session().run().step == 5; }));
  program.frame(2);
  REQUIRE(program.session().run().curves->validations.size() == 1);
  CHECK(program.text("training loss") == "");
  const double validated = program.session().run().curves->validations.back().loss;
  // The loss is that of the fourth step, and the bar says so.
  CHECK(std::stod(program.text("loss at step 4")) == doctest::Approx(validated).epsilon(0.01));
}

TEST_CASE("while a run prepares its data the slider stands at its start, not where the open model is") {
  SmallProgram program({.threads = 1});
  program.session().apply({reverse_run(), Train{}});
  REQUIRE(program.wait([&] { return program.session().run().step >= 5; }));
  program.session().apply({PauseTraining{}});
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::paused; }));
  program.frame(2);
  CHECK(program.text("training step") == std::to_string(program.session().run().step));

  NewRun large = reverse_run();
  large.data.training.pairs = 300000;  // takes longer to make than the frames below
  large.data.training.toy = {.length = 12, .symbols = 20};
  program.session().apply({large});
  program.frame(2);
  REQUIRE(program.session().run().phase == RunPhase::preparing);
  REQUIRE(program.session().snapshot()->step >= 5);
  CHECK(program.text("training step") == "0");
  CHECK(program.text("step") == "");  // the top bar says what is being prepared instead
}
