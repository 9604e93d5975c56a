// All runs of the table scored on one test set, in the window, against evaluate() called directly.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "app/format/number_format.h"
#include "app/format/table.h"
#include "app/session/paths.h"
#include "app/session/run_scoring.h"
#include "app/session/run_table.h"
#include "engine/files/read_file.h"
#include "engine/model/checkpoint.h"
#include "engine/train/bleu.h"
#include "engine/train/evaluation.h"
#include "engine/train/scoring.h"
#include "tests/session/session_helpers.h"
#include "tests/training_helpers.h"
#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

DataOptions reversing(int length = 5) {
  DataOptions data;
  data.training.task = "reverse";
  data.training.pairs = 300;
  data.training.toy.symbols = 4;
  data.training.toy.length = length;
  if (length < 5) data.training.toy.symbols = 8;
  data.test_pairs = 30;
  return data;
}

void make_reversing_runs(int steps, int length = 5) {
  const DataOptions data = reversing(length);
  const PreparedData prepared = prepare_data(data);
  const auto set = std::make_shared<const TrainingSet>(training_set(prepared, data));
  for (const int seed : {1, 2}) {
    TrainingOptions options = testing::small_options();
    options.seed = static_cast<std::uint64_t>(seed);
    Config config = testing::copying_config();
    config.source_vocab = set->tokenizers.source->size();
    config.target_vocab = set->tokenizers.target->size();
    Trainer trainer(set, config, options);
    testing::run(trainer, steps);
    trainer.save((runs_folder() / ("reverse-seed" + std::to_string(seed))).string());
  }
  // Without a tokenizer: it reads no sentence.
  Trainer trainer(testing::copying_set(), testing::copying_config(), testing::small_options());
  testing::run(trainer, 6);
  trainer.save((runs_folder() / "bare").string());
}

void open_them(OffscreenProgram& program) {
  REQUIRE(program.click("Model"));
  REQUIRE(program.click("Runs…"));
  REQUIRE(program.wait([&] { return program.visible("run: reverse-seed1"); }));
  click(program, "run: reverse-seed1");
}

void score(OffscreenProgram& program) {
  click(program, "Score…");
  REQUIRE(program.click("Score the runs"));
}

bool said(OffscreenProgram& program, const std::string& words) {
  return program.wait([&] { return contains(program.text("runs scoring"), words); });
}

Evaluation direct(const std::string& name) {
  const Checkpoint model = load_checkpoint((runs_folder() / name).string());
  const PreparedData data = prepare_data(reversing(), {}, model.tokenizers);
  EvaluationOptions options;
  options.smoothing = 0;
  return *evaluate(model.snapshot, model.tokenizers, data.test.pairs, options);
}

}  // namespace

TEST_CASE("all runs of the table are scored on the held-out pairs of one, as evaluate does") {
  make_reversing_runs(250);
  OffscreenProgram program({.threads = 1});
  open_them(program);
  CHECK_FALSE(program.find("column: exact"));
  score(program);
  REQUIRE(said(program, "Scored on 30 held-out pairs of reverse-seed1"));
  program.frame(2);
  const Evaluation one = direct("reverse-seed1"), two = direct("reverse-seed2");
  CHECK(one.bleu != two.bleu);
  CHECK(program.text("run exact: reverse-seed1") == format_percent(one.exact_match));
  CHECK(program.text("run BLEU: reverse-seed1") == format_fixed(one.bleu, 1));
  CHECK(program.text("run BLEU: reverse-seed2") == format_fixed(two.bleu, 1));
  CHECK(program.text("run exact: bare") == "–");
  CHECK(contains(program.text("run scores: bare"), "no tokenizer"));
  CHECK(program.text("run scores: reverse-seed1").starts_with("Exact match by "));

  click(program, "sort: BLEU");
  const bool first = program.find("run: reverse-seed1")->rect.y < program.find("run: reverse-seed2")->rect.y;
  CHECK(first == (one.bleu < two.bleu));

  // Seeds together: mean and deviation, in the table and in both copies.
  click(program, "Lines: Seeds together");
  const double bleu = (one.bleu + two.bleu) / 2, apart = std::abs(one.bleu - two.bleu) / std::sqrt(2.0);
  CHECK(program.text("run BLEU: reverse") == format_fixed(bleu, 1) + " ± " + format_fixed(apart, 1));
  click(program, "Copy as CSV");
  const std::string csv = program.clipboard();
  CHECK(
      contains(csv, ",test,runs_scored,exact_match,exact_match_deviation,bleu,bleu_deviation,exact_match "));
  const std::string line = csv.substr(csv.find("\nreverse,2,") + 1);
  const std::string mark = "30 held-out pairs of reverse-seed1,2,";
  REQUIRE(contains(line, mark));
  CHECK(std::stod(line.substr(line.find(mark) + mark.size())) ==
        doctest::Approx((one.exact_match + two.exact_match) / 2));
  click(program, "Copy as LaTeX");
  const std::string tex = program.clipboard();
  CHECK(contains(tex, "\\toprule"));
  CHECK(contains(tex, "$" + format_fixed(bleu, 1) + " \\pm " + format_fixed(apart, 1) + "$"));
  CHECK(contains(tex, "& BLEU &"));
}

TEST_CASE("where the answers are too short for BLEU it is in no table, and the reason is said") {
  make_reversing_runs(30, 3);
  OffscreenProgram program({.threads = 1});
  open_them(program);
  score(program);
  REQUIRE(said(program, "Scored on"));
  program.frame(2);
  CHECK(contains(program.text("runs scoring"), kBleuLeftOut));
  CHECK(program.text("run exact: reverse-seed1") != "");
  CHECK_FALSE(program.visible("sort: BLEU"));
  CHECK_FALSE(program.find("run BLEU: reverse-seed1"));
  click(program, "Copy as CSV");
  CHECK(contains(program.clipboard(), "exact_match"));
  CHECK_FALSE(contains(program.clipboard(), "bleu"));
  click(program, "Copy as LaTeX");
  const std::string tex = program.clipboard();
  CHECK(contains(tex, kBleuLeftOut));
  CHECK_FALSE(contains(tex, "& BLEU"));
  const std::size_t begin = tex.find("{lr") + 2, head = tex.find("\nRun &");
  CHECK(std::ranges::count(tex.substr(begin, tex.find('}', begin) - begin), 'r') ==
        std::ranges::count(tex.substr(head, tex.find("\\midrule") - head), '&'));
}

TEST_CASE("a file of one's own scores them; one that is no table is told of in a sentence") {
  const Home& home = home_of_test();
  make_reversing_runs(6);
  OffscreenProgram program({.threads = 1});
  open_them(program);
  click(program, "Score…");
  click(program, "Score on: A file of pairs");
  REQUIRE(program.type("Test file", home.scratch.write("prose.txt", "no table\nat all\n")));
  REQUIRE(program.click("Score the runs"));
  REQUIRE(said(program, "prose.txt"));
  CHECK_FALSE(program.find("column: exact"));

  // Sentences that no run can read.
  click(program, "Score…");
  REQUIRE(program.type("Test file", home.scratch.write("other.tsv", "zorg blig\tfrim\nwuzz\tplok plok\n")));
  REQUIRE(program.click("Score the runs"));
  REQUIRE(said(program, "Scored on 2 pairs of "));
  program.frame(2);
  CHECK(program.text("run exact: reverse-seed1") == "–");
  CHECK(contains(program.text("run scores: reverse-seed1"), "does not know 100 %"));
}

TEST_CASE("the scoring gives up when it is cancelled, and its dialog goes on") {
  make_reversing_runs(6);
  std::vector<std::string> problems;
  const std::vector<KeptRun> runs = kept_runs(runs_folder().string(), problems);
  REQUIRE(runs.size() == 3);
  RunScoring scoring;
  std::vector<KeptRun> many(400, runs.back());
  for (std::size_t i = 0; i < many.size(); ++i)  // as if written at different times: none is known
    many[i].weights_written += std::chrono::seconds(i);
  scoring.start({.runs = many, .file = {}, .held_out = runs.back()});
  scoring.cancel();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (scoring.progress().running && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const RunScoring::Progress progress = scoring.progress();
  CHECK_FALSE(progress.running);
  CHECK(progress.stopped);
  CHECK(progress.done < 400);
  CHECK(progress.problem.empty());
}

TEST_CASE("the chart is saved as a figure that names its curves, and its points as CSV") {
  const Home& home = home_of_test();
  make_reversing_runs(12);
  OffscreenProgram program({.threads = 1});
  open_them(program);
  const auto save = [&](const char* format, const std::string& name) {
    click(program, "Save the chart");
    REQUIRE(program.click(std::string("Format: ") + format));
    REQUIRE(program.type("Folder", home.scratch.path("")));
    REQUIRE(program.type("Name", name));
    REQUIRE(program.click("Save the figure"));
    const std::string path = home.scratch.path(name);
    program.frame(5);
    REQUIRE(program.wait([&] {
      return std::filesystem::exists(path) && std::filesystem::exists(home.scratch.path("chart.caption.txt"));
    }));
    return read_file(path, 10'000'000);
  };
  const std::string svg = save("SVG", "chart.svg");
  CHECK(svg.starts_with("<"));
  for (const char* const name : {"reverse-seed1", "reverse-seed2"}) {
    CAPTURE(std::string(name));
    const std::size_t words = svg.find(std::string(">") + name);  // on the picture, not in its title alone
    CHECK(words != std::string::npos);
  }
  open_them(program);
  const std::string csv = save("CSV", "chart.csv");
  int drawn = 0;
  std::vector<std::string> problems;
  for (const KeptRun& run : kept_runs(runs_folder().string(), problems)) {
    CAPTURE(run.name);
    if (run.record.curves->validations.size() < 2) continue;  // a point makes no curve
    ++drawn;
    const ValidationPoint& first = run.record.curves->validations.front();
    CHECK(contains(csv, run.name + ",step,validation loss"));
    CHECK(contains(csv, "," + std::to_string(first.step) + "," + csv_number(first.loss)));
  }
  CHECK(drawn == 2);
}

}  // namespace glassformer
