// A task and a model so small that a test trains in no time.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <memory>
#include <random>

#include "engine/model/transformer.h"
#include "engine/train/trainer.h"

namespace glassformer::testing {

// Sentences of 1 to 6 of 8 words, to be copied.
inline std::shared_ptr<const TrainingSet> copying_set() {
  std::mt19937 generator(11);
  const auto sentence = [&] {
    std::vector<int> ids(1 + generator() % 6);
    for (int& id : ids) id = 4 + static_cast<int>(generator() % 8);
    return ids;
  };
  auto set = std::make_shared<TrainingSet>();
  set->name = "copying";
  for (int i = 0; i < 300; ++i) {
    const auto ids = sentence();
    (i % 10 == 0 ? set->validation : set->training).push_back({ids, ids});
  }
  return set;
}

inline Config copying_config() {
  Config config;
  config.d_model = 16;
  config.heads = 2;
  config.d_ff = 32;
  config.encoder_layers = config.decoder_layers = 1;
  config.source_vocab = config.target_vocab = 12;
  config.max_length = 16;
  config.dropout = 0.1;
  return config;
}

inline TrainingOptions small_options() {
  TrainingOptions options;
  options.batch_tokens = 200;
  options.warmup = 20;
  options.validate_every = 5;
  options.threads = 2;
  return options;
}

// Steps and the validations that fall due.
inline void run(Trainer& trainer, int steps) {
  for (int i = 0; i < steps && !trainer.stop(); ++i) {
    trainer.step();
    if (trainer.validation_due()) trainer.validate();
  }
}

inline void set_rate_scale(Trainer& trainer, double scale) {
  LiveSettings live = trainer.live();
  live.rate_scale = scale;
  trainer.change(live);
}

// Everything that a save has to carry over: averages, dropout, patience, validations, a change on the way.
inline TrainingOptions demanding_options() {
  TrainingOptions options = small_options();
  options.average = 3;
  options.patience = 100;
  options.validate_every = 4;
  return options;
}

// Of a run that is not validated before explode().
inline TrainingOptions exploding_options() {
  TrainingOptions options = small_options();
  options.schedule = "constant";
  options.peak = 1e3;
  options.validate_every = 1000;
  return options;
}

// Makes it diverge within a few steps, by weights whose squares no float holds.
inline void explode(Trainer& trainer) {
  set_rate_scale(trainer, 1e6);
  run(trainer, 20);
  REQUIRE(trainer.stop());
  REQUIRE(trainer.stop()->reason == StopReason::diverged);
}

inline bool same_weights(const Snapshot& a, const Snapshot& b) {
  bool same = true;
  std::vector<Parameter<const float>> tensors;
  a.weights->visit([&](const std::string&, Parameter<const float> tensor) { tensors.push_back(tensor); });
  std::size_t next = 0;
  b.weights->visit([&](const std::string&, Parameter<const float> tensor) {
    const auto& other = tensors.at(next++);
    same = same && other.size() == tensor.size() &&
           std::memcmp(other.data, tensor.data, tensor.size() * sizeof(float)) == 0;
  });
  return same && next == tensors.size();
}

// All but the time.
inline void check_same_curves(const Curves& a, const Curves& b) {
  REQUIRE(a.steps.size() == b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    CHECK(a.steps[i].loss == b.steps[i].loss);
    CHECK(a.steps[i].learning_rate == b.steps[i].learning_rate);
    CHECK(a.steps[i].gradient_norm == b.steps[i].gradient_norm);
  }
  REQUIRE(a.validations.size() == b.validations.size());
  for (std::size_t i = 0; i < a.validations.size(); ++i) {
    CHECK(a.validations[i].step == b.validations[i].step);
    CHECK(a.validations[i].loss == b.validations[i].loss);
    CHECK(a.validations[i].nll == b.validations[i].nll);
    CHECK(a.validations[i].exact_match == b.validations[i].exact_match);
    CHECK(a.validations[i].best == b.validations[i].best);
  }
}

}  // namespace glassformer::testing
