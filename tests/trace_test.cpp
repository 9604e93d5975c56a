#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "engine/model/trace.h"
#include "engine/model/what_if/what_if_tap.h"
#include "random_models.h"

using namespace glassformer;

namespace {

const TraceInput kTwoPairs = {{{5, 6, 7}, {8, 9}}, {{4, 5}, {6, 7, 8, 9}}};

float largest_difference(const Tensor& a, const Tensor& b) {
  REQUIRE(a.shape == b.shape);
  float most = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
  return most;
}

}  // namespace

TEST_CASE("a trace has every name of the specification, with its shape") {
  const Config config = small_config();
  const Transformer<float> model = random_model<float>(config, 1);
  TraceOptions options;
  options.gradients = true;
  const Trace trace = record_trace(model, kTwoPairs, options);
  CHECK(trace.source[0] == std::vector<int>{5, 6, 7, 3});
  CHECK(trace.target_in[1] == std::vector<int>{2, 6, 7, 8, 9});
  CHECK(trace.target_out[0] == std::vector<int>{4, 5, 3});
  const auto shape = [&](const char* name) { return trace.at(name).shape; };
  using Shape = std::vector<int>;
  CHECK(shape("source.input") == Shape{2, 4, 12});
  CHECK(shape("source.positions") == Shape{4, 12});
  CHECK(shape("encoder.layers.1.self_attn.query") == Shape{2, 3, 4, 4});
  CHECK(shape("decoder.layers.1.cross_attn.masked_scores") == Shape{2, 3, 5, 4});
  CHECK(shape("decoder.layers.0.cross_attn.key") == Shape{2, 3, 4, 4});
  CHECK(shape("decoder.layers.0.self_attn.concat") == Shape{2, 5, 12});
  CHECK(shape("decoder.layers.0.feed_forward.pre_activation") == Shape{2, 5, 10});
  CHECK(shape("decoder.layers.0.residual3") == Shape{2, 5, 12});
  CHECK(shape("encoder.layers.0.norm1.mean") == Shape{2, 4});
  CHECK(shape("encoder.layers.0.norm2.deviation") == Shape{2, 4});
  CHECK(shape("smoothed_target") == Shape{2, 5, 13});
  CHECK(shape("token_loss") == Shape{2, 5});
  CHECK(shape("log_probabilities") == Shape{2, 5, 13});
  for (const char* name : {"encoder.layers.0.self_attn.dot_products", "memory", "decoder.output", "logits",
                           "decoder.layers.1.norm3", "target.embedding", "decoder.layers.1.output"}) {
    CHECK(trace.find(name) != nullptr);
    CHECK(trace.gradients.contains(name));
  }
  CHECK_THROWS_WITH_AS(trace.at("encoder.layers.9.output"), doctest::Contains("encoder.layers.9.output"),
                       Error);
  CHECK_THROWS_AS(trace.plane("encoder.layers.0.self_attn.weights", 0, 3), Error);
  const int cell[] = {1, 2, 0, 1};
  CHECK(trace.at("encoder.layers.0.self_attn.weights").at(cell) ==
        trace.plane("encoder.layers.0.self_attn.weights", 1, 2)(0, 1));
  double sum = 0;
  for (const float value : trace.at("token_loss").values) sum += static_cast<double>(value);
  CHECK(sum / 8 == doctest::Approx(trace.loss).epsilon(1e-5));
}

TEST_CASE("attention rows add up to 1 over what is seen, and hidden keys get exactly 0") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  TraceOptions options;
  options.pad = true;
  const Trace trace = record_trace(model, kTwoPairs, options);
  for (int head = 0; head < 3; ++head) {
    const Plane weights = trace.plane("decoder.layers.0.self_attn.weights", 1, head);
    for (int query = 0; query < 5; ++query) {
      float sum = 0;
      for (int key = 0; key < 5; ++key) {
        sum += weights(query, key);
        if (key > query) CHECK(weights(query, key) == 0);
      }
      CHECK(sum == doctest::Approx(1));
    }
    const Plane cross = trace.plane("decoder.layers.1.cross_attn.weights", 1, head);
    for (int query = 0; query < 5; ++query) CHECK(cross(query, 3) == 0);  // the source's pad token
    CHECK(std::isinf(trace.plane("decoder.layers.1.cross_attn.masked_scores", 1, head)(0, 3)));
    CHECK(std::isfinite(trace.plane("decoder.layers.1.cross_attn.scores", 1, head)(0, 3)));
  }
}

TEST_CASE("padding rows change no real value of a trace") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  TraceOptions options;
  const Trace packed = record_trace(model, kTwoPairs, options);
  options.pad = true;
  const Trace padded = record_trace(model, kTwoPairs, options);
  CHECK(padded.loss == doctest::Approx(packed.loss).epsilon(1e-6));
  const Plane a = packed.plane("logits", 0), b = padded.plane("logits", 0);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < a.columns; ++column)
      CHECK(a(row, column) == doctest::Approx(b(row, column)).epsilon(1e-4));
  }
}

TEST_CASE("an empty what-if changes nothing, every other changes the output") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  const Trace plain = record_trace(model, kTwoPairs);
  const auto changed = [&](const WhatIf& what_if) {
    TraceOptions options;
    options.what_if = what_if;
    return record_trace(model, kTwoPairs, options);
  };
  CHECK(WhatIf().empty());
  CHECK(largest_difference(plain.at("logits"), changed({}).at("logits")) == 0);
  WhatIf what_if;
  what_if.changes.push_back(change_of(ChangeKind::causal_mask_off));
  CHECK(!what_if.empty());
  CHECK(changed(what_if).plane("decoder.layers.0.self_attn.weights", 1)(0, 4) > 0);
  what_if = {};
  what_if.changes.push_back(change_of(ChangeKind::scale_off));
  CHECK(largest_difference(changed(what_if).at("encoder.layers.0.self_attn.scores"),
                           plain.at("encoder.layers.0.self_attn.dot_products")) < 1e-5f);
  what_if = {};
  what_if.changes.push_back(change_of(ChangeKind::positions_off));
  CHECK(largest_difference(changed(what_if).at("source.input"), plain.at("source.embedding")) == 0);
}

TEST_CASE("a muted head gives an empty context and changes no other head of its layer") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  const Trace plain = record_trace(model, kTwoPairs);
  TraceOptions options;
  options.what_if.changes = {mute_head(AttentionKind::encoder, 0, 1)};
  const Trace muted = record_trace(model, kTwoPairs, options);
  const char* context = "encoder.layers.0.self_attn.context";
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      CHECK(muted.plane(context, 0, 1)(row, column) == 0);
      CHECK(muted.plane(context, 0, 2)(row, column) == plain.plane(context, 0, 2)(row, column));
    }
  }
  CHECK(largest_difference(muted.at("logits"), plain.at("logits")) > 1e-5f);
}

TEST_CASE("a muted sub-block leaves the residual as it was") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  TraceOptions options;
  options.what_if.changes = {mute_sub_block({BlockKind::feed_forward, ValueKind::whole, true, 1})};
  const Trace muted = record_trace(model, kTwoPairs, options);
  CHECK(largest_difference(muted.at("encoder.layers.1.residual2"), muted.at("encoder.layers.1.norm1")) == 0);
}

TEST_CASE("an attention row can be written by hand") {
  const Transformer<float> model = random_model<float>(small_config(), 1);
  TraceOptions options;
  options.what_if.changes = {edit_row(AttentionKind::cross, 1, 2, 1, {0, 0, 1, 0})};
  const Trace edited = record_trace(model, kTwoPairs, options);
  const Plane weights = edited.plane("decoder.layers.1.cross_attn.weights", 0, 2);
  CHECK(weights(1, 2) == 1);
  CHECK(weights(1, 0) == 0);
  const Plane context = edited.plane("decoder.layers.1.cross_attn.context", 0, 2);
  const Plane value = edited.plane("decoder.layers.1.cross_attn.value", 0, 2);
  for (int column = 0; column < 4; ++column) CHECK(context(1, column) == value(2, column));
}

TEST_CASE("recorded gradients are slopes, with what-ifs too") {
  const Config config = small_config();
  const Transformer<double> model = random_model<double>(config, 1);
  const Batch batch = random_batch(config, 4);

  // Nudges one number of one value on its way forward, or keeps its gradient on the way back.
  class Nudge : public Tap<double> {
   public:
    void operator()(const TapPoint& point, MatrixRef<double> value) override {
      if (point.name != name ||
          (point.shape == TapShape::attention && (point.sentence != 0 || point.head != 1)))
        return;
      if (point.gradient) {
        gradient = value(1, 2);
      } else {
        value(1, 2) += amount;
      }
    }
    std::string name;
    double amount = 0, gradient = 0;
  };
  WhatIf what_if;
  what_if.changes = {mute_head(AttentionKind::encoder, 0, 2),
                     mute_sub_block(value_in(AttentionKind::decoder, 1, ValueKind::whole))};
  what_if.changes.push_back(change_of(ChangeKind::scale_off));
  for (const WhatIf& change : {WhatIf(), what_if}) {
    for (const char* name :
         {"source.embedding", "target.input", "encoder.layers.0.self_attn.query",
          "encoder.layers.1.self_attn.scores", "encoder.layers.0.self_attn.dot_products",
          "decoder.layers.0.cross_attn.weights", "decoder.layers.0.cross_attn.key",
          "decoder.layers.1.cross_attn.value", "decoder.layers.1.cross_attn.context",
          "encoder.layers.1.feed_forward.hidden", "encoder.layers.1.feed_forward.pre_activation",
          "decoder.layers.0.norm2", "decoder.layers.0.residual1", "encoder.layers.0.output", "memory",
          "decoder.output", "logits"}) {
      CAPTURE(name);
      Nudge nudge;
      nudge.name = name;
      WhatIfTap<double> tap(change, config, {}, &nudge);
      tap.rows_of(batch);
      Saved<double> saved;
      Transformer<double> gradient(config);
      const auto loss = [&](double amount, bool backward) {
        nudge.amount = amount;
        model.forward(batch, saved, tap);
        const double result = model.loss(batch, saved, {0.1, backward}, tap).loss;
        if (backward) model.backward(batch, saved, gradient, tap);
        return result;
      };
      loss(0, true);
      CHECK(std::abs((loss(1e-6, false) - loss(-1e-6, false)) / 2e-6 - nudge.gradient) < 1e-7);
    }
  }
}
