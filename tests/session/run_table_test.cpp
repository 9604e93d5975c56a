// The kept runs as a table: renamed, deleted, noted.
#include "app/session/run_table.h"
#include "app/session/run_copies.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "app/format/csv.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace glassformer {
namespace {

// A folder of runs with one short run in it.
std::string folder_of_runs(const ScratchFolder& scratch) {
  Trainer trainer(testing::copying_set(), testing::copying_config(), testing::small_options());
  testing::run(trainer, 3);
  trainer.save(scratch.path("runs/first"));
  return scratch.path("runs");
}

KeptRun only_run(const std::string& folder) {
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(folder, problems);
  CHECK(problems.empty());
  REQUIRE(runs.size() == 1);
  return runs.front();
}

}  // namespace

TEST_CASE("a note is kept with its run, changed, and taken away") {
  const ScratchFolder scratch;
  const std::string folder = folder_of_runs(scratch);
  KeptRun run = only_run(folder);
  CHECK(run.note.empty());
  write_note(run.folder, "learned with the window open, façon Zoë");
  CHECK(only_run(folder).note == "learned with the window open, façon Zoë");
  rename_run(run.folder, "second");
  run = only_run(folder);
  CHECK(run.name == "second");
  CHECK(run.note == "learned with the window open, façon Zoë");
  write_note(run.folder, "");
  CHECK(only_run(folder).note.empty());
  write_note(run.folder, "still deletable");
  delete_run(run.folder);
  CHECK_FALSE(std::filesystem::exists(run.folder));
}

TEST_CASE("a note that is long, broken or on several lines is read as one readable line") {
  const ScratchFolder scratch;
  const std::string folder = folder_of_runs(scratch), file = folder + "/first/notes.txt";
  write_note(folder + "/first", "begun here");
  write_atomically(file, "two\nlines\t\r\n");
  CHECK(only_run(folder).note == "two lines");
  write_atomically(file, "good \xff bad");
  CHECK(only_run(folder).note == "good");
  std::string long_note;
  for (int i = 0; i < 5000; ++i) long_note += "é";
  write_note(folder + "/first", long_note);
  const std::string note = only_run(folder).note;
  CHECK(note.size() <= 2000);
  CHECK(long_note.starts_with(note));
}

TEST_CASE("a name that is none or taken is refused and changes nothing") {
  const ScratchFolder scratch;
  const std::string folder = folder_of_runs(scratch);
  std::filesystem::create_directories(folder + "/taken");
  for (const char* name : {"", ".hidden", "a/b", "taken"})
    CHECK_THROWS_AS(rename_run(folder + "/first", name), Error);
  CHECK(only_run(folder).name == "first");
}

TEST_CASE("two recipes of one name are told apart, and so are the steps planned and taken") {
  const ScratchFolder scratch;
  for (const int heads : {1, 2}) {
    Config config = testing::copying_config();
    config.heads = heads;
    TrainingOptions options = testing::small_options();
    options.steps = 100 * heads;
    Trainer trainer(testing::copying_set(), config, options);
    testing::run(trainer, 3);
    trainer.save(scratch.path("runs/2026-11-20 17.05.3" + std::to_string(heads) + " copying"));
  }
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(scratch.path("runs"), problems);
  const std::vector<RunRow> rows = run_rows(runs, "", true);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "copying");
  CHECK(rows[1].name == "copying (2)");
  const std::string csv = csv_of(runs, rows, differences(runs));
  CHECK(csv.find(",planned_steps") != std::string::npos);
  CHECK(csv.find("\ncopying (2),1,3,") != std::string::npos);
}

TEST_CASE("a cell of a CSV file is quoted where it has to be, and no name runs as a formula") {
  CHECK(csv_cell("two runs") == "two runs");
  CHECK(csv_cell("heads, 4") == "\"heads, 4\"");
  CHECK(csv_cell("a \"b\"") == "\"a \"\"b\"\"\"");
  CHECK(csv_cell("=1+1") == "'=1+1");
  CHECK(csv_cell("@run") == "'@run");
  CHECK(csv_cell("-0.5") == "-0.5");
  CHECK(csv_cell(" =1+1") == "' =1+1");
  CHECK(csv_cell("\t@run") == " '@run");
  CHECK(csv_cell("Ada; -cmd()") == "\"Ada;' -cmd()\"");
  CHECK(csv_cell("a-b; 3 + 4") == "\"a-b; 3 + 4\"");
  CHECK(csv_number(0.25) == "0.25");
  CHECK(csv_number(std::nan("")).empty());
}

}  // namespace glassformer
