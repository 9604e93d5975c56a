#include "engine/layers/distance_bias.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/model/parameter_counts.h"
#include "engine/model/steps/step_list.h"
#include "engine/model/trace.h"
#include "random_models.h"

using namespace glassformer;

namespace {

Config alibi_config() {
  Config config = small_config();
  config.positions = PositionKind::alibi;
  config.heads = 4;
  return config;
}

}  // namespace

TEST_CASE("ALiBi: slopes are powers of 2^(-8/H), and between them where H is no power of 2") {
  for (int head = 0; head < 8; ++head)
    CHECK(distance_slope(head, 8) == doctest::Approx(std::pow(0.5, head + 1)));
  for (int head = 0; head < 4; ++head) CHECK(distance_slope(head, 4) == std::pow(0.25, head + 1));
  CHECK(distance_slope(0, 1) == doctest::Approx(std::pow(2.0, -8)));
  // Six heads: those of four, then every other one of eight.
  const double six[] = {1.0 / 4, 1.0 / 16, 1.0 / 64, 1.0 / 256, 1.0 / 2, 1.0 / 8};
  for (int head = 0; head < 6; ++head) CHECK(distance_slope(head, 6) == doctest::Approx(six[head]));
}

TEST_CASE("ALiBi learns nothing, and its name is alibi") {
  const Config config = alibi_config();
  Config none = config;
  none.positions = PositionKind::none;
  CHECK(parameter_count(config) == parameter_count(none));
  CHECK(config_from_json(to_json(config)) == config);
  CHECK(to_json(config).at("positions") == "alibi");
}

TEST_CASE("ALiBi: masked scores of self-attention are the scores less slope times distance") {
  const Config config = alibi_config();
  const Transformer<float> model = random_model<float>(config, 3);
  const Trace trace = record_trace(model, {{{5, 6, 7, 8}}, {{9, 4, 6}}});
  CHECK(trace.find("source.positions") == nullptr);
  for (int head = 0; head < config.heads; ++head) {
    const auto plane = [&](const std::string& name) { return trace.plane(name, 0, head); };
    const Plane scores = plane("encoder.layers.1.self_attn.scores"),
                masked = plane("encoder.layers.1.self_attn.masked_scores"),
                own = plane("decoder.layers.0.self_attn.scores"),
                past = plane("decoder.layers.0.self_attn.masked_scores"),
                cross = plane("decoder.layers.0.cross_attn.scores"),
                seen = plane("decoder.layers.0.cross_attn.masked_scores");
    const double slope = std::exp2(-8.0 * (head + 1) / config.heads);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        const double far = std::abs(i - j);
        CHECK(masked(i, j) == doctest::Approx(scores(i, j) - slope * far).epsilon(1e-5));
        if (j <= i) CHECK(past(i, j) == doctest::Approx(own(i, j) - slope * far).epsilon(1e-5));
        if (j > i) CHECK(past(i, j) == -std::numeric_limits<double>::infinity());
        CHECK(seen(i, j) == cross(i, j));
      }
    }
  }
}

TEST_CASE("ALiBi: only the distance counts, and positions off leave a bag of words") {
  const Config config = alibi_config();
  Config none = config;
  none.positions = PositionKind::none;
  const TraceInput input{{{5, 6, 7, 8}}, {{9, 4, 6}}};
  TraceOptions options;
  const Trace there = record_trace(random_model<float>(config, 3), input, options);
  const Trace without = record_trace(random_model<float>(none, 3), input, options);
  CHECK(there.at("logits").values != without.at("logits").values);
  Change shift = change_of(ChangeKind::shift_positions);
  shift.shift = 4;
  options.what_if.changes = {shift};
  CHECK(record_trace(random_model<float>(config, 3), input, options).at("logits").values ==
        there.at("logits").values);
  options.what_if.changes = {change_of(ChangeKind::positions_off)};
  CHECK(record_trace(random_model<float>(config, 3), input, options).at("logits").values ==
        without.at("logits").values);
}
