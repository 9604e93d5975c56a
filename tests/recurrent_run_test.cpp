#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/files/atomic_file.h"
#include "engine/files/json_file.h"
#include "engine/files/read_file.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/recurrent/recurrent_decoder.h"
#include "engine/train/evaluation.h"
#include "engine/train/trainer.h"
#include "tests/recurrent_helpers.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

std::shared_ptr<const TrainingSet> words_to_reverse() {
  DataOptions options;
  options.training.task = "reverse";
  options.training.pairs = 300;
  options.training.toy = {.length = 4, .symbols = 6};
  return std::make_shared<const TrainingSet>(training_set(prepare_data(options), options));
}

RecurrentConfig config_of_run(const TrainingSet& data) {
  RecurrentConfig config;
  config.width = 12;
  config.source_vocab = data.tokenizers.source->size();
  config.target_vocab = data.tokenizers.target->size();
  config.max_length = 8;
  return config;
}

TrainingOptions options_of_run(long steps) {
  TrainingOptions options;
  options.batch_tokens = 300;
  options.schedule = "constant";
  options.peak = 0.01;
  options.warmup = 5;
  options.steps = steps;
  options.clip = 1;
  options.validate_every = 10;
  options.threads = 2;
  return options;
}

void learn_to_the_end(RecurrentTrainer& run) {
  while (true) {
    if (run.validation_due()) {
      run.validate();
    } else if (run.stop()) {
      break;
    } else {
      run.step();
    }
  }
}

// A run of some steps in a folder.
struct SavedRun {
  explicit SavedRun(long steps) {
    RecurrentTrainer run(data, config_of_run(*data), options_of_run(steps));
    learn_to_the_end(run);
    run.save(folder);
  }
  std::string said() const {
    return refusal([&] { RecurrentTrainer::resume(folder, data, 2); });
  }

  std::shared_ptr<const TrainingSet> data = words_to_reverse();
  ScratchFolder scratch;
  std::string folder = scratch.path("run");
};

}  // namespace

TEST_CASE("a recurrent run that was saved goes on to the bit as one that was never interrupted") {
  const SavedRun saved(25);
  RecurrentTrainer whole(saved.data, config_of_run(*saved.data), options_of_run(60));
  learn_to_the_end(whole);
  const auto resumed = RecurrentTrainer::resume(saved.folder, saved.data, 1);
  CHECK(resumed->step_count() == 25);
  CHECK(resumed->curves().validations.size() == 3);  // 10, 20, 25
  resumed->set_limits(60, 0, 0, 0);
  learn_to_the_end(*resumed);
  CHECK(numbers_of(*resumed->snapshot()->weights) == numbers_of(*whole.snapshot()->weights));
  REQUIRE(resumed->curves().steps.size() == 60);
  for (std::size_t i = 0; i < 60; ++i) CHECK(resumed->curves().steps[i].loss == whole.curves().steps[i].loss);
  CHECK(resumed->epoch() == whole.epoch());

  resumed->save(saved.folder);
  const RecurrentCheckpoint loaded = load_recurrent_checkpoint(saved.folder);
  CHECK(numbers_of(*loaded.model) == numbers_of(*resumed->kept()->weights));
  REQUIRE(loaded.tokenizers.source);
  const nlohmann::json record = read_json(saved.folder + "/training.json");
  CHECK(record.at("step") == 60);
  CHECK(record.at("options").at("clip") == 1);
  CHECK(record.at("curves").at("loss").size() == 60);
  int states = 0;
  for (const auto& entry : std::filesystem::directory_iterator(saved.folder))
    states += entry.path().filename().string().starts_with("last-");
  CHECK(states == 2);  // weights and optimizer of the newest
}

TEST_CASE("the best weights of a recurrent run translate, and its validation is that of the whole set") {
  const auto data = words_to_reverse();
  TrainingOptions options = options_of_run(40);
  RecurrentTrainer run(data, config_of_run(*data), options);
  CHECK(run.kept()->step == 0);
  std::shared_ptr<const RecurrentModel<float>> best;
  while (!run.stop() || run.validation_due()) {
    if (!run.validation_due()) {
      run.step();
      continue;
    }
    const auto point = run.validate();
    REQUIRE(point);
    if (point->best) best = run.snapshot()->weights;
    // Pair by pair, in double.
    double sum = 0;
    long words = 0;
    const RecurrentModel<double> exact = run.snapshot()->weights->cast<double>();
    for (const EncodedPair& pair : data->validation) {
      RecurrentSaved<double> saved;
      exact.forward(make_batch({&pair.source, 1}, {&pair.target, 1}, batch_config(exact.config)), saved);
      const Loss loss = exact.loss(saved, {.smoothing = options.smoothing});
      sum += loss.loss * static_cast<double>(loss.tokens);
      words += loss.tokens;
    }
    CHECK(point->loss == doctest::Approx(sum / static_cast<double>(words)).epsilon(1e-5));
  }
  CHECK(numbers_of(*run.kept()->weights) == numbers_of(*best));
  CHECK(run.stop()->message == "all 40 steps are done");
}

TEST_CASE("a recurrent run's folder that is broken, cut off or of other data is refused in one sentence") {
  const SavedRun saved(12);
  const auto refused = [&](const std::string& because) {
    const std::string said = saved.said();
    CAPTURE(said);
    CHECK(said.find(because) != std::string::npos);
    CHECK(said.starts_with(saved.folder));
    CHECK(said.find('\n') == std::string::npos);
  };
  CHECK(saved.said() == "no error");
  const std::string training = saved.folder + "/training.json",
                    state = saved.folder + "/last-12.optimizer.safetensors",
                    weights = saved.folder + "/last-12.weights.safetensors";
  const std::string record = read_file(training), numbers = read_file(state);

  const auto with = [&](const char* path, const nlohmann::json& value, const std::string& because) {
    nlohmann::json json = nlohmann::json::parse(record);
    json[nlohmann::json::json_pointer(path)] = value;
    write_atomically(training, json.dump());
    refused(because);
  };
  with("/format", 7, "of format 7");
  with("/step", 11, "contradict each other");
  with("/step", "many", "should be a whole number");
  with("/kept/step", 13, "contradict each other");
  with("/data/fingerprint", "other", "the data are not those");
  with("/files/weights", "../x", "leads elsewhere");
  with("/files/weights", "last-9.weights.safetensors", "without the state to go on from");
  with("/validation", nullptr, "not as this program writes it");
  write_atomically(training, record.substr(0, record.size() / 2));
  refused("training.json");
  write_atomically(training, record);

  write_atomically(state, numbers.substr(0, numbers.size() - 9));
  refused("last-12.optimizer.safetensors");
  write_atomically(state, read_file(weights));
  refused("too small for the model");
  write_atomically(state, numbers);
  const std::string config = read_file(saved.folder + "/config.json");
  nlohmann::json huge = nlohmann::json::parse(config);
  huge["width"] = 65536;
  write_atomically(saved.folder + "/config.json", huge.dump());
  refused("too small for the model");
  write_atomically(saved.folder + "/config.json", config);
  CHECK(saved.said() == "no error");
  std::filesystem::remove(training);
  refused("there is no training.json");
}

TEST_CASE("a recurrent run has a Transformer's history, means, live settings and recovery, and keeps them") {
  const auto data = words_to_reverse();
  TrainingOptions options = options_of_run(30);
  options.average = 2;
  ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  const auto learn = [&](RecurrentTrainer& run) {
    run.change_at(15, {.rate_scale = 0.5, .clip = 0.2});
    learn_to_the_end(run);
  };
  RecurrentTrainer whole(data, config_of_run(*data), options);
  learn(whole);
  options.steps = 12;
  {
    RecurrentTrainer part(data, config_of_run(*data), options);
    part.keep_history(1U << 20U);
    part.change_at(15, {.rate_scale = 0.5, .clip = 0.2});
    learn_to_the_end(part);
    part.save(folder);
  }
  const auto run = RecurrentTrainer::resume(folder, data, 1);
  REQUIRE(run->history().kept().size() == 13);
  RecurrentModel<float> begun(config_of_run(*data));
  begun.initialize(options.seed);
  CHECK(run->history().kept().front()->step() == 0);
  CHECK(run->history().kept().front()->snapshot()->weights->output_projection.weight.isApprox(
      begun.output_projection.weight, 1e-4F));
  run->set_limits(30, 0, 0);
  learn_to_the_end(*run);
  CHECK(run->live().clip == 0.2);
  CHECK(numbers_of(*run->snapshot()->weights) == numbers_of(*whole.snapshot()->weights));
  CHECK(numbers_of(*run->kept()->weights) == numbers_of(*whole.kept()->weights));
  CHECK(numbers_of(*run->kept()->weights) != numbers_of(*run->snapshot()->weights));  // a mean

  CHECK(refusal([&] { run->change({.dropout = 0.1}); }).find("no dropout") != std::string::npos);
  CHECK(run->plan_over());
  run->extend_plan();
  CHECK_FALSE(run->stop());
  run->step();
  CHECK(run->step_count() == 31);
}

TEST_CASE("a recurrent run's record has all that a Transformer's has") {
  const SavedRun saved(12);
  Config config;
  config.d_model = config.d_ff = 8;
  config.heads = config.encoder_layers = config.decoder_layers = 1;
  config.source_vocab = saved.data->tokenizers.source->size();
  config.target_vocab = saved.data->tokenizers.target->size();
  Trainer trainer(saved.data, config, options_of_run(12));
  trainer.save(saved.scratch.path("transformer"));
  const nlohmann::json recurrent = read_json(saved.folder + "/training.json");
  const nlohmann::json transformer = read_json(saved.scratch.path("transformer") + "/training.json");
  for (const auto& [key, value] : transformer.items()) {
    const auto& this_key = key;
    CAPTURE(this_key);
    CHECK(recurrent.contains(key));
  }
}

TEST_CASE("a recurrent run as the programs before saved it, without live settings, goes on to the bit") {
  const SavedRun saved(25);
  nlohmann::json record = read_json(saved.folder + "/training.json");
  for (const char* key : {"live", "later", "moments_from", "minutes_from", "averaged_steps", "what_ifs"})
    record.erase(key);
  write_atomically(saved.folder + "/training.json", record.dump());
  RecurrentTrainer whole(saved.data, config_of_run(*saved.data), options_of_run(40));
  learn_to_the_end(whole);
  const auto resumed = RecurrentTrainer::resume(saved.folder, saved.data, 1);
  CHECK(resumed->live() == whole.live());
  resumed->set_limits(40, 0, 0);
  learn_to_the_end(*resumed);
  CHECK(numbers_of(*resumed->snapshot()->weights) == numbers_of(*whole.snapshot()->weights));
}
