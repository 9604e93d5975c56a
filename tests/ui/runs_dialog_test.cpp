// The dialog of the kept runs: looked through, renamed, noted, deleted.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "app/session/paths.h"
#include "engine/files/folder_lock.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
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
  make_runs();
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  CHECK(chosen(program, "run 3"));  // the newest
  click(program, "run: run 1");
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
  REQUIRE(program.wait([&] { return contains(program.text("runs note"), "already"); }));
  REQUIRE(program.click("Leave it"));
  CHECK(chosen(program, "zebra"));
}

TEST_CASE("a run is deleted when that was asked, and not while somebody trains it") {
  make_runs();
  const FolderLock other((runs_folder() / "run 2").string());
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  click(program, "run: run 2");
  CHECK_FALSE(program.click("Delete…"));
  CHECK_FALSE(program.click("Rename…"));
  click(program, "run: run 1");
  REQUIRE(program.click("Delete…"));
  REQUIRE(program.click("Keep it"));
  CHECK(std::filesystem::exists(runs_folder() / "run 1"));
  REQUIRE(program.click("Delete…"));
  REQUIRE(program.click("Delete the run for good"));
  REQUIRE(program.wait([&] { return !std::filesystem::exists(runs_folder() / "run 1"); }));
  CHECK(std::filesystem::exists(runs_folder() / "run 2"));
}

TEST_CASE("what the program remembers of a run follows its new name, and is forgotten with the run") {
  make_runs();
  const std::string first = (runs_folder() / "run 1").string(), second = (runs_folder() / "run 2").string();
  OffscreenProgram program({.keep_settings = true, .threads = 1});
  Settings& settings = program.session().settings();
  settings.recent_models = {first, second};
  settings.unfinished_run = first;
  settings.sentences = {{first, "b a"}, {second, "a b"}};
  open_runs(program);
  click(program, "run: run 1");
  REQUIRE(program.click("Rename…"));
  REQUIRE(program.type("New name", "zebra"));
  REQUIRE(program.click("Rename the run"));
  REQUIRE(program.wait([&] { return program.visible("run: zebra"); }));
  const std::string zebra = (runs_folder() / "zebra").string();
  CHECK(settings.recent_models == std::vector<std::string>{zebra, second});
  CHECK(settings.unfinished_run == zebra);
  CHECK(kept_sentence(settings, zebra) == "b a");

  REQUIRE(program.wait([&] { return program.click("Delete…"); }));
  REQUIRE(program.click("Delete the run for good"));
  REQUIRE(program.wait([&] { return program.find("run: zebra") == std::nullopt; }));
  CHECK(settings.recent_models == std::vector<std::string>{second});
  CHECK(settings.unfinished_run.empty());
  CHECK(kept_sentence(settings, zebra).empty());
  CHECK(kept_sentence(settings, second) == "a b");
}

TEST_CASE("the open run is neither renamed nor deleted under its own feet") {
  make_runs();
  const std::string folder = (runs_folder() / "run 1").string();
  Session session({.model = folder, .keep_settings = false, .threads = 1});
  REQUIRE(frames_until(session, [&] { return session.model() != nullptr; }));
  for (const Command& command : {Command(RenameRun{folder, "other"}), Command(DeleteRun{folder})}) {
    session.apply({command});
    REQUIRE(frames_until(session, [&] { return !session.run_folder_change()->under_way; }));
    CHECK(contains(session.run_folder_change()->problem, "it is open"));
    CHECK(std::filesystem::exists(folder));
  }
}

TEST_CASE("a recurrent run of the table opens beside the Transformer, and is not deleted there") {
  make_runs();
  DataOptions data;
  data.training.task = "copy";
  data.training.pairs = 100;
  const PreparedData prepared = prepare_data(data);
  RecurrentConfig config;
  config.width = 8;
  config.source_vocab = prepared.tokenizers.source->size();
  config.target_vocab = prepared.tokenizers.target->size();
  RecurrentTrainer trainer(std::make_shared<const TrainingSet>(training_set(prepared, data)), config,
                           testing::small_options());
  trainer.step();
  trainer.save((runs_folder() / "run 0").string());
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  click(program, "run: run 0");
  CHECK(program.text("column: Architecture") == "Architecture");
  CHECK(contains(program.text("run command"), "--architecture recurrent"));
  CHECK_FALSE(program.find("Compare with the run")->enabled);
  CHECK_FALSE(program.find("Go on with it")->enabled);
  const std::string open = program.session().open_folder();
  REQUIRE(program.click("Open the run"));
  REQUIRE(program.wait(
      [&] { return program.session().recurrent_run() && program.session().recurrent_run()->model; }));
  CHECK(program.session().open_folder() == open);
  open_runs(program);
  click(program, "run: run 0");
  CHECK_FALSE(program.find("Delete…")->enabled);
}

TEST_CASE("the offer to go on with a run goes with it to its new name, and away with it") {
  make_runs();
  const std::string folder = (runs_folder() / "run 1").string();
  Settings settings;
  settings.unfinished_run = folder;
  REQUIRE(write_settings(settings_file(), settings).empty());
  Session session({.threads = 1});
  const auto changed = [&](const Command& command) {
    session.apply({command});
    return frames_until(session, [&] { return !session.run_folder_change()->under_way; });
  };
  REQUIRE(notice(session, Place::training));
  REQUIRE(changed(RenameRun{folder, "zebra"}));
  const Notice* offer = notice(session, Place::training);
  REQUIRE(offer);
  CHECK(contains(offer->text, "zebra"));
  CHECK(offer->command->get<ContinueRun>().folder == (runs_folder() / "zebra").string());
  REQUIRE(changed(DeleteRun{(runs_folder() / "zebra").string()}));
  CHECK(notice(session, Place::training) == nullptr);
}

TEST_CASE("a run that goes on learning while the dialog is open is read again, and stays the chosen one") {
  make_runs();
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  click(program, "run: run 1");
  TrainingOptions options = testing::small_options();
  Trainer trainer(testing::copying_set(), testing::copying_config(), options);
  testing::run(trainer, 7);
  trainer.save((runs_folder() / "run 1").string());
  trainer.save((runs_folder() / "zz new").string());
  const auto steps = [&] { return program.text("run steps: run 1"); };
  CHECK(steps() == "3");
  REQUIRE(program.wait([&] { return program.visible("run: zz new"); }));
  CHECK(steps() == "7");
  CHECK(chosen(program, "run 1"));
  std::filesystem::remove_all(runs_folder() / "zz new");
  REQUIRE(program.wait([&] { return !program.visible("run: zz new"); }));
  CHECK(chosen(program, "run 1"));
}

TEST_CASE("the curves of the chosen run, by training if never validated, and under the mouse are named") {
  make_runs();
  for (int i = 0; i < 9; ++i) {  // more than are all named
    TrainingOptions options = testing::small_options();
    options.validate_every = 2;
    options.factor = 0.2 * (i + 1);
    Trainer trainer(testing::copying_set(), testing::copying_config(), options);
    testing::run(trainer, 8);
    trainer.save((runs_folder() / ("many " + std::to_string(i))).string());
  }
  OffscreenProgram program({.threads = 1});
  open_runs(program);
  REQUIRE(program.wait([&] { return program.visible("run: many 3"); }));
  click(program, "run: run 1");
  CHECK(program.text("chosen curve") == "run 1: training loss");
  click(program, "run: many 3");
  CHECK(program.text("chosen curve") == "many 3");

  // Down the chart, curves are met.
  const Rect chart = program.find("runs chart")->visible;
  std::set<std::string> met;
  for (float y = chart.y; y < chart.bottom(); y += 1) {
    program.move({chart.right() - 4, y});
    program.frame();
    const std::string name = program.text("curve under the mouse");
    if (!name.empty()) met.insert(name);
  }
  CHECK(met.size() > 2);
  CHECK(met.count("many 3") == 0);  // has its name already
}

TEST_CASE("no setting in which runs differ is left out of the table for lack of room") {
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
