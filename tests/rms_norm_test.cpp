// RMSNorm in place of LayerNorm, and SwiGLU in place of the plain feed-forward.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/steps/steps.h"
#include "engine/model/trace.h"
#include "engine/model/what_if/what_if.h"
#include "engine/train/variation.h"
#include "tests/random_models.h"

namespace glassformer::rms_norm_test {

// ---- RMSNorm in place of LayerNorm: config.json's "norm_kind".

Config rms_config() {
  Config config = small_config();
  config.norm_kind = NormKind::rms;
  return config;
}

TEST_CASE("RMSNorm: a row is divided by the root of its mean square, and no mean is taken off") {
  LayerNorm<double> norm;
  norm.resize(4, NormKind::rms);
  norm.weight << 1, 2, -1, 0.5;
  Matrix<double> x(2, 4), y(2, 4);
  x << 1, 2, 3, 4, 5, 5, 5, 5;  // of equal numbers LayerNorm would leave nothing
  layer_norm<double>(norm, 1e-5, x, y);
  for (int row = 0; row < 2; ++row) {
    double squares = 0;
    for (int i = 0; i < 4; ++i) squares += x(row, i) * x(row, i) / 4;
    for (int i = 0; i < 4; ++i)
      CHECK(y(row, i) == doctest::Approx(x(row, i) / std::sqrt(squares + 1e-5) * norm.weight(i)));
  }
}

TEST_CASE("RMSNorm has a weight and no bias, and a file that does not name it has LayerNorm") {
  const Config config = rms_config();
  Config layer = config;
  layer.norm_kind = NormKind::layer;
  // Two norms an encoder layer, three a decoder layer, a shift of d numbers each.
  CHECK(parameter_count(layer) - parameter_count(config) == (2 * 2 + 2 * 3) * config.d_model);
  std::set<std::string> names;
  for (const ParameterView& each : parameters(random_model<float>(config, 1))) names.insert(each.name);
  CHECK(names.contains("decoder.layers.1.norm3.weight"));
  CHECK_FALSE(names.contains("decoder.layers.1.norm3.bias"));

  nlohmann::json json = to_json(config);
  CHECK(json["norm_kind"] == "rms");
  CHECK(config_from_json(json) == config);
  json["norm_kind"] = "batch";
  CHECK_THROWS_WITH_AS(config_from_json(json), doctest::Contains("norm_kind"), Error);
  json.erase("norm_kind");
  CHECK(config_from_json(json) == layer);
}

TEST_CASE("RMSNorm: the trace has the root mean square of each row in place of mean and deviation") {
  Config config = rms_config();
  config.embedding_norm = config.final_norm = true;
  const Trace trace = record_trace(random_model<float>(config, 3), {{{5, 6, 7, 8}}, {{9, 4, 6}}});
  for (const auto& [name, tensor] : trace.tensors) {
    CHECK_FALSE(name.ends_with(".mean"));
    CHECK_FALSE(name.ends_with(".deviation"));
  }
  for (const char* name : {"source_embedding_norm.rms", "encoder.norm.rms", "decoder.norm.rms"})
    CHECK(trace.find(name) != nullptr);
  const Plane sum = trace.plane("decoder.layers.1.residual2");
  for (int row = 0; row < 4; ++row) {
    double squares = 0;
    for (int i = 0; i < sum.columns; ++i)
      squares += std::pow(static_cast<double>(sum(row, i)), 2) / sum.columns;
    CHECK(double(trace.at("decoder.layers.1.norm2.rms").at(std::vector<int>{0, row})) ==
          doctest::Approx(std::sqrt(squares + config.layer_norm_eps)).epsilon(1e-5));
  }
}

TEST_CASE("RMSNorm: no step of such a model is a LayerNorm's") {
  for (const bool pre : {false, true}) {
    Config config = rms_config();
    config.norm = pre ? NormPlace::pre : NormPlace::post;
    config.final_norm = config.embedding_norm = true;
    int norms = 0;
    for (const Step& step : training_steps(config)) {
      CHECK(step.name.find("LayerNorm") == std::string::npos);
      CHECK_FALSE(step.pattern.kind == PatternKind::layer_norm);
      CHECK_FALSE(step.pattern.kind == PatternKind::d_layer_norm);
      if (!is_norm(step.pattern.kind)) continue;
      ++norms;
      const std::string &x = step.inputs[0].symbol, &y = step.output.symbol;
      CHECK(symbols_formula(step) == y + " = " + x + " / rms × γ");
    }
    CHECK(norms == 2 * 2 + 2 * 3 + 4);
  }
}

TEST_CASE("the other kind of norm is offered as a variant of either") {
  for (const NormKind now : {NormKind::layer, NormKind::rms}) {
    Config config = small_config();
    config.norm_kind = now;
    int offered = 0;
    for (const Variation& each : variations(config, {})) {
      if (each.about != "Kind of norm") continue;
      ++offered;
      CHECK(each.config.norm_kind != now);
      CHECK(each.name == norm_traits(each.config.norm_kind).name);
    }
    CHECK(offered == 1);
  }
}

// ---- SwiGLU in place of the plain feed-forward: config.json's "feed_forward".

Config swiglu_config() {
  Config config = small_config();
  config.feed_forward = FeedForwardKind::swiglu;
  return config;
}

double swish(double x) {
  return x / (1 + std::exp(-x));
}

TEST_CASE("SwiGLU has a third matrix and no biases, and a file that does not name it is plain") {
  const Config config = swiglu_config();
  Config plain = config;
  plain.feed_forward = FeedForwardKind::plain;
  const long layers = config.encoder_layers + config.decoder_layers;
  const long d = config.d_model, f = config.d_ff;
  CHECK(parameter_count(config) - parameter_count(plain) == layers * (d * f - f - d));
  const Transformer<float> model = random_model<float>(config, 1);
  CHECK(static_cast<long>(model.parameter_count()) == parameter_count(config));
  std::set<std::string> names;
  for (const ParameterView& each : parameters(model)) {
    names.insert(each.name);
    if (each.name == "decoder.layers.1.linear_gate.weight")
      CHECK(each.shape == std::vector<int>{config.d_ff, config.d_model});
  }
  for (const char* name : {"linear1.weight", "linear_gate.weight", "linear2.weight"})
    CHECK(names.contains(std::string("decoder.layers.1.") + name));
  for (const char* name : {"linear1.bias", "linear_gate.bias", "linear2.bias"})
    CHECK_FALSE(names.contains(std::string("decoder.layers.1.") + name));

  nlohmann::json json = to_json(config);
  CHECK(json["feed_forward"] == "swiglu");
  CHECK(config_from_json(json) == config);
  json["feed_forward"] = "glu";
  CHECK_THROWS_WITH_AS(config_from_json(json), doctest::Contains("feed_forward"), Error);
  json.erase("feed_forward");
  CHECK(config_from_json(json) == plain);
}

TEST_CASE("SwiGLU: the trace has gate and value, whose product by a swish of the gate is hidden") {
  for (const Activation activation : {Activation::relu, Activation::gelu, Activation::swish}) {
    Config config = swiglu_config();
    config.activation = activation;  // which does not apply
    const Transformer<float> model = random_model<float>(config, 3);
    const Trace trace = record_trace(model, {{{5, 6, 7, 8}}, {{9, 4, 6}}});
    const std::string at = "encoder.layers.1.feed_forward.";
    CHECK(trace.find(at + "pre_activation") == nullptr);
    const Plane x = trace.plane("encoder.layers.1.norm1"), gate = trace.plane(at + "gate"),
                value = trace.plane(at + "value"), hidden = trace.plane(at + "hidden");
    REQUIRE(hidden.columns == config.d_ff);
    const FeedForward<float>& layer = model.encoder_layers[1].feed_forward;
    for (int row = 0; row < hidden.rows; ++row) {
      for (int unit = 0; unit < config.d_ff; ++unit) {
        double of_gate = 0, of_value = 0;
        for (int i = 0; i < config.d_model; ++i) {
          of_gate += static_cast<double>(x(row, i)) * static_cast<double>(layer.linear_gate.weight(unit, i));
          of_value += static_cast<double>(x(row, i)) * static_cast<double>(layer.linear1.weight(unit, i));
        }
        const auto close = [](double number) { return doctest::Approx(number).epsilon(1e-4).scale(1); };
        CHECK(static_cast<double>(gate(row, unit)) == close(of_gate));
        CHECK(static_cast<double>(value(row, unit)) == close(of_value));
        CHECK(static_cast<double>(hidden(row, unit)) == close(swish(of_gate) * of_value));
      }
    }
  }
}

TEST_CASE("names: a feed-forward's value has no heads, and an attention's is another") {
  const auto of_unit = read_name("encoder.layers.0.feed_forward.value"),
             of_head = read_name("encoder.layers.0.self_attn.value");
  REQUIRE(of_unit);
  REQUIRE(of_head);
  CHECK(of_unit->value != of_head->value);
  CHECK_FALSE(has_heads(of_unit->value));
  CHECK(has_heads(of_head->value));
  CHECK_FALSE(is_name_of(ValueKind::value, "encoder.layers.0.feed_forward.value"));
}

TEST_CASE("SwiGLU: no step names an activation of its own or a bias, both ways") {
  for (const NormPlace place : {NormPlace::post, NormPlace::pre}) {
    Config config = swiglu_config();
    config.norm = place;
    int units = 0;
    for (const Step& step : training_steps(config)) {
      using enum StepKind;
      for (const StepKind plain : {expand, relu, gelu, swish, d_relu, d_gelu, d_swish})
        CHECK_FALSE(step.kind == plain);
      if (step.place.block != StepBlock::feed_forward) continue;
      CHECK(symbols_formula(step).find("b_") == std::string::npos);
      if (step.kind != gated) continue;
      ++units;
      CHECK(symbols_formula(step) == "H = G × sigmoid(G) × Z");
    }
    CHECK(units == config.encoder_layers + config.decoder_layers);
  }
}

TEST_CASE("SwiGLU: what a what-if mutes is the product of gate and value") {
  const Config config = swiglu_config();
  const Transformer<float> model = random_model<float>(config, 5);
  TraceOptions options;
  Change mute = change_of(ChangeKind::mute_unit);
  mute.block = {BlockKind::feed_forward, ValueKind::whole, false, 1};
  mute.unit = 2;
  options.what_if.changes = {mute};
  const std::vector<std::vector<int>> source = {{5, 6, 7, 8}}, target = {{9, 4, 6}};
  const Trace before = record_trace(model, {source, target}),
              after = record_trace(model, {source, target}, options);
  const std::string name = "decoder.layers.1.feed_forward.hidden";
  const Plane whole = before.plane(name), muted = after.plane(name);
  for (int row = 0; row < whole.rows; ++row) {
    CHECK(whole(row, 2) != 0);
    CHECK(muted(row, 2) == 0);
    CHECK(muted(row, 1) == whole(row, 1));
  }
}

TEST_CASE("the other kind of feed-forward is offered as a variant of about as many weights") {
  CHECK(hidden_width_for(FeedForwardKind::swiglu, FeedForwardKind::plain, 2048) == 1368);
  CHECK(hidden_width_for(FeedForwardKind::swiglu, FeedForwardKind::plain, 256) == 168);
  CHECK(hidden_width_for(FeedForwardKind::swiglu, FeedForwardKind::plain, 1) == 8);
  CHECK(hidden_width_for(FeedForwardKind::swiglu, FeedForwardKind::swiglu, 21) == 21);
  for (const int hidden : {64, 128, 256, 512, 1024, 2048})
    CHECK(hidden_width_for(FeedForwardKind::plain, FeedForwardKind::swiglu,
                           hidden_width_for(FeedForwardKind::swiglu, FeedForwardKind::plain, hidden)) ==
          hidden);
  for (const FeedForwardKind now : {FeedForwardKind::plain, FeedForwardKind::swiglu}) {
    Config config;
    config.source_vocab = config.target_vocab = 20;
    config.feed_forward = now;
    int offered = 0;
    for (const Variation& each : variations(config, {})) {
      if (each.about != "Feed-forward") continue;
      ++offered;
      CHECK(each.config.feed_forward != now);
      const auto weights = static_cast<double>(parameter_count(config));
      CHECK(static_cast<double>(parameter_count(each.config)) == doctest::Approx(weights).epsilon(0.1));
    }
    CHECK(offered == 1);
  }
}

}  // namespace glassformer::rms_norm_test
