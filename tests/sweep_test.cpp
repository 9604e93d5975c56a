#include "engine/train/sweep.h"

#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"

using namespace glassformer;

namespace {

const std::string kSweepBase = "base = --task copy --preset tiny\n";
const std::string kSweepTest = "test = held-out 50\n";

void refused_sweep(const std::string& text, const std::string& words) {
  CAPTURE(text);
  std::string message;
  try {
    sweep_from_text(text, "runs.sweep");
  } catch (const Error& error) {
    message = error.what();
  }
  CAPTURE(message);
  CHECK(message.starts_with(words));
}

}  // namespace

TEST_CASE("a sweep is every setting with every seed, one thing changed at a time") {
  const Sweep sweep = sweep_from_text(
      "# ours\r\n" + kSweepBase + "vary layers = 1, 2\nvary dropout = .1\n" +
          "variant \"no positions, 8 heads\" = --positions none --heads=8 --shared-vocabulary\n" +
          "variant \"base\" =\nseeds = 3, 7\ntest = 'my pairs.tsv'",
      "a.sweep");
  REQUIRE(sweep.settings.size() == 5);
  CHECK(sweep.settings[1].name == "layers 2");
  CHECK(sweep.settings[1].line == 3);
  CHECK(sweep.settings[1].options ==
        std::vector<std::string>{"--task=copy", "--preset=tiny", "--encoder-layers=2", "--decoder-layers=2"});
  CHECK(sweep.settings[3].options == std::vector<std::string>{"--task=copy", "--preset=tiny",
                                                              "--positions=none", "--heads=8",
                                                              "--shared-vocabulary"});
  CHECK(sweep.settings[4].options == std::vector<std::string>{"--task=copy", "--preset=tiny"});
  CHECK(sweep.test.file == "my pairs.tsv");

  const std::vector<SweepRun> runs = planned_runs(sweep);
  REQUIRE(runs.size() == 10);
  CHECK(runs[0].name == "layers-1-seed3");
  CHECK(runs[3].name == "no-positions-8-heads-seed3");
  CHECK(runs[9].name == "base-seed7");
  CHECK(runs[9].options.back() == "--seed=7");
}

TEST_CASE("what a setting names replaces what the base says") {
  const Sweep sweep = sweep_from_text(kSweepBase + "vary preset = nano\n" + kSweepTest, "a");
  CHECK(sweep.settings[0].options ==
        std::vector<std::string>{"--task=copy", "--preset=nano", "--test-pairs=50"});
  CHECK(sweep.seeds == std::vector<std::uint64_t>{1});
}

TEST_CASE("every wrong line is refused by its place, with what was expected and found") {
  refused_sweep("", "runs.sweep:1: expected a line \"base");
  refused_sweep(kSweepBase + kSweepTest, "runs.sweep:3: expected a line \"vary");
  refused_sweep(kSweepBase + "vary heads = 2\n", "runs.sweep:3: expected a line \"test");
  refused_sweep("base --task copy\n", "runs.sweep:1: expected \"=\", found \"--task copy\"");
  refused_sweep("base =\n", "runs.sweep:1: expected options of train");
  refused_sweep("base = copy\n", "runs.sweep:1: expected an option, which begins with --, found \"copy\"");
  refused_sweep(kSweepBase + kSweepBase, "runs.sweep:2: expected one line \"base\"");
  refused_sweep("base = --task 'copy\n", "runs.sweep:1: expected a second quote");
  refused_sweep("base = --task copy --out x\n", "runs.sweep:1: expected what the model");
  refused_sweep("base = --task copy --seed 2\n", "runs.sweep:1: expected seeds in the line");
  refused_sweep("speed = 5\n", "runs.sweep:1: expected base, vary, variant, seeds or test, found \"speed\"");
  refused_sweep("\n\n= 5\n", "runs.sweep:3: expected base");
  refused_sweep("vary heads\n", "runs.sweep:1: expected \"vary SETTING = VALUES\"");
  refused_sweep("vary heads = 1,,2\n", "runs.sweep:1: expected a value between commas, found nothing");
  refused_sweep("vary heads =\n", "runs.sweep:1: expected a value");
  refused_sweep("vary d model = 2\n", "runs.sweep:1: expected the name of an option");
  refused_sweep("variant x = --heads 2\n", "runs.sweep:1: expected a name in double quotes");
  refused_sweep("variant \"x = --heads 2\n", "runs.sweep:1: expected a second quote");
  refused_sweep("variant \"\" = --heads 2\n", "runs.sweep:1: expected a name between");
  refused_sweep("seeds = 1, x\n", "runs.sweep:1: expected whole numbers");
  refused_sweep("seeds = 1, 1\n", "runs.sweep:1: expected every seed once");
  refused_sweep("seeds = -1\n", "runs.sweep:1: expected whole numbers");
  refused_sweep("test = held-out 0\n", "runs.sweep:1: expected a number of pairs");
  refused_sweep("test = held-out\n", "runs.sweep:1: expected a number of pairs");
  refused_sweep("test = a b\n", "runs.sweep:1: expected one file");
  refused_sweep("test =\n", "runs.sweep:1: expected one file");
  refused_sweep("\xFF\xFE\n", "runs.sweep:1: expected text in UTF-8");
  refused_sweep(std::string("ba\0se\n", 6), "runs.sweep:1: expected text, found a zero byte");
  refused_sweep(kSweepBase + "vary heads = 2, 2\n" + kSweepTest,
                "runs.sweep:2: expected settings of different names");
  refused_sweep(kSweepBase + "vary pairs = 100, 200\n" + kSweepTest,
                "runs.sweep:2: expected the same data for all");
  refused_sweep("variant \"" + std::string(100, 'a') + "\" =\n", "runs.sweep:1: expected a name of at most");
  std::string many = "vary steps = 1";
  for (int i = 2; i < 600; ++i) many += "," + std::to_string(i);
  refused_sweep(many, "runs.sweep:1: expected at most 500 settings");
}

TEST_CASE("names of folders lead nowhere else") {
  const Sweep sweep = sweep_from_text(
      kSweepBase + "variant \"../x\" =\nvariant \"/\" =\nvariant \"é\" =\n" + kSweepTest, "a");
  std::vector<std::string> names;
  for (const SweepRun& run : planned_runs(sweep)) names.push_back(run.name);
  CHECK(names == std::vector<std::string>{"x-seed1", "setting-seed1", "é-seed1"});
}

TEST_CASE("mean and deviation are the sample's") {
  CHECK(mean_and_deviation({1, 2, 3}).mean == doctest::Approx(2));
  CHECK(mean_and_deviation({1, 2, 3}).deviation == doctest::Approx(1));
  CHECK(std::isnan(mean_and_deviation({5}).deviation));
  CHECK(std::isnan(mean_and_deviation({}).mean));
}

TEST_CASE("lengths fall into eight ranges at most") {
  for (const long longest : {1, 7, 8, 9, 16, 17, 40, 254, 100000}) {
    const long width = length_width(longest);
    CHECK((longest - 1) / width < 8);
  }
  CHECK(length_width(8) == 1);
  CHECK(length_width(12) == 2);
  CHECK(length_width(40) == 5);
}
