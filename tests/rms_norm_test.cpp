// RMSNorm in place of LayerNorm: config.json's "norm_kind".
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/steps/steps.h"
#include "engine/model/trace.h"
#include "engine/train/variation.h"
#include "random_models.h"

using namespace glassformer;

namespace {

Config rms_config() {
  Config config = small_config();
  config.norm_kind = NormKind::rms;
  return config;
}

}  // namespace

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
