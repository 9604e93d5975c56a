// The command that makes a run again, sweeps of runs, and changes that wait for a step of one.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/train/live_settings.h"
#include "engine/train/run_command.h"
#include "engine/train/sweep.h"
#include "engine/train/trainer_state.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

namespace glassformer::run_command_test {

// ---- The command that makes a run again, in words. Whether it does: tests/ui/four_runs_test.cpp.

std::map<std::string, std::string> by_name(const std::vector<std::string>& options) {
  std::map<std::string, std::string> values;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    values[option.substr(2, equals == std::string::npos ? equals : equals - 2)] =
        equals == std::string::npos ? "" : option.substr(equals + 1);
  }
  return values;
}

TEST_CASE("the options of a recipe are what differs from the size and the data") {
  Recipe recipe;
  recipe.config.max_length = 64;
  recipe.config.d_model = 96;
  recipe.config.norm = NormPlace::pre;
  recipe.config.final_norm = true;  // follows the norm
  recipe.config.dropout = 0;
  recipe.data.training.task = "reverse";
  recipe.data.training.pairs = 500;
  recipe.data.max_tokens = 62;
  recipe.data.seed = 4;
  recipe.training.steps = 30;
  recipe.training.schedule = "noam";
  recipe.training.warmup = 10;
  recipe.training.seed = 9;
  const auto options = by_name(train_options(recipe));
  CHECK(options.at("task") == "reverse");
  CHECK(options.at("preset") == "quick");  // which has its norm
  CHECK(options.at("d-model") == "96");
  CHECK_FALSE(options.contains("norm"));
  CHECK_FALSE(options.contains("final-norm"));
  CHECK_FALSE(options.contains("heads"));
  CHECK_FALSE(options.contains("max-tokens"));
  CHECK(options.at("seed") == "9");
  CHECK(options.at("data-seed") == "4");
  CHECK(options.at("steps") == "30");
  CHECK(options.at("smoothing") == "0.1");
  CHECK_FALSE(options.contains("threads"));
  recipe.config.norm = NormPlace::post;
  recipe.config.final_norm = false;
  const auto of_paper = by_name(train_options(recipe));
  CHECK(of_paper.at("preset") == "tiny");
  CHECK_FALSE(of_paper.contains("norm"));
  recipe.config.d_ff = 64;
  recipe.config.encoder_layers = recipe.config.decoder_layers = 1;
  recipe.config.d_model = 32;
  recipe.config.heads = 2;
  recipe.config.norm = NormPlace::pre;
  recipe.config.final_norm = true;
  CHECK(by_name(train_options(recipe)).at("norm") == "pre");  // of "nano", which is nearer
}

TEST_CASE("a run without limits is not told as one that learns nothing") {
  Recipe recipe;
  recipe.data.training.task = "copy";
  recipe.training.steps = 0;
  recipe.training.epochs = recipe.training.minutes = 0;
  const auto options = by_name(train_options(recipe));
  CHECK_FALSE(options.contains("steps"));
  CHECK(options.at("epochs") == "0");
}

TEST_CASE("the options of a recurrent model are its own, and none of a Transformer") {
  RecurrentRecipe recipe;
  recipe.config.width = 24;
  recipe.config.recurrent_attention = RecurrentAttention::dot;
  recipe.data.training.task = "reverse";
  recipe.data.max_tokens = 62;
  recipe.training.steps = 30;
  const auto options = by_name(train_options(recipe));
  CHECK(options.at("architecture") == "recurrent");
  CHECK(options.at("width") == "24");
  CHECK(options.at("recurrent-attention") == "dot");
  CHECK(options.at("steps") == "30");
  for (const char* none : {"layers", "source-eos", "preset", "heads", "dropout", "freeze", "source-vocab"})
    CHECK_FALSE(options.contains(none));
}

TEST_CASE("the command is for a shell") {
  CHECK(shell_quoted("data/train-1.de") == "data/train-1.de");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("my pairs $HOME.tsv") == "'my pairs $HOME.tsv'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  Recipe recipe;
  recipe.data.training.corpus = "-my file.tsv";
  const std::string command = train_command(train_options(recipe), "-out");
  CHECK(command.starts_with("glassformer train --corpus='-my file.tsv' --"));
  CHECK(command.ends_with(" --out=-out"));
}

TEST_CASE("a seed changes the weights, another the data, and neither the other's") {
  const auto made = [](std::uint64_t seed, std::uint64_t data_seed) {
    DataOptions data;
    data.training.task = "copy";
    data.training.pairs = 200;
    data.seed = data_seed;
    TrainingOptions options = testing::small_options();
    options.seed = seed;
    const PreparedData prepared = prepare_data(data);
    Config config = testing::copying_config();
    config.source_vocab = prepared.tokenizers.source->size();
    config.target_vocab = prepared.tokenizers.target->size();
    return std::make_unique<Trainer>(std::make_shared<TrainingSet>(training_set(prepared, data)), config,
                                     options);
  };
  const auto one = made(1, 1), other_seed = made(2, 1), other_data = made(1, 2);
  CHECK(fingerprint(one->data()) == fingerprint(other_seed->data()));
  CHECK(fingerprint(one->data()) != fingerprint(other_data->data()));
  CHECK(one->data().origin.seed == 1);
  CHECK(other_data->data().origin.seed == 2);
  const auto weights = [](const Trainer& trainer) {
    std::vector<float> all;
    const auto snapshot = trainer.snapshot();
    snapshot->weights->visit([&](const std::string&, Parameter<const float> tensor) {
      all.insert(all.end(), tensor.data, tensor.data + tensor.size());
    });
    return all;
  };
  CHECK(weights(*one) != weights(*other_seed));
  CHECK(weights(*one) == weights(*made(1, 1)));
}

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

TEST_CASE("layers are of both stacks of a Transformer, and a recurrent model's own") {
  const Sweep sweep = sweep_from_text(
      "base = --task copy --layers 2\n"
      "variant \"one\" = --steps 9\n"
      "variant \"other\" = --layers 3 --architecture recurrent\n"
      "test = held-out 5\n",
      "a.sweep");
  const auto one = by_name(sweep.settings[0].options), other = by_name(sweep.settings[1].options);
  CHECK_FALSE(sweep.settings[0].recurrent);
  CHECK(one.at("encoder-layers") == "2");
  CHECK_FALSE(one.contains("layers"));
  CHECK(sweep.settings[1].recurrent);
  CHECK(other.at("layers") == "3");
  CHECK_FALSE(other.contains("encoder-layers"));
}

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

TEST_CASE("settings that translate alone differently share their models") {
  const Sweep sweep = sweep_from_text(kSweepBase +
                                          "variant \"greedy\" =\nvariant \"wide\" = --beam 8 --alpha 0\n"
                                          "variant \"deeper\" = --layers 3 --beam 8\nseeds = 1, 2\n" +
                                          kSweepTest,
                                      "a");
  CHECK(sweep.settings[1].options == sweep.settings[0].options);
  CHECK(sweep.settings[0].search.empty());
  CHECK(sweep.settings[1].search == std::vector<std::string>{"--beam=8", "--alpha=0"});
  std::vector<std::string> folders;
  for (const SweepRun& run : planned_runs(sweep)) folders.push_back(run.name + " in " + run.folder);
  CHECK(folders == std::vector<std::string>{"greedy-seed1 in greedy-seed1", "wide-seed1 in greedy-seed1",
                                            "deeper-seed1 in deeper-seed1", "greedy-seed2 in greedy-seed2",
                                            "wide-seed2 in greedy-seed2", "deeper-seed2 in deeper-seed2"});
  CHECK_THROWS_AS(sweep_of_settings("vary beam = 1, 2\n", "w"), Error);
  CHECK(common_options(sweep_from_text("base = --grammar a/b.grammar --steps 9 --shared-vocabulary\n"
                                       "vary heads = 1, 2\n" +
                                           kSweepTest,
                                       "a")) ==
        "--grammar=b.grammar --steps=9 --shared-vocabulary --test-pairs=50");
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

// ---- Changes of the learning that wait for a step of the run.

constexpr LearningWish kSlower{.rate_scale = 0.5, .dropout = {}, .smoothing = {}, .clip = {}};
constexpr LearningWish kNoDropout{.rate_scale = {}, .dropout = 0.0, .smoothing = {}, .clip = {}};

TEST_CASE("a change that waits for a step is made there, as if somebody had made it then") {
  Trainer then(testing::copying_set(), testing::copying_config(), testing::small_options());
  testing::run(then, 12);
  then.change(with(then.live(), kSlower));
  testing::run(then, 8);

  Trainer waited(testing::copying_set(), testing::copying_config(), testing::small_options());
  waited.change_at(12, kSlower);
  CHECK(waited.live().rate_scale == 1);
  testing::run(waited, 20);
  testing::check_same_curves(then.curves(), waited.curves());
  REQUIRE(waited.curves().marks.size() == 1);
  CHECK(waited.curves().marks[0].step == 12);

  waited.change_at(3, kNoDropout);  // long past: now
  CHECK(waited.live().dropout == 0);
  CHECK(waited.curves().marks.back().step == 20);
  CHECK_THROWS_AS(waited.change_at(30, {.rate_scale = {}, .dropout = 1.5, .smoothing = {}, .clip = {}}),
                  Error);
}

TEST_CASE("a change that still waits is kept with the run and made when it goes on") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  Trainer whole(testing::copying_set(), testing::copying_config(), testing::small_options());
  whole.change_at(6, kNoDropout);
  whole.change_at(14, kSlower);
  testing::run(whole, 10);
  whole.save_copy(folder);
  testing::run(whole, 10);

  const auto again = Trainer::resume(folder, testing::copying_set(), 2, false);
  testing::run(*again, 10);
  testing::check_same_curves(whole.curves(), again->curves());
  CHECK(again->curves().marks.size() == 2);
  CHECK(again->live() == whole.live());
  CHECK(testing::same_weights(*whole.snapshot(), *again->snapshot()));
}

TEST_CASE("changes in a record that nobody could have asked for are refused") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  {
    Trainer trainer(testing::copying_set(), testing::copying_config(), testing::small_options());
    trainer.change_at(14, kSlower);
    testing::run(trainer, 3);
    trainer.save(folder);
  }
  const nlohmann::json record = read_json(folder + "/training.json");
  REQUIRE(record.at("later").size() == 1);
  for (const char* text :
       {R"([{"step": -3, "change": {"dropout": 0}}])", R"([{"step": 9}])", R"([7])", R"(3)",
        R"([{"step": 9, "change": {"dropout": "none"}}])", R"([{"step": 9, "change": {"dropout": 7}}])"}) {
    CAPTURE(text);
    nlohmann::json hostile = record;
    hostile["later"] = nlohmann::json::parse(text);
    write_atomically(folder + "/training.json", hostile.dump());
    CHECK_THROWS_AS(Trainer::resume(folder, testing::copying_set()), Error);
  }
}

}  // namespace glassformer::run_command_test
