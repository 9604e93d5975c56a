// Training with padding on purpose: what it changes, by which of the three masks are there.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "engine/model/training_pass.h"
#include "tests/naive_pass.h"
#include "tests/random_models.h"
#include "tests/stride.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

constexpr std::array kEncoder{false, true, true}, kDecoder{true, false, true}, kCross{true, true, false},
    kMasked{true, true, true}, kSeen{false, false, false};

struct LossAndGradient {
  double loss = 0;
  std::vector<double> gradient;  // of every number of the model
};

LossAndGradient learned(const Transformer<double>& model, const Batch& batch) {
  Saved<double> saved;
  Transformer<double> gradient(model.config);
  LossAndGradient result{.loss = training_pass(model, batch, 0.1, saved, gradient).loss};
  gradient.visit([&](const std::string&, Parameter<double> tensor) {
    result.gradient.insert(result.gradient.end(), tensor.data, tensor.data + tensor.size());
  });
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

Batch padded(const Batch& batch, const Config& config, const std::array<bool, 3>& masks, int count = 3) {
  Batch result = with_trailing_padding(batch, count, config);
  result.rules.mask_padding = masks;
  return result;
}

// Between the gradient and central differences, over some numbers of every tensor.
double slope_error(Transformer<double>& model, const Batch& batch, double dropout) {
  constexpr double kNudge = 1e-6;
  Saved<double> saved;
  saved.dropout = dropout;
  saved.seed = 5;
  Transformer<double> gradient(model.config), unused(model.config);
  training_pass(model, batch, 0.1, saved, gradient);
  std::vector<const double*> slopes;
  gradient.visit([&](const std::string&, Parameter<double> tensor) { slopes.push_back(tensor.data); });
  double worst = 0;
  std::size_t index = 0;
  model.visit([&](const std::string&, Parameter<double> tensor) {
    const double* const slope = slopes[index++];
    const std::size_t step = std::max<std::size_t>(1, tensor.size() / 5);
    for (std::size_t i = index % step; i < tensor.size(); i += step) {
      const double kept = tensor.data[i];
      const auto loss_at = [&](double value) {
        tensor.data[i] = value;
        return training_pass(model, batch, 0.1, saved, unused).loss;
      };
      const double slope_here = (loss_at(kept + kNudge) - loss_at(kept - kNudge)) / (2 * kNudge);
      tensor.data[i] = kept;
      worst = std::max(worst, std::abs(slope_here - slope[i]));
    }
  });
  return worst;
}

}  // namespace

TEST_CASE("padding that is masked changes neither the loss nor any gradient") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 3);
    const Batch batch = random_batch(each.config, 5);
    const LossAndGradient without = learned(model, batch),
                          with = learned(model, padded(batch, each.config, kMasked));
    CHECK(with.loss == doctest::Approx(without.loss).epsilon(1e-13));
    CHECK(largest_difference(with.gradient, without.gradient) < 1e-12);
  }
}

TEST_CASE("the decoder's own attention needs no padding mask: the causal one hides what stands behind") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 3);
    const Batch batch = random_batch(each.config, 5);
    const LossAndGradient without = learned(model, batch);
    Batch seen = padded(batch, each.config, kDecoder);
    const LossAndGradient with = learned(model, seen);
    CHECK(with.loss == doctest::Approx(without.loss).epsilon(1e-13));
    CHECK(largest_difference(with.gradient, without.gradient) < 1e-12);
    // Where words see what follows them, or count it, they need one.
    for (const bool zeroes : {false, true}) {
      Batch open = batch;
      open.rules.mask_causal = seen.rules.mask_causal = zeroes;
      open.rules.zero_hidden = seen.rules.zero_hidden = zeroes;
      CHECK(std::abs(learned(model, seen).loss - learned(model, open).loss) > 1e-5);
    }
  }
}

TEST_CASE("the encoder's and the cross-attention need their padding mask") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> model = random_model<double>(each.config, 3);
    const Batch batch = random_batch(each.config, 5);
    const LossAndGradient without = learned(model, batch);
    for (const auto& masks : {kEncoder, kCross}) {
      const LossAndGradient with = learned(model, padded(batch, each.config, masks));
      CHECK(std::abs(with.loss - without.loss) > 1e-5);
      CHECK(largest_difference(with.gradient, without.gradient) > 1e-4);
    }
  }
}

TEST_CASE("the gradient of a padded batch is the slope of its loss, whoever sees the padding") {
  int at = 0;
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Batch batch = random_batch(each.config, 6);
    for (const auto& masks : {kEncoder, kDecoder, kCross, kSeen}) {
      for (const double dropout : {0.0, 0.3}) {
        CAPTURE(at);
        if (at++ % stride() != 0) continue;
        Transformer<double> model = random_model<double>(each.config, 4);
        CHECK(slope_error(model, padded(batch, each.config, masks), dropout) < 1e-7);
      }
    }
  }
}

TEST_CASE("without masks padding is read as words are: as the paper's formulas have it") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 8);
  const std::vector<std::vector<int>> sources = {{5, 7, 4}}, targets = {{6, 9}};
  const Batch batch = make_batch(sources, targets, config);
  const int pad = config.pad_id;
  const Matrix<double> logits = NaivePass(model).logits({5, 7, 4, config.eos_id, pad, pad},
                                                        {config.bos_id, 6, 9, pad, pad});  // (5, V_t)
  Saved<double> saved;
  model.forward(padded(batch, config, kSeen, 2), saved);
  CHECK((saved.logits - logits).topRows(3).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("no sentence is padded beyond what the model reads") {
  Config config = small_config();
  config.max_length = 9;
  const Batch batch = random_batch(config, 5), longer = with_trailing_padding(batch, 3, config);
  for (int i = 0; i < batch.sentences(); ++i) {
    CHECK(longer.source.length(i) == std::min(9, batch.source.length(i) + 3));
    CHECK(longer.target_in.length(i) == std::min(9, batch.target_in.length(i) + 3));
    CHECK(longer.target_out.length(i) == longer.target_in.length(i));
  }
  CHECK(longer.padding(config.pad_id) == longer.tokens() - batch.tokens());
  CHECK(longer.target_words(config.pad_id) == batch.target_words(config.pad_id));
}

TEST_CASE("a run that pads on purpose learns as its masks say, on any number of threads") {
  Config config = copying_config();
  config.dropout = 0;
  const auto losses = [&](int padding, const std::string& seen, int threads = 2) {
    TrainingOptions options = small_options();
    options.extra_padding = padding;
    options.unmasked_padding = seen;
    options.threads = threads;
    Trainer trainer(copying_set(), config, options);
    std::vector<double> all;
    for (int i = 0; i < 5; ++i) {
      const StepReport report = trainer.step();
      all.push_back(report.loss);
      all.push_back(double(report.tokens));
    }
    return all;
  };
  const std::vector<double> plain = losses(0, "");
  CHECK(largest_difference(losses(3, ""), plain) < 1e-4);
  CHECK(largest_difference(losses(3, "decoder"), plain) < 1e-4);
  CHECK(largest_difference(losses(3, "encoder"), plain) > 1e-3);
  CHECK(largest_difference(losses(3, "cross"), plain) > 1e-3);
  CHECK(losses(3, "encoder,cross", 1) == losses(3, "encoder,cross", 4));
}
