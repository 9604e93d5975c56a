// The dialog of the kept runs: looked through, renamed, noted, deleted.
#include <doctest/doctest.h>

#include <filesystem>

#include "app/session/paths.h"
#include "engine/files/folder_lock.h"
#include "tests/training_helpers.h"
#include "tests/ui/session_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

// Runs that differ in so many settings that the table has to scroll.
void make_runs() {
  for (const int seed : {1, 2, 3}) {
    TrainingOptions options = testing::small_options();
    options.seed = static_cast<std::uint64_t>(seed);
    options.warmup = 10 * seed;
    options.factor = options.peak = 0.5 * seed;
    options.clip = options.patience = options.average = seed;
    options.steps = 100 * seed;
    options.batch_tokens = 100 + seed;
    options.validate_every = 4 + seed;
    Config config = testing::copying_config();
    config.d_ff = 8 * seed;
    config.dropout = 0.1 * seed;
    Trainer trainer(testing::copying_set(), config, options);
    testing::run(trainer, 3);
    trainer.save((runs_folder() / ("run " + std::to_string(seed))).string());
  }
}

bool chosen(OffscreenProgram& program, const std::string& name) {
  const auto row = program.find("run: " + name);
  return row && row->selected;
}

void open_runs(OffscreenProgram& program) {
  REQUIRE(program.click("Model"));
  REQUIRE(program.click("Runs…"));
  REQUIRE(program.wait([&] { return program.visible("run: run 1"); }));
}

}  // namespace

TEST_CASE("a run keeps being the chosen one under its new name, with its note") {
  const Home home;
  make_runs();
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  CHECK(chosen(program, "run 3"));  // the newest
  REQUIRE(program.click("run: run 1"));
  program.frame(2);
  REQUIRE(program.click("Rename…"));
  REQUIRE(program.type("New name", "zebra"));
  REQUIRE(program.click("Rename the run"));
  REQUIRE(program.wait([&] { return program.visible("run: zebra"); }));
  program.frame(2);
  CHECK(chosen(program, "zebra"));
  CHECK_FALSE(program.visible("run: run 1"));

  REQUIRE(program.click("Note…"));
  REQUIRE(program.type("Note", "the first of all"));
  REQUIRE(program.click("Keep the note"));
  REQUIRE(program.wait([&] { return program.text("runs note") == "the first of all"; }));
  CHECK(chosen(program, "zebra"));

  // A name that is taken is refused in place, and the run stays.
  REQUIRE(program.click("Rename…"));
  REQUIRE(program.type("New name", "run 2"));
  REQUIRE(program.click("Rename the run"));
  REQUIRE(program.wait([&] { return program.text("runs note").find("already") != std::string::npos; }));
  REQUIRE(program.click("Leave it"));
  CHECK(chosen(program, "zebra"));
}

TEST_CASE("a run is deleted when that was asked, and not while somebody trains it") {
  const Home home;
  make_runs();
  const FolderLock other((runs_folder() / "run 2").string());
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  REQUIRE(program.click("run: run 2"));
  program.frame(2);
  CHECK_FALSE(program.click("Delete…"));
  CHECK_FALSE(program.click("Rename…"));
  REQUIRE(program.click("run: run 1"));
  program.frame(2);
  REQUIRE(program.click("Delete…"));
  REQUIRE(program.click("Keep it"));
  CHECK(std::filesystem::exists(runs_folder() / "run 1"));
  REQUIRE(program.click("Delete…"));
  REQUIRE(program.click("Delete the run for good"));
  REQUIRE(program.wait([&] { return !std::filesystem::exists(runs_folder() / "run 1"); }));
  CHECK(std::filesystem::exists(runs_folder() / "run 2"));
}

TEST_CASE("no setting in which runs differ is left out of the table for lack of room") {
  const Home home;
  make_runs();
  OffscreenProgram program({.size = {1024, 768}, .threads = 1});
  open_runs(program);
  program.frame(2);
  CHECK(program.visible("column: steps"));
  CHECK_FALSE(program.visible("column: Warm-up steps"));
  const Rect row = program.find("run: run 3")->visible;
  for (int i = 0; i < 20 && !program.visible("column: Warm-up steps"); ++i) program.scroll(row.center(), -3);
  CHECK(program.visible("column: Warm-up steps"));
  CHECK_FALSE(program.visible("column: run"));  // the headings go along
}

}  // namespace glassformer
