// Weights of 0 behind the softmax, against a naive pass in double that hides the words to come by hand, and
// against the pass that makes this mistake in every layer.
#include "engine/analysis/mask_mistake.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "engine/math/error.h"
#include "naive_pass.h"
#include "random_models.h"

using namespace glassformer;
using glassformer::testing::NaivePass;

namespace {

// The second sentence is the shorter one on both sides.
const TraceInput kShortSecond{.sources = {{5, 6, 7, 8, 9}, {8, 4}}, .targets = {{4, 5, 6, 7}, {9, 6}}};

bool is_relu(const Config& config) {
  return config.attention_activation == AttentionActivation::relu;
}

void hide_future(Matrix<double>& scores, double hidden) {
  for (int row = 0; row < scores.rows(); ++row)
    for (int key = row + 1; key < scores.cols(); ++key) scores(row, key) = hidden;
}

// Softmax of all scores, or their ReLU over the number of keys; then 0 for what follows.
Matrix<double> zeroed_behind(const Matrix<double>& scores, bool relu) {
  Matrix<double> weights = scores;
  for (int row = 0; row < scores.rows(); ++row) {
    if (relu) {
      weights.row(row) = scores.row(row).cwiseMax(0) / static_cast<double>(scores.cols());
      continue;
    }
    weights.row(row) = (scores.row(row).array() - scores.row(row).maxCoeff()).exp();
    weights.row(row) /= weights.row(row).sum();
  }
  hide_future(weights, 0);
  return weights;
}

double apart(const Matrix<float>& found, const Matrix<double>& wanted) {
  return (found.topLeftCorner(wanted.rows(), wanted.cols()).cast<double>() - wanted).cwiseAbs().maxCoeff();
}

// The scores and the right weights of every head of one layer, a sentence alone, masked by hand.
struct NaiveHead {
  Matrix<double> scores, right;
};
std::vector<NaiveHead> naive_heads(const Transformer<double>& model, int layer,
                                   const std::vector<int>& source, const std::vector<int>& target) {
  NaivePass naive(model);
  naive.causal = false;
  std::vector<NaiveHead> heads(static_cast<std::size_t>(model.config.heads));
  const std::string wanted = "decoder " + std::to_string(layer);
  naive.replace = [&](const std::string& name, int head, Matrix<double>& value) {
    if (!name.starts_with("decoder ") || head < 0) return;
    NaiveHead& kept = heads[static_cast<std::size_t>(head)];
    if (name == wanted + " scores") kept.scores = value;
    if (name.ends_with(" scores")) hide_future(value, -std::numeric_limits<double>::infinity());
    // A ReLU divides by the keys that the mask leaves.
    if (name.ends_with(" weights") && is_relu(model.config))
      for (int row = 0; row < value.rows(); ++row)
        value.row(row) *= static_cast<double>(value.cols()) / (row + 1);
    if (name == wanted + " weights") kept.right = value;
  };
  naive.logits(source, target);
  return heads;
}

}  // namespace

TEST_CASE("a mask before the softmax and zeros behind it are what a naive pass in double makes of scores") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<double> exact = random_model<double>(each.config, 5);
    const Transformer<float> model = exact.cast<float>();
    const Trace trace = record_trace(model, kShortSecond);
    for (int layer = 0; layer < each.config.decoder_layers; ++layer) {
      const MaskMistake found = study_mask_mistake(model, trace, layer);
      REQUIRE(found.causal);
      REQUIRE(found.heads.size() == 2);
      for (std::size_t sentence = 0; sentence < 2; ++sentence) {
        const auto naive = naive_heads(exact, layer, trace.source[sentence], trace.target_in[sentence]);
        REQUIRE(found.heads[sentence].size() == naive.size());
        for (std::size_t head = 0; head < naive.size(); ++head) {
          const MistakenHead& here = found.heads[sentence][head];
          CHECK(apart(here.scores, naive[head].scores) < 1e-4);
          CHECK(apart(here.right, naive[head].right) < 1e-4);
          CHECK(apart(here.mistaken, zeroed_behind(naive[head].scores, is_relu(each.config))) < 1e-4);
        }
      }
    }
  }
}

TEST_CASE("with the mask a row adds up to 1; with zeros behind the softmax kept and thrown away do") {
  const Transformer<float> model = random_model<double>(small_config(), 6).cast<float>();
  const Trace trace = record_trace(model, kShortSecond);
  const MaskMistake found = study_mask_mistake(model, trace, 1);
  for (std::size_t sentence = 0; sentence < 2; ++sentence) {
    const int words = static_cast<int>(trace.target_in[sentence].size());
    for (const MistakenHead& head : found.heads[sentence])
      for (int row = 0; row < words; ++row) {
        CHECK(head.right_sum(row) == doctest::Approx(1).epsilon(1e-5));
        CHECK(head.kept(row) + head.thrown_away(row) == doctest::Approx(1).epsilon(1e-5));
        if (row + 1 < words) {
          CHECK(head.kept(row) < 0.999);
        } else {
          CHECK(head.kept(row) == doctest::Approx(1).epsilon(1e-5));
        }
        for (int key = row + 1; key < words; ++key) CHECK(head.mistaken(row, key) == 0);
        // Among the words that are seen nothing is shifted: each gets the same share less.
        for (int key = 0; key <= row; ++key)
          CHECK(head.mistaken(row, key) ==
                doctest::Approx(head.kept(row) * static_cast<double>(head.right(row, key))).epsilon(1e-4));
      }
  }
}

TEST_CASE("in the first layer this is the pass with zero_hidden; above it that pass has other scores") {
  for (const NamedConfig& each : varied_configs()) {
    CAPTURE(each.name);
    const Transformer<float> model = random_model<double>(each.config, 7).cast<float>();
    const Trace trace = record_trace(model, kShortSecond);
    Batch batch = make_batch(kShortSecond.sources, kShortSecond.targets, each.config);
    batch.rules.zero_hidden = true;
    Saved<float> saved;
    model.forward(batch, saved);
    const double loss = model.loss(batch, saved, {}).loss;
    for (int layer = 0; layer < each.config.decoder_layers; ++layer) {
      const MaskMistake found = study_mask_mistake(model, trace, layer);
      double largest = 0;
      for (std::size_t sentence = 0; sentence < 2; ++sentence) {
        const AttentionSpan& span = saved.decoder_plan.spans[sentence];
        const AttentionSaved<float>& attention =
            saved.decoder_layers[static_cast<std::size_t>(layer)].self_attention;
        for (std::size_t head = 0; head < found.heads[sentence].size(); ++head) {
          const auto block = static_cast<std::size_t>(span.queries) * static_cast<std::size_t>(span.keys);
          const Eigen::Map<const Matrix<float>> pass(attention.dropped.data() + span.weights + head * block,
                                                     span.queries, span.keys);
          largest = std::max(largest, apart(found.heads[sentence][head].mistaken, pass.cast<double>()));
        }
      }
      if (layer == 0) CHECK(largest < 1e-6);
      if (layer > 0) CHECK(largest > 1e-4);
      CHECK(found.mistaken_loss == doctest::Approx(loss).epsilon(1e-5));
      CHECK(found.right_loss == doctest::Approx(trace.loss).epsilon(1e-5));
    }
  }
}

TEST_CASE("changes are in force: padding that is seen gets its share, and that is thrown away as well") {
  const Transformer<float> model = random_model<double>(small_config(), 8).cast<float>();
  WhatIf what_if;
  what_if.see_padding(AttentionKind::decoder, true);
  const Trace trace = record_trace(model, kShortSecond, {.what_if = what_if, .pad = true});
  const MaskMistake hidden = study_mask_mistake(model, trace, 0),
                    seen = study_mask_mistake(model, trace, 0, {.what_if = what_if});
  const MistakenHead &without = hidden.heads[1][0], &with = seen.heads[1][0];
  const auto pad = static_cast<Eigen::Index>(trace.target_in[1].size());
  REQUIRE(with.spread.cols() > pad);
  CHECK(without.spread(0, pad) == 0);
  CHECK(with.spread(0, pad) > 0);
  CHECK(with.mistaken(0, pad) == 0);
  CHECK(with.kept(0) < without.kept(0));
  // Its last word keeps everything only as long as nothing is seen behind it.
  CHECK(without.kept(static_cast<int>(pad) - 1) == doctest::Approx(1).epsilon(1e-5));
  CHECK(with.kept(static_cast<int>(pad) - 1) < 0.999);
}

TEST_CASE("without a causal mask there is no such mistake, and a layer too far is refused") {
  const Transformer<float> model = random_model<double>(small_config(), 9).cast<float>();
  WhatIf what_if;
  what_if.changes = {change_of(ChangeKind::causal_mask_off)};
  const Trace trace = record_trace(model, kShortSecond, {.what_if = what_if});
  const MaskMistake found = study_mask_mistake(model, trace, 0, {.what_if = what_if});
  CHECK(!found.causal);
  CHECK(found.heads.empty());
  CHECK_THROWS_AS(study_mask_mistake(model, trace, 2), Error);
}
