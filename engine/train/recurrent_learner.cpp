#include "engine/train/recurrent_learner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "engine/layers/adam.h"
#include "engine/math/error.h"
#include "engine/train/limits.h"

namespace glassformer {
namespace {

constexpr long kTokensAtOnce = 8192;

int threads_for(const TrainingOptions& options) {
  if (options.threads > 0) return options.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

PairLength length_of(const EncodedPair& pair, const RecurrentConfig& config) {
  return {.source = static_cast<int>(pair.source.size()) + (config.source_eos ? 1 : 0),
          .target = static_cast<int>(pair.target.size()) + 1};
}

// As it is read, from the first pair on; throws Error on pairs that do not fit the model.
Batch batch_of_pairs(const std::vector<EncodedPair>& pairs, std::span<const int> indices,
                     const RecurrentConfig& config) {
  std::vector<std::vector<int>> sources, targets;
  for (const int index : indices) {
    sources.push_back(pairs[static_cast<std::size_t>(index)].source);
    targets.push_back(pairs[static_cast<std::size_t>(index)].target);
  }
  return make_batch(sources, targets, batch_config(config));
}

void check_fit(const std::vector<EncodedPair>& pairs, const RecurrentConfig& config,
               const std::string& what) {
  const Config batch = batch_config(config);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    try {
      make_batch({&pairs[i].source, 1}, {&pairs[i].target, 1}, batch);
    } catch (const Error& error) {
      throw Error(what, "pair " + std::to_string(i + 1) + ", " + error.what());
    }
  }
}

}  // namespace

RecurrentLearner::RecurrentLearner(std::shared_ptr<const TrainingSet> data, const RecurrentConfig& config,
                                   const TrainingOptions& options)
    : data_(std::move(data)),
      options_(options),
      pool_(threads_for(options)),
      weights_(config),
      gradient_(config),
      first_moment_(config),
      second_moment_(config) {
  check(options_);
  if (!options_.mask_future)
    throw Error("training", "mask_future must be true: a recurrent decoder cannot see the words to come");
  if (options_.zero_after_softmax || options_.softmax_twice || options_.extra_padding > 0 ||
      !options_.freeze.empty() || options_.zero_pad || options_.unit_embeddings)
    throw Error("training",
                "zero_after_softmax, softmax_twice, extra_padding, freeze, zero_pad and unit_embeddings are "
                "for Transformers alone");
  check_data();
  for (const EncodedPair& pair : data_->training) lengths_.push_back(length_of(pair, config));
  plan_this_epoch();
  batches_per_epoch_ = static_cast<long>(plan_.size());
  long total_steps = options_.total_steps > 0 ? options_.total_steps : options_.steps;
  if (total_steps == 0) total_steps = std::lround(options_.epochs * static_cast<double>(plan_.size()));
  schedule_ = {.kind = schedule_kind(options_.schedule),
               .factor = options_.factor,
               .warmup = options_.warmup,
               .peak = options_.peak,
               .total_steps = total_steps,
               .d_model = config.width};
  check(schedule_);
  saved_.pool = &pool_;
  list_tensors();
  weights_.initialize(options_.seed);
}

void RecurrentLearner::check_data() const {
  if (data_->training.empty())
    throw Error("training", "there is no sentence pair to learn from; give more data");
  check_fit(data_->training, weights_.config, "training data");
  check_fit(data_->validation, weights_.config, "validation data");
}

void RecurrentLearner::list_tensors() {
  weights_.visit([&](const std::string&, Parameter<float> tensor) {
    tensors_.push_back({.weights = tensor.data, .size = tensor.size()});
  });
  std::size_t i = 0;
  gradient_.visit([&](const std::string&, Parameter<float> tensor) { tensors_[i++].gradient = tensor.data; });
  i = 0;
  first_moment_.visit(
      [&](const std::string&, Parameter<float> tensor) { tensors_[i++].first_moment = tensor.data; });
  i = 0;
  second_moment_.visit(
      [&](const std::string&, Parameter<float> tensor) { tensors_[i++].second_moment = tensor.data; });
  squares_.resize(tensors_.size());
}

void RecurrentLearner::plan_this_epoch() {
  plan_ = plan_epoch(lengths_, options_.batch_tokens, options_.seed, epoch_);
}

std::vector<Batch> RecurrentLearner::next_batch() const {
  const std::span<const int> pairs = plan_[place_];
  std::vector<Batch> parts;
  long tokens = 0;
  std::size_t first = 0;
  const auto cut = [&](std::size_t end) {
    parts.push_back(batch_of_pairs(data_->training, pairs.subspan(first, end - first), weights_.config));
    first = end;
    tokens = 0;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const int length = lengths_[static_cast<std::size_t>(pairs[i])].total();
    if (i > first && tokens + length > kTokensAtOnce) cut(i);
    tokens += length;
  }
  cut(pairs.size());
  return parts;
}

Loss RecurrentLearner::loss_and_gradient(const std::vector<Batch>& parts) {
  LossOptions options;
  options.smoothing = options_.smoothing;
  options.gradient = true;
  for (const Batch& part : parts) options.words += part.target_words(weights_.config.pad_id);
  LossSums sums;
  for (const Batch& part : parts) {
    weights_.forward(part, saved_);
    weights_.loss(saved_, options);
    weights_.backward(saved_, gradient_, &part != parts.data());
    for (const LossSums& chunk : saved_.losses) sums.add(chunk);
  }
  return mean_of(sums, options.smoothing, weights_.config.target_vocab);
}

double RecurrentLearner::gradient_norm() {
  run_on(&pool_, static_cast<int>(tensors_.size()), [&](int index) {
    const auto i = static_cast<std::size_t>(index);
    const Eigen::Map<const Eigen::ArrayXf> numbers(tensors_[i].gradient,
                                                   static_cast<Eigen::Index>(tensors_[i].size));
    squares_[i] = numbers.cast<double>().square().sum();
  });
  double sum = 0;
  for (const double square : squares_) sum += square;
  return std::sqrt(sum);
}

StepReport RecurrentLearner::step() {
  if (diverged_) return last_;
  const auto begin = std::chrono::steady_clock::now();
  const long step = step_ + 1;
  const std::vector<Batch> parts = next_batch();
  const Loss loss = loss_and_gradient(parts);
  const double norm = gradient_norm();
  last_ = {.step = step_,
           .loss = loss.loss,
           .learning_rate = schedule_.rate(step),
           .gradient_norm = norm,
           .epoch = epoch()};
  for (const Batch& part : parts) last_.tokens += part.tokens();
  diverged_ = !std::isfinite(loss.loss) || !std::isfinite(norm);
  if (diverged_) return last_;

  const AdamStep adam{.step = step,
                      .rate = last_.learning_rate,
                      .gradient_scale = clip_scale(norm, options_.clip),
                      .options = {}};
  run_on(&pool_, static_cast<int>(tensors_.size()), [&](int index) {
    const Tensor& tensor = tensors_[static_cast<std::size_t>(index)];
    adam_update(tensor.weights, tensor.gradient, tensor.first_moment, tensor.second_moment, tensor.size,
                adam);
  });
  step_ = step;
  if (++place_ == plan_.size()) {
    ++epoch_;
    place_ = 0;
    plan_this_epoch();
  }
  last_.step = step;
  last_.epoch = epoch();
  last_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  seconds_ += last_.seconds;
  return last_;
}

void RecurrentLearner::go_on_from(const Place& place, const Schedule& schedule, const Fill& fill) {
  if (place.step < 0 || place.epoch < 0)
    throw Error("training", "a run cannot go on from before its beginning");
  step_ = place.step;
  epoch_ = place.epoch;
  seconds_ = place.seconds;
  schedule_ = schedule;
  plan_this_epoch();
  if (place.batch >= plan_.size())
    throw Error("training", "the run stands at batch " + std::to_string(place.batch + 1) + " of " +
                                std::to_string(plan_.size()) + "; its numbers contradict each other");
  place_ = place.batch;
  fill(weights_, first_moment_, second_moment_);
}

void RecurrentLearner::set_limits(long steps, double epochs, double minutes, int patience) {
  TrainingOptions options = options_;
  options.steps = steps;
  options.epochs = epochs;
  options.minutes = minutes;
  options.patience = patience;
  options.total_steps = schedule_.total_steps;
  check(options);
  options_ = options;
}

bool RecurrentLearner::over() const {
  const RunProgress progress{
      .step = step_, .epoch = epoch(), .seconds = seconds_, .time_limit = 60 * options_.minutes};
  return diverged_ || limit_reached(options_, progress);
}

std::shared_ptr<const RecurrentModel<float>> RecurrentLearner::snapshot() const {
  return std::make_shared<const RecurrentModel<float>>(weights_);
}

double RecurrentLearner::epoch() const {
  return static_cast<double>(epoch_) + static_cast<double>(place_) / static_cast<double>(plan_.size());
}

}  // namespace glassformer
