// What Training does when it looks at a run while it learns; included by trainer.cpp alone.
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/math/error.h"
#include "engine/model/trace.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

std::size_t pairs_looked_at(const TrainingSet& data) {
  constexpr std::size_t kMostPairs = 8, kMostTokens = 512;  // a look costs less than a step
  std::size_t tokens = 0, count = 0;
  for (const EncodedPair& pair : data.validation.empty() ? data.training : data.validation) {
    tokens += pair.source.size() + pair.target.size();
    if (count > 0 && (count == kMostPairs || tokens > kMostTokens)) break;
    ++count;
  }
  return count;
}

namespace {

// The same ones each time; of the pairs to learn from when none are held out.
TraceInput pairs_to_look_at(const TrainingSet& data) {
  const auto& pairs = data.validation.empty() ? data.training : data.validation;
  TraceInput input;
  for (std::size_t i = 0; i < pairs_looked_at(data); ++i) {
    input.sources.push_back(pairs[i].source);
    input.targets.push_back(pairs[i].target);
  }
  return input;
}

}  // namespace

template <class Model>
void Training<Model>::keep_diagnosis() {
  state_->diagnosing = kIsTransformer<Model>;
}

template <class Model>
void TrainerState<Model>::look(const Model& before) {
  if constexpr (kIsTransformer<Model>) {
    const auto begin = std::chrono::steady_clock::now();
    Look found = look_at(record_trace(weights, pairs_to_look_at(*data)), config);
    found.step = step;
    found.gradient_norms = part_norms(gradient);
    found.update_ratios = update_ratios(before, weights);
    add_look(curves.diagnosis, std::move(found), validate_every);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
}

// What the embeddings of a run begin with, and which of their numbers do not learn.
template <class Model>
void TrainerState<Model>::begin_embeddings() {
  if constexpr (kIsTransformer<Model>) {
    const auto begin = [&](Matrix<float>& table, const std::shared_ptr<const GivenEmbeddings>& given,
                           const char* side) {
      if (table.size() == 0) return;
      if (options.unit_embeddings) table *= std::sqrt(static_cast<float>(config.d_model));
      if (given && given->width() != config.d_model)
        throw Error(std::string(side) + " embedding", "its vectors have " + std::to_string(given->width()) +
                                                          " numbers, but the model is " +
                                                          std::to_string(config.d_model) + " wide");
      for (Eigen::Index id = 0; given && id < table.rows(); ++id)
        if (given->found[static_cast<std::size_t>(id)]) table.row(id) = given->rows.row(id);
      if (options.zero_pad) table.row(config.pad_id).setZero();
    };
    // Of a shared matrix the target's count, where both have one.
    if (weights.shares_all()) begin(weights.target_embedding, data->source_vectors, "source");
    begin(weights.source_embedding, data->source_vectors, "source");
    begin(weights.target_embedding, data->target_vectors, "target");
  }
}

template <class Model>
void TrainerState<Model>::hold_still() {
  if constexpr (kIsTransformer<Model>) {
    const bool all = weights.shares_all();
    const bool source = options.freeze.find("source") != std::string::npos,
               target = options.freeze.find("target") != std::string::npos;
    if (source && !all) gradient.source_embedding.setZero();
    if (target || (source && all)) gradient.target_embedding.setZero();
    if (!options.zero_pad) return;
    if (gradient.source_embedding.size() > 0) gradient.source_embedding.row(config.pad_id).setZero();
    gradient.target_embedding.row(config.pad_id).setZero();
  }
}

namespace {

constexpr std::size_t kWindow = 50;  // steps that are looked back at
constexpr double kJump = 10;         // how much larger than usual a gradient must be to be called growing
constexpr double kFar = 2;           // times the loss it began with

std::string short_text(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return "infinite";
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
  return {text, end};
}

double median_norm(const StepSeries& steps) {
  std::vector<float> norms;
  for (std::size_t i = steps.size() - std::min(steps.size(), kWindow); i < steps.size(); ++i)
    norms.push_back(steps[i].gradient_norm);
  if (norms.empty()) return 0;
  const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
  std::nth_element(norms.begin(), middle, norms.end());
  return static_cast<double>(*middle);
}

// Of the first step, or of a model that gives every word the same chance, whichever is larger: who continues
// with a trained model may lose what it knew.
template <class Model>
double loss_at_start(const TrainerState<Model>& state) {
  return std::max(static_cast<double>(state.curves.steps.front().loss),
                  std::log(static_cast<double>(state.config.target_vocab)));
}

// Half of what it was; of a peak far above what the paper's formula gives for this width and warm-up, that
// peak.
template <class Model>
double slower_scale(const TrainerState<Model>& state) {
  constexpr double kFarAbove = 4;
  constexpr long kLeastWarmup = 400;
  const double half = std::min(state.live.rate_scale, 1.0) / 2, planned = state.schedule.peak_rate();
  const double usual =
      Schedule{.warmup = std::max(kLeastWarmup, state.schedule.warmup), .d_model = width_of(state.config)}
          .peak_rate();
  return half * planned > kFarAbove * usual ? usual / planned : half;
}

}  // namespace

template <class Model>
void TrainerState<Model>::go_back() {
  weights_step = good_step();
  if (kept) {
    weights = *kept->weights;
  } else if (start) {
    weights = *start;
  } else {
    weights.initialize(options.seed);
  }
}

template <class Model>
long TrainerState<Model>::good_step() const {
  if (kept) return kept->step;
  return start ? start_step : 0;
}

template <class Model>
bool stays_far_above_start(const TrainerState<Model>& state) {
  const StepSeries& steps = state.curves.steps;
  const auto begun = static_cast<std::size_t>(state.moments_from);  // or begun again
  if (steps.size() < begun + kWindow) return false;
  const std::size_t from = steps.size() - kWindow;
  const double lowest =
      static_cast<double>(steps[steps.extremes(&StepPoint::loss, from, steps.size()).low].loss);
  return lowest > kFar * loss_at_start(state);
}

template <class Model>
std::string divergence_message(const TrainerState<Model>& state, long step, double loss,
                               double gradient_norm) {
  const double rate = state.schedule.rate(step) * state.live.rate_scale;
  const auto& steps = state.curves.steps;
  const double last_norm = steps.empty() ? 0 : static_cast<double>(steps.back().gradient_norm);
  const bool finite = std::isfinite(loss) && std::isfinite(gradient_norm);

  std::string text = "step " + std::to_string(step) + ": the ";
  if (finite)
    text += "loss is " + short_text(loss) + " and was above " + short_text(kFar * loss_at_start(state)) +
            ", twice an untrained model's, for " + std::to_string(kWindow) + " steps";
  else
    text += std::isfinite(loss) ? "gradient is " + short_text(gradient_norm) : "loss is " + short_text(loss);
  text += ", so the run has diverged and stopped. ";
  if (steps.empty()) {
    text += "It happened at once: look for huge weights in the model it started from";
  } else if (rate == 0) {
    text +=
        "The learning rate is 0 here: the cause lies in the steps before, or in the weights it started from";
  } else {
    text += "The learning rate is probably too high (" + short_text(rate) + ")";
    if (!finite && last_norm > kJump * median_norm(steps))
      text += ": the gradient's norm had grown to " + short_text(last_norm);
    std::vector<std::string> ways{state.live.rate_scale > 1 ? "it had been raised: set it back"
                                  : state.schedule.kind == ScheduleKind::noam ? "lower the factor"
                                                                              : "lower the peak"};
    if (state.schedule.kind == ScheduleKind::constant)
      ways.push_back("warm up");
    else if (step <= state.schedule.warmup)
      ways.push_back("warm up for longer");
    if (state.live.clip == 0) ways.push_back("clip the gradients at 1");
    for (std::size_t i = 0; i < ways.size(); ++i)
      text += (i == 0 ? "; " : i + 1 == ways.size() ? " or " : ", ") + ways[i];
  }
  return text + ". The weights of step " + std::to_string(state.good_step()) + " are kept.";
}

template <class Model>
void Training<Model>::recover() {
  TrainerState<Model>& s = *state_;
  if (!s.divergence) return;
  s.divergence.reset();
  const bool changed_since = s.curves.marks.back().change.has_value();  // the last mark was that of the end
  s.curves.marks.push_back(
      {.step = s.step,
       .text = "on with the weights of step " + std::to_string(s.good_step()) + ", Adam anew"});
  if (!changed_since) {
    LiveSettings slower = s.live;
    slower.rate_scale = slower_scale(s);
    change(slower);
  }
  if (!s.kept) {
    s.start_step = s.weights_step;
    s.start = std::make_shared<const Model>(s.weights);
  }
  s.first_moment.set_zero();
  s.second_moment.set_zero();
  s.moments_from = s.step;
  s.recent.clear();
  s.without_improvement = 0;
}

}  // namespace glassformer
