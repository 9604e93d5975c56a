// The command that makes a run again, in words. Whether it does: tests/ui/same_run_test.cpp.
#include "engine/train/run_command.h"

#include <doctest/doctest.h>

#include <map>

#include "engine/train/trainer_state.h"
#include "tests/training_helpers.h"

namespace glassformer {
namespace {

std::map<std::string, std::string> by_name(const std::vector<std::string>& options) {
  std::map<std::string, std::string> values;
  for (const std::string& option : options) {
    const std::size_t equals = option.find('=');
    values[option.substr(2, equals == std::string::npos ? equals : equals - 2)] =
        equals == std::string::npos ? "" : option.substr(equals + 1);
  }
  return values;
}

}  // namespace

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
  CHECK(options.at("preset") == "tiny");
  CHECK(options.at("d-model") == "96");
  CHECK(options.at("norm") == "pre");
  CHECK_FALSE(options.contains("final-norm"));
  CHECK_FALSE(options.contains("heads"));
  CHECK_FALSE(options.contains("max-tokens"));
  CHECK(options.at("seed") == "9");
  CHECK(options.at("data-seed") == "4");
  CHECK(options.at("steps") == "30");
  CHECK(options.at("smoothing") == "0.1");
  CHECK_FALSE(options.contains("threads"));
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

TEST_CASE("the command is for a shell") {
  CHECK(shell_quoted("data/train-1.de") == "data/train-1.de");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("my pairs $HOME.tsv") == "'my pairs $HOME.tsv'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  Recipe recipe;
  recipe.data.training.corpus = "-my file.tsv";
  const std::string command = train_command(recipe, "-out");
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

}  // namespace glassformer
