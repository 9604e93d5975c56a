// Several of the kept runs beside each other: selected, filtered, sorted, and seeds taken together.
#include <doctest/doctest.h>

#include <cmath>

#include "app/session/paths.h"
#include "app/session/run_table.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

// Two recipes, each with two seeds.
void make_two_recipes() {
  for (const int width : {8, 32})
    for (const int seed : {1, 2}) {
      TrainingOptions options = testing::small_options();
      options.seed = static_cast<std::uint64_t>(seed);
      options.warmup = 10;
      Config config = testing::copying_config();
      config.d_ff = width;
      Trainer trainer(testing::copying_set(), config, options);
      testing::run(trainer, 22);
      trainer.save(
          (runs_folder() / ("ff-" + std::to_string(width) + "-seed" + std::to_string(seed))).string());
    }
}

void open_table(OffscreenProgram& program) {
  REQUIRE(program.click("Model"));
  REQUIRE(program.click("Runs…"));
  REQUIRE(program.wait([&] { return program.visible("run: ff-8-seed1"); }));
}

bool selected(OffscreenProgram& program, const std::string& row) {
  const auto found = program.find(row);
  return found && found->selected;
}

float top(OffscreenProgram& program, const std::string& row) {
  const auto found = program.find(row);
  REQUIRE(found);
  return found->rect.y;
}

}  // namespace

TEST_CASE("curves of several runs: Ctrl and a click take one in, and out again") {
  make_two_recipes();
  OffscreenProgram program({.threads = 1});
  open_table(program);
  click(program, "run: ff-8-seed1");
  click(program, "run: ff-32-seed2", true);
  CHECK(selected(program, "run: ff-8-seed1"));
  CHECK(selected(program, "run: ff-32-seed2"));
  CHECK_FALSE(selected(program, "run: ff-8-seed2"));
  click(program, "Scale: log");
  REQUIRE(program.click("run: ff-8-seed1", true));  // the chosen one: the other takes its place
  program.frame(2);
  CHECK_FALSE(selected(program, "run: ff-8-seed1"));
  CHECK(selected(program, "run: ff-32-seed2"));
  click(program, "run: ff-8-seed2");
  CHECK_FALSE(selected(program, "run: ff-32-seed2"));
}

TEST_CASE("the band over seeds is wide enough to be seen, and the chart says whose loss it shows") {
  make_two_recipes();
  TrainingOptions options = testing::small_options();
  options.validate_every = 1000;
  Trainer short_one(testing::copying_set(), testing::copying_config(), options);
  testing::run(short_one, 7);
  short_one.save((runs_folder() / "short").string());
  OffscreenProgram program({.threads = 1});
  open_table(program);
  click(program, "run: short");
  CHECK(program.text("runs chart title") == "Validation loss; the training loss of short");
  CHECK(program.text("chosen curve") == "short: training loss");
  REQUIRE(program.click("Lines: Seeds together"));
  click(program, "run: ff-8");
  CHECK(program.text("runs chart title") == "Validation loss");
  for (const char* const name : {"band of ff-8", "band of ff-32"}) {
    CAPTURE(std::string(name));
    REQUIRE(program.find(name));
    CHECK(program.text(name) == "mean and deviation over 2 seeds");
    CHECK(program.find(name)->rect.height > 4);
  }
}

TEST_CASE("the table is filtered and sorted") {
  make_two_recipes();
  OffscreenProgram program({.threads = 1});
  open_table(program);
  type(program, "Filter", "SEED1 ff-8");
  CHECK(program.visible("run: ff-8-seed1"));
  CHECK_FALSE(program.find("run: ff-8-seed2"));
  CHECK_FALSE(program.find("run: ff-32-seed1"));
  CHECK(selected(program, "run: ff-8-seed1"));  // what can be done is done with what is seen
  type(program, "Filter", "nothing at all");
  CHECK_FALSE(program.find("Delete…"));
  type(program, "Filter", "ff");
  click(program, "sort: Hidden width f");
  CHECK(top(program, "run: ff-8-seed1") < top(program, "run: ff-32-seed1"));
  click(program, "sort: Hidden width f");
  CHECK(top(program, "run: ff-8-seed1") > top(program, "run: ff-32-seed1"));
}

TEST_CASE("runs that differ in their seeds alone are one line, and the table is copied as CSV") {
  make_two_recipes();
  OffscreenProgram program({.threads = 1});
  open_table(program);
  click(program, "Lines: Seeds together");
  CHECK(program.visible("run: ff-8"));
  CHECK(program.visible("run: ff-32"));
  CHECK_FALSE(program.find("run: ff-8-seed1"));
  click(program, "run: ff-8", true);
  click(program, "Copy as CSV");
  const std::string csv = program.clipboard();
  CHECK(csv.starts_with("name,runs,step,best_loss,best_loss_deviation,"));
  CHECK(contains(csv, "\nff-8,2,22,"));

  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(runs_folder().string(), problems);
  for (const RunRow& row : run_rows(runs, "", true)) {
    CHECK(row.runs.size() == 2);
    const LossBand band = loss_band(runs, row);
    REQUIRE(band.step.size() == 4);
    const double a = runs[row.runs[0]].record.curves->validations[1].loss;
    const double b = runs[row.runs[1]].record.curves->validations[1].loss;
    CHECK(band.mean[1] == doctest::Approx((a + b) / 2));
    CHECK(band.deviation[1] == doctest::Approx(std::abs(a - b) / std::sqrt(2.0)));
  }
}

}  // namespace glassformer
