#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/recurrent/recurrent_decoder.h"
#include "engine/train/batches.h"
#include "engine/train/length_race.h"
#include "engine/train/trainer.h"
#include "tests/recurrent_helpers.h"
#include "tests/refusal.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using glassformer::testing::refusal;

namespace {

// One to four of six words, to be written the other way round.
std::shared_ptr<const TrainingSet> reversing_set() {
  DataOptions options;
  options.training.task = "reverse";
  options.training.pairs = 1000;
  options.training.toy = {.length = 4, .symbols = 6};
  return std::make_shared<const TrainingSet>(training_set(prepare_data(options), options));
}

RecurrentConfig config_for(const TrainingSet& data, RecurrentAttention attention, int width) {
  RecurrentConfig config;
  config.width = width;
  config.source_vocab = data.tokenizers.source->size();
  config.target_vocab = data.tokenizers.target->size();
  config.max_length = 8;
  config.recurrent_attention = attention;
  return config;
}

TrainingOptions cosine_options(long steps) {
  TrainingOptions options;
  options.batch_tokens = 400;
  options.schedule = "cosine";
  options.peak = 0.01;
  options.warmup = 20;
  options.steps = steps;
  options.clip = 1;
  options.threads = 2;
  return options;
}

std::vector<StepReport> run_of(RecurrentTrainer& learner) {
  std::vector<StepReport> reports;
  while (!learner.stop()) reports.push_back(learner.step());
  return reports;
}

// All but the time.
void check_same_run(const std::vector<StepReport>& a, const std::vector<StepReport>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(a[i].step == static_cast<long>(i) + 1);
    CHECK(a[i].loss == b[i].loss);
    CHECK(a[i].gradient_norm == b[i].gradient_norm);
    CHECK(a[i].learning_rate == b[i].learning_rate);
    CHECK(a[i].tokens == b[i].tokens);
    CHECK(a[i].epoch == b[i].epoch);
  }
}

}  // namespace

TEST_CASE("recurrent learner: one seed is one run to the bit on any number of threads, another another") {
  const auto data = reversing_set();
  for (const auto attention : {RecurrentAttention::none, RecurrentAttention::additive}) {
    const RecurrentConfig config = config_for(*data, attention, 16);
    TrainingOptions options = cosine_options(40);
    RecurrentTrainer learner(data, config, options), again(data, config, options);
    const auto reports = run_of(learner);
    REQUIRE(reports.size() == 40);
    check_same_run(reports, run_of(again));
    CHECK(numbers_of(*learner.snapshot()->weights) == numbers_of(*again.snapshot()->weights));
    for (const int threads : {1, 3}) {
      options.threads = threads;
      RecurrentTrainer other(data, config, options);
      check_same_run(reports, run_of(other));
      CHECK(numbers_of(*learner.snapshot()->weights) == numbers_of(*other.snapshot()->weights));
    }
    options.seed = 2;
    RecurrentTrainer other(data, config, options);
    CHECK(other.step().loss != reports.front().loss);
  }
}

TEST_CASE("recurrent learner: the first step is the model's own loss, gradient and Adam on the first batch") {
  const auto data = reversing_set();
  const RecurrentConfig config = config_for(*data, RecurrentAttention::dot, 12);
  TrainingOptions options = cosine_options(10);
  options.seed = 5;
  options.clip = 0.01;
  RecurrentTrainer learner(data, config, options);
  const StepReport report = learner.step();

  // The batch that the Trainer of these options would begin with, too.
  std::vector<PairLength> lengths;
  for (const EncodedPair& pair : data->training)
    lengths.push_back({static_cast<int>(pair.source.size()) + 1, static_cast<int>(pair.target.size()) + 1});
  const BatchPlan plan = plan_epoch(lengths, options.batch_tokens, options.seed, 0);
  Sentences pairs;
  for (const int index : plan.front()) {
    pairs.sources.push_back(data->training[static_cast<std::size_t>(index)].source);
    pairs.targets.push_back(data->training[static_cast<std::size_t>(index)].target);
  }
  const Batch batch = batch_of(config, pairs);
  RecurrentModel<float> model(config), gradient(config);
  model.initialize(options.seed);
  RecurrentSaved<float> saved;
  model.forward(batch, saved);
  const Loss loss = model.loss(saved, {.smoothing = options.smoothing, .gradient = true});
  model.backward(saved, gradient);
  CHECK(report.loss == loss.loss);
  CHECK(report.tokens == batch.tokens());
  CHECK(report.epoch == doctest::Approx(1.0 / static_cast<double>(plan.size())));
  CHECK(report.learning_rate == doctest::Approx(0.01 / 20));
  double squares = 0;
  const std::vector<float> before = numbers_of(model), slope = numbers_of(gradient),
                           after = numbers_of(*learner.snapshot()->weights);
  for (const float number : slope) squares += static_cast<double>(number) * static_cast<double>(number);
  CHECK(report.gradient_norm == doctest::Approx(std::sqrt(squares)));
  REQUIRE(std::sqrt(squares) > options.clip);
  // Adam's first step is the rate against the sign, less what eps takes; clipping changes the gradient alone.
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double g = static_cast<double>(slope[i]) * options.clip / (std::sqrt(squares) + 1e-6);
    const double wanted = static_cast<double>(before[i]) - 0.01 / 20 * g / (std::abs(g) + 1e-9);
    if (std::abs(g) > 1e-6) worst = std::max(worst, std::abs(wanted - static_cast<double>(after[i])));
  }
  CHECK(worst < 1e-6);
}

TEST_CASE("recurrent learner: batches come in the order of a Trainer of the same options") {
  const auto data = reversing_set();
  const TrainingOptions options = cosine_options(30);
  RecurrentTrainer learner(data, config_for(*data, RecurrentAttention::none, 8), options);
  Config config = testing::copying_config();
  config.source_vocab = config.target_vocab = data->tokenizers.source->size();
  Trainer trainer(data, config, options);
  CHECK(learner.schedule().total_steps == trainer.schedule().total_steps);
  for (int i = 0; i < 30; ++i) {
    const StepReport a = learner.step(), b = trainer.step();
    CHECK(a.tokens == b.tokens);
    CHECK(a.epoch == b.epoch);
    CHECK(a.learning_rate == b.learning_rate);
  }
  CHECK(learner.epoch() > 1);
  CHECK(learner.stop());
}

TEST_CASE("recurrent learner: a batch in parts has the loss and the gradient of the whole") {
  const auto data = reversing_set();
  const RecurrentConfig config = config_for(*data, RecurrentAttention::additive, 8);
  TrainingOptions options = cosine_options(1);
  options.batch_tokens = 100'000;  // all of it: more than goes through at once
  RecurrentTrainer learner(data, config, options);
  const StepReport report = learner.step();
  REQUIRE(report.tokens > 8192);
  Sentences pairs;
  for (const EncodedPair& pair : data->training) {
    pairs.sources.push_back(pair.source);
    pairs.targets.push_back(pair.target);
  }
  RecurrentModel<double> model(config), gradient(config);
  RecurrentModel<float> begun(config);
  begun.initialize(options.seed);
  model = begun.cast<double>();
  RecurrentSaved<double> saved;
  model.forward(batch_of(config, pairs), saved);
  CHECK(report.loss ==
        doctest::Approx(model.loss(saved, {.smoothing = 0.1, .gradient = true}).loss).epsilon(1e-5));
  model.backward(saved, gradient);
  double squares = 0;
  for (const double number : numbers_of(gradient)) squares += number * number;
  CHECK(report.gradient_norm == doctest::Approx(std::sqrt(squares)).epsilon(1e-4));
}

TEST_CASE("recurrent learner: with attention one to four words are learned to be written backwards") {
  const auto data = reversing_set();
  for (const auto attention : {RecurrentAttention::additive, RecurrentAttention::dot}) {
    CAPTURE(static_cast<int>(attention));
    const RecurrentConfig config = config_for(*data, attention, 32);
    TrainingOptions options = cosine_options(800);
    options.smoothing = 0;
    RecurrentTrainer learner(data, config, options);
    const auto reports = run_of(learner);
    CHECK(reports.front().loss > 1.5);
    CHECK(reports.back().loss < 0.1);

    // Sentences that it has never seen, by their lengths.
    std::vector<std::vector<int>> sources, written;
    for (const EncodedPair& pair : data->validation) {
      sources.push_back(pair.source);
      sources.back().push_back(config.eos_id);
    }
    for (const DecodeResult& result : decode(*learner.snapshot()->weights, sources, {}))
      written.push_back(result.ids);
    const auto scores = length_scores(data->validation, written, config.eos_id);
    REQUIRE(scores.size() == 4);
    long pairs = 0, right = 0;
    for (const LengthScore& score : scores) {
      pairs += score.pairs;
      right += score.right;
    }
    CHECK(pairs == std::ssize(data->validation));
    CHECK(static_cast<double>(right) >= 0.95 * static_cast<double>(pairs));
    CHECK(scores.back().pairs > 10);
  }
}

TEST_CASE("recurrent learner: what is not finite ends the run, no step is made of it, and it can go on") {
  const auto data = reversing_set();
  const RecurrentConfig config = config_for(*data, RecurrentAttention::dot, 8);
  RecurrentTrainer learner(data, config, cosine_options(50));
  learner.step();
  // No rate brings a recurrent model there: gates and states are bounded. A damaged number does.
  auto damaged = std::make_shared<RecurrentModel<float>>(*learner.snapshot()->weights);
  damaged->output_projection.bias[5] = std::numeric_limits<float>::infinity();
  SnapshotOf<RecurrentModel<float>> from = *learner.snapshot();
  from.weights = damaged;
  const auto run = RecurrentTrainer::begin_with(from, "a damaged model", 0, data, cosine_options(50));
  const StepReport report = run->step();
  CHECK(!std::isfinite(report.loss));
  REQUIRE(run->stop());
  CHECK(run->stop()->reason == StopReason::diverged);
  CHECK(run->step_count() == 0);
  CHECK(numbers_of(*run->snapshot()->weights) == numbers_of(*damaged));
  CHECK(run->step().tokens == report.tokens);
  run->recover();
  CHECK_FALSE(run->stop());
}

TEST_CASE("recurrent learner: data and options that do not fit are refused") {
  const auto data = reversing_set();
  const RecurrentConfig fits = config_for(*data, RecurrentAttention::dot, 8);
  const auto refused = [&](const TrainingSet& set, const RecurrentConfig& config,
                           const TrainingOptions& options) {
    return refusal([&] { RecurrentTrainer(std::make_shared<const TrainingSet>(set), config, options); });
  };
  const TrainingOptions good = cosine_options(5);
  CHECK(refused(*data, fits, good) == "no error");
  RecurrentConfig config = fits;
  config.max_length = 4;
  CHECK(refused(*data, config, good).find("training data: a ") == 0);
  config = fits;
  config.target_vocab = 8;
  CHECK(refused(*data, config, good).find("outside the vocabulary of 8") != std::string::npos);
  TrainingSet set = *data;
  set.validation.push_back({{4, 99}, {4}});
  CHECK(refused(set, fits, good).find("validation data: the id 99") == 0);
  set.training.clear();
  CHECK(refused(set, fits, good).find("no sentence pair") != std::string::npos);
  TrainingOptions options = good;
  options.mask_future = false;
  CHECK(refused(*data, fits, options).find("mask_future") != std::string::npos);
  options = good;
  options.schedule = "sideways";
  CHECK(refused(*data, fits, options).find("schedule") != std::string::npos);
  config = fits;
  config.layers = 0;
  CHECK(refused(*data, config, good).find("layers") != std::string::npos);
}

TEST_CASE("recurrent learner: a snapshot stays what it was, and limits end the run") {
  const auto data = reversing_set();
  TrainingOptions options = cosine_options(0);
  options.epochs = 1.5;
  RecurrentTrainer learner(data, config_for(*data, RecurrentAttention::dot, 8), options);
  learner.step();
  const auto kept = learner.snapshot();
  const auto numbers = numbers_of(*kept->weights);
  CHECK(numbers == numbers_of(*learner.snapshot()->weights));
  run_of(learner);
  CHECK(numbers == numbers_of(*kept->weights));
  CHECK(numbers != numbers_of(*learner.snapshot()->weights));
  CHECK(learner.epoch() == doctest::Approx(1.5).epsilon(0.1));
  CHECK(learner.seconds() > 0);
}
