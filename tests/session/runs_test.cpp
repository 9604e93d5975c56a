// Runs without a session: listed, tried, in a table, and reported in LaTeX.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>

#include "app/format/latex.h"
#include "app/session/paths.h"
#include "app/session/run_copies.h"
#include "app/session/run_table.h"
#include "app/session/runs.h"
#include "app/session/trials.h"
#include "engine/files/atomic_file.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"

namespace glassformer::runs_test {

// ---- The list of runs, without a session: they learn beside each other, wait for one another, and end.

bool soon(const std::function<bool()>& holds) {
  for (int tries = 0; tries < 30000; ++tries) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return false;
}

void begin(Runs& runs, Run& run, const std::string& folder = {}) {
  run.recipe = reverse_run();
  run.folder = folder;
  run.state() = {};
  run.state().phase = RunPhase::preparing;
  runs.begin(run, make_run(*run.recipe, nullptr, {}, {}, {}), true);
}

bool reaches(Run& run, long step) {
  return soon([&] { return run.take(), run.state().step >= step; });
}

TEST_CASE("four runs learn beside each other") {
  Runs runs({});
  begin(runs, runs.open());
  for (int i = 0; i < 3; ++i) begin(runs, runs.add_beside());
  const std::vector<Run*> beside = runs.all_beside();
  REQUIRE(beside.size() == 3);
  CHECK(runs.beside() == beside.back());  // the newest
  CHECK(reaches(runs.open(), 3));
  for (Run* const each : beside) CHECK(reaches(*each, 3));

  // One of them ends, the others continue, and its place is free for another.
  const int middle = beside[1]->shown.id, place = beside[1]->shown.place;
  CHECK(runs.beside(middle) == beside[1]);
  runs.end_beside(*beside[1]);
  CHECK(runs.beside(middle) == nullptr);
  CHECK(runs.all_beside() == std::vector<Run*>{beside[0], beside[2]});
  for (Run* const each : runs.all_beside()) CHECK(reaches(*each, each->state().step + 2));
  begin(runs, runs.add_beside());
  CHECK(runs.beside()->shown.place == place);
  CHECK(runs.beside()->shown.id != middle);
  CHECK(reaches(*runs.beside(), 3));

  runs.end_all_beside();
  CHECK(runs.beside() == nullptr);
  CHECK(runs.open().learns());
  CHECK(reaches(runs.open(), runs.open().state().step + 2));
}

TEST_CASE("what waits for another run comes back as it was, with those beside it, and goes on") {
  Runs runs({});
  begin(runs, runs.open());
  Run* const first = &runs.open();
  begin(runs, runs.add_beside());
  Run* const variant = runs.beside();
  REQUIRE(reaches(*first, 3));
  REQUIRE(reaches(*variant, 3));

  runs.set_aside();
  runs.set_all_beside_aside();
  CHECK(runs.pending() == first);
  CHECK(runs.beside() == nullptr);
  CHECK(&runs.open() != first);
  CHECK(runs.open().recipe.has_value());  // the next one begins by the same recipe unless another is named
  begin(runs, runs.open());
  runs.set_aside();  // that one has not begun: the first still waits
  CHECK(runs.pending() == first);

  CHECK(runs.take_back());
  CHECK_FALSE(runs.take_back());
  CHECK(&runs.open() == first);
  CHECK(runs.beside() == variant);
  runs.catch_up();
  CHECK(reaches(*first, first->state().step + 2));
  CHECK(reaches(*variant, variant->state().step + 2));
}

TEST_CASE("what is not wanted any more is saved in its folder and ends") {
  const Home& home = home_of_test();
  const std::string folder = home.scratch.path("waiting");
  Runs runs({});
  begin(runs, runs.open(), folder);
  REQUIRE(reaches(runs.open(), 3));
  runs.set_aside();
  CHECK(runs.pending_in(folder));
  CHECK(runs.end_pending() == std::vector<std::string>{folder});
  CHECK(runs.pending() == nullptr);
  CHECK(runs.saves_into(folder).size() == 1);
  std::vector<std::string> problems;
  REQUIRE(soon([&] { return runs.take_ended(problems); }));
  CHECK(problems.empty());
  CHECK_FALSE(runs.ending());
  CHECK(std::filesystem::exists(std::filesystem::path(folder) / "training.json"));
}

TEST_CASE("a run that cannot be saved at its end is in the list again, and can be kept elsewhere") {
  const Home& home = home_of_test();
  const std::string blocked = home.scratch.write("file", "no folder") + "/run";
  Runs runs({});
  begin(runs, runs.open(), blocked);
  REQUIRE(reaches(runs.open(), 1));  // a slow machine is refused its first save before a second step
  runs.end_open();
  CHECK(runs.open().thread == nullptr);
  std::vector<std::string> problems;
  REQUIRE(soon([&] { return runs.take_ended(problems); }));
  REQUIRE(runs.ended_unsaved().size() == 1);
  Run& unsaved = *runs.ended_unsaved().front();
  CHECK(runs.unsaved() == std::vector<Run*>{&unsaved});
  CHECK(unsaved.as_unsaved().folder == blocked);
  CHECK(unsaved.as_unsaved().why != "");

  const std::string elsewhere = home.scratch.path("elsewhere");
  unsaved.thread->keep_in(elsewhere);
  REQUIRE(soon([&] { return unsaved.take(), !unsaved.is_unsaved(); }));
  CHECK(unsaved.folder == elsewhere);
  CHECK(std::filesystem::exists(std::filesystem::path(elsewhere) / "training.json"));
  CHECK(runs.remove(unsaved) != nullptr);
  CHECK(runs.unsaved().empty());
}

TEST_CASE("what a variant has in common with the open run is changed for both, the rest for one") {
  Runs runs({});
  Run& variant = runs.add_beside();
  begin(runs, variant);
  variant.first = first_settings(variant.recipe->config, variant.recipe->training);
  variant.first_of_open = variant.first;
  variant.first_of_open.dropout += 0.1;  // they differ in their dropout
  REQUIRE(reaches(variant, 3));
  Curves of_open;
  RunMark mark;
  mark.step = 1;
  mark.change = {variant.first_of_open, variant.first_of_open};
  mark.change->after.rate_scale = 0.5;
  mark.change->after.dropout = 0.4;
  of_open.marks = {mark};
  variant.follow_changes(of_open);
  REQUIRE(soon([&] { return variant.take(), variant.state().live.rate_scale == 0.5; }));
  CHECK(variant.state().live.dropout == doctest::Approx(variant.first.dropout));
}

// ---- Settings that are tried in the background.

NewRun fitted_run(long steps) {
  NewRun run = reverse_run();
  run.training.steps = steps;
  run.config.source_vocab = run.config.target_vocab = 20;
  return run;
}

std::string refusal_of(const std::string& text) {
  try {
    planned_trials(fitted_run(10), text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST_CASE("a plan of trials changes one setting each, for every seed") {
  const std::vector<Trial> trials =
      planned_trials(fitted_run(10), "vary heads = 1, 2\nvary norm = pre\nseeds = 4, 5\n");
  REQUIRE(trials.size() == 6);
  CHECK(trials[0].name == "heads 1, seed 4");
  CHECK(trials[1].config.heads == 2);
  CHECK(trials[2].config.final_norm);  // as train has it
  CHECK(trials[2].config.heads == fitted_run(10).config.heads);
  CHECK(trials[5].training.seed == 5);
  CHECK(planned_trials(fitted_run(10), "vary layers = 3\n")[0].config.decoder_layers == 3);
}

TEST_CASE("what cannot be tried is refused by the sentence of the reader") {
  CHECK(refusal_of("vary heads = 1,, 2\n") == "row:1: expected a value between commas, found nothing");
  CHECK(refusal_of("\nvary = 1\n").find("row:2: expected the name of an option of train") == 0);
  CHECK(refusal_of("vary heads = 2\nseeds = x\n") ==
        "row:2: expected whole numbers, with commas between them, found \"x\"");
  CHECK(refusal_of("vary heads = two\n") == "--heads: expected a whole number, found \"two\"");
  CHECK(refusal_of("vary heads = 3\n").find("heads") != std::string::npos);
  CHECK(refusal_of("vary task = copy\n") ==
        "--task: expected a setting of the model or of its training, found \"copy\"");
  CHECK(refusal_of("seeds = 1\n").find("vary SETTING") != std::string::npos);
}

TEST_CASE("trials are trained one after another, told of, and stand among the runs") {
  Session session(nothing_open());
  make_ready(session, reverse_run());
  session.apply({TrySettings{planned_trials(fitted_run(8), "vary heads = 1, 2\nseeds = 1, 2\n"), 2}});
  CHECK(session.trials().under_way());
  CHECK(session.trials().now.size() == 2);
  CHECK(trials_in_words(session.trials()).find("1 of 4: heads 1, seed 1") == 0);
  // Others have to wait.
  session.apply({TrySettings{planned_trials(fitted_run(8), "vary heads = 1\n"), 1}});
  CHECK(session.trials().all == 4);
  REQUIRE(frames_until(session, [&] { return !session.trials().under_way(); }));
  CHECK(trials_in_words(session.trials()) == "All 4 runs are trained.");
  REQUIRE(notice(session, Place::training));
  CHECK(notice(session, Place::training)->text.find("All 4 runs") != std::string::npos);
  CHECK(session.run().phase == RunPhase::ready);  // what is open was not touched
  CHECK(session.finish_saving());
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(runs_folder().string(), problems);
  REQUIRE(runs.size() == 4);
  CHECK(problems.empty());
  for (const KeptRun& run : runs) CHECK(run.record.last_step == 8);
  const std::vector<RunRow> rows = run_rows(runs, "", true);  // seeds together
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "heads 1");
}

TEST_CASE("cancelled trials keep what they have learned, and so do those that closing ends") {
  const auto kept = [] {
    std::vector<std::string> problems;
    return kept_runs(runs_folder().string(), problems).size();
  };
  Session session(nothing_open());
  make_ready(session, reverse_run());
  const TrySettings long_ones{planned_trials(fitted_run(100000), "vary heads = 1, 2\n"), 1};
  const auto learns = [&] { return !session.trials().now.empty() && session.trials().now[0].step > 5; };
  session.apply({long_ones});
  REQUIRE(frames_until(session, learns));
  session.apply({CancelTrials{}});
  CHECK_FALSE(session.trials().under_way());
  CHECK(trials_in_words(session.trials()) == "0 of 2 runs reached the end, the others were cancelled.");
  CHECK(session.finish_saving());
  CHECK(kept() == 1);
  session.apply({long_ones});
  REQUIRE(frames_until(session, learns));
  CHECK(session.close().empty());
  CHECK(kept() == 2);
}

// ---- The kept runs as a table: renamed, deleted, noted.

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

TEST_CASE("pdfLaTeX is told of every letter that it does not know, once") {
  CHECK(tex_letters("plain ~ text, “été” – Žofie Müller’s œuvre…").empty());
  CHECK(tex_letters("α′ → α") ==
        "  \\DeclareUnicodeCharacter{03B1}{\\ensuremath{\\alpha}}\n"
        "  \\DeclareUnicodeCharacter{2032}{\\ensuremath{'}}\n"
        "  \\DeclareUnicodeCharacter{2192}{\\ensuremath{\\rightarrow}}\n");
  CHECK(tex_letters("日😀ħ") ==
        "  \\DeclareUnicodeCharacter{0127}{[0127]}\n"
        "  \\DeclareUnicodeCharacter{65E5}{[65E5]}\n"
        "  \\DeclareUnicodeCharacter{1F600}{[1F600]}\n");
}

TEST_CASE("a table for a document declares its letters in a form that is allowed behind the preamble") {
  CHECK(tex_declared("Setting & plain “é” \\\\\n") == "Setting & plain “é” \\\\\n");
  CHECK(tex_declared("α → 中 e\u0301") ==
        "\\expandafter\\def\\csname u8:\\detokenize{α}\\endcsname{\\ensuremath{\\alpha}}\n"
        "\\expandafter\\def\\csname u8:\\detokenize{→}\\endcsname{\\ensuremath{\\rightarrow}}\n"
        "\\expandafter\\def\\csname u8:\\detokenize{中}\\endcsname{[4E2D]}\n"
        "α → 中 é");
}

}  // namespace glassformer::runs_test
