// The losses of a batch under one set of changes after another, and the bound that saves most of the work.
#include "engine/model/what_if/loss_meter.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "random_models.h"

namespace glassformer::loss_meter_test {

constexpr double kSmoothing = 0.1;

// So many that most are nobody's answer.
Config with_many_words(Config config) {
  config.target_vocab = 400;
  if (config.sharing == Sharing::all) config.source_vocab = config.target_vocab;
  return config;
}

TEST_CASE("a loss without looking in is the loss of a pass that is looked into") {
  std::vector<NamedConfig> configs = varied_configs();
  for (const NamedConfig& each : varied_configs())
    configs.push_back({each.name + ", many words", with_many_words(each.config)});
  for (const NamedConfig& each : configs) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<float>(each.config, 19);
    const Batch batch = random_batch(each.config, 5);
    const LossJob job{.model = model, .batch = batch, .smoothing = kSmoothing};
    LossMeter meter(job);
    // Any set of parts, and twice the same, so that what was kept is used.
    Random random(3);
    std::vector<Change> parts = every_head(model);
    std::ranges::copy(every_sub_block(model), std::back_inserter(parts));
    for (int round = 0; round < 12; ++round) {
      WhatIf muted;
      for (const Change& part : parts)
        if (random.uniform(0, 1) < 0.3) muted.changes.push_back(part);
      if (muted.empty()) continue;
      // Whichever is last: what came to it is kept.
      std::ranges::rotate(muted.changes,
                          muted.changes.begin() + random.below(static_cast<int>(muted.changes.size())));
      WhatIf looked_into = muted;  // times 0 goes through the tap
      for (Change& change : looked_into.changes) change.by = Replacement::times, change.amount = 0;
      const MeanLoss found = meter.with(muted), wanted = loss_with(job, looked_into);
      CHECK(found.mean == doctest::Approx(wanted.mean).epsilon(1e-5));
      CHECK(found.right == wanted.right);
      for (std::size_t i = 0; i < wanted.of_sentence.size(); ++i)
        CHECK(found.of_sentence[i] == doctest::Approx(wanted.of_sentence[i]).epsilon(1e-5));
      CHECK(meter.with(muted).mean == found.mean);
      CHECK(LossMeter(job).with(muted).of_sentence == found.of_sentence);
      double over_sentences = 0;
      for (const double own : found.of_sentence) over_sentences += own;
      over_sentences /= static_cast<double>(found.of_sentence.size());
      const auto below = meter.within(muted, over_sentences + 1e-3);
      REQUIRE(below);
      CHECK(below->mean == found.mean);
      CHECK_FALSE(meter.within(muted, over_sentences - 1e-3));
      CHECK_FALSE(meter.within(muted, over_sentences - 1e-6));
    }
  }
}

TEST_CASE("heads muted one after another lose what each set of them loses alone, to the bit") {
  const Transformer<float> model = random_model<float>(small_config(), 31);
  const Batch batch = random_batch(model.config, 20);
  const LossJob job{.model = model, .batch = batch, .smoothing = kSmoothing};
  LossMeter meter(job);
  const std::vector<Change> heads = every_head(model);
  WhatIf muted;
  for (std::size_t round = 0; round < heads.size(); ++round) {
    for (const Change& head : heads) {
      WhatIf with = muted;
      with.changes.push_back(head);
      CHECK(meter.with(with).of_sentence == LossMeter(job).with(with).of_sentence);
    }
    muted.changes.push_back(heads[(5 * round + 3) % heads.size()]);  // encoder and decoder by turns
  }
  Change nowhere = heads.back();
  nowhere.block.layer = 99;
  WhatIf with = muted;
  with.changes.push_back(nowhere);
  CHECK(meter.with(with).of_sentence == meter.with(muted).of_sentence);
}

TEST_CASE("the bound of a loss is never above it, and is the loss where other words are alike") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    Transformer<float> model = random_model<float>(with_many_words(each.config), 23);
    Batch batch = random_batch(model.config, 8);
    std::vector<int> padded(batch.target_out.ids().begin(), batch.target_out.ids().end());
    padded.back() = model.config.pad_id;
    const auto check = [&](double smoothing, double most_apart) {
      const LossBound bound(model, batch.target_out, smoothing);
      CHECK(bound.saves_work());
      Saved<float> saved;
      model.forward(batch, saved);
      std::vector<double> bounds(padded.size());
      bound.losses(*saved.decoder_output, padded, bounds);
      CHECK(bounds.back() == 0);
      for (std::size_t row = 0; row + 1 < padded.size(); ++row) {
        const RowVector<double> logits = saved.logits.row(static_cast<Eigen::Index>(row)).cast<double>();
        const double loss = std::log(logits.array().exp().sum()) - (1 - smoothing) * logits[padded[row]] -
                            smoothing * logits.mean();
        CHECK(bounds[row] < loss + 1e-5);
        CHECK(bounds[row] > loss - most_apart);
      }
    };
    check(0, std::numeric_limits<double>::infinity());
    check(kSmoothing, std::numeric_limits<double>::infinity());
    // All others get the logits of one of them.
    if (model.shares_output()) continue;
    const int other = model.config.target_vocab - 1;
    REQUIRE_FALSE(batch.target_out.contains(other));
    Linear<float>& output = model.output_projection;
    for (int word = 0; word < other; ++word) {
      if (batch.target_out.contains(word)) continue;
      output.weight.row(word) = output.weight.row(other);
      if (output.bias.size() > 0) output.bias[word] = output.bias[other];
    }
    check(kSmoothing, 1e-5);
  }
}

TEST_CASE("a loss within a limit is the same on any number of threads, whatever was passed before") {
  const Transformer<float> model = random_model<float>(with_many_words(small_config()), 29);
  Random random(5);
  std::vector<int> lengths;
  for (int i = 0; i < 36; ++i) lengths.push_back(i % 5);
  const auto target = random_sentences(lengths, model.config.target_vocab, random);
  const auto source =
      random_sentences(std::vector<int>(lengths.size(), 3), model.config.source_vocab, random);
  const Batch batch = make_batch(source, target, model.config);
  REQUIRE(LossBound(model, batch.target_out, kSmoothing).saves_work());
  WorkerPool pool(3);
  const LossJob alone{.model = model, .batch = batch, .smoothing = kSmoothing};
  const LossJob shared{.model = model, .batch = batch, .smoothing = kSmoothing, .pool = &pool};
  LossMeter one(alone), three(shared);
  for (const Change& head : every_head(model)) {
    const WhatIf muted{{head}};
    const MeanLoss wanted = loss_with(alone, muted);
    double mean = 0;
    for (const double own : wanted.of_sentence) mean += own / batch.sentences();
    for (LossMeter* meter : {&one, &three}) {
      const auto found = meter->within(muted, mean + 1e-3);
      REQUIRE(found);
      CHECK(found->of_sentence == wanted.of_sentence);
      CHECK(found->right == wanted.right);
      CHECK_FALSE(meter->within(muted, mean - 1e-3));
    }
  }
}

}  // namespace glassformer::loss_meter_test
