// Positions in attention: rotations and distances.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "engine/layers/distance_bias.h"
#include "engine/layers/rotary.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/steps/step_list.h"
#include "engine/model/trace.h"
#include "tests/random_models.h"

namespace glassformer::rotary_test {

constexpr int kRotaryWidth = 6, kLength = 20;

Matrix<double> random_rows(int rows, int columns, std::uint64_t seed) {
  Random random(seed);
  Matrix<double> matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = random.normal();
  return matrix;
}

Matrix<double> rotated(const Matrix<double>& rows, int first) {
  Matrix<double> turned = rows;
  Rotary<double>(kLength, {kRotaryWidth}).rotate({}, first, turned);
  return turned;
}

TEST_CASE("rotary: each pair is turned by position / 10000^(2i/k), in every head alike") {
  const Matrix<double> x = random_rows(3, 2 * kRotaryWidth, 1), y = rotated(x, 4);
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 2 * kRotaryWidth; column += 2) {
      const double angle =
          (4 + row) / std::pow(10000.0, static_cast<double>(column % kRotaryWidth) / kRotaryWidth);
      CHECK(rotary_angle(4 + row, column % kRotaryWidth / 2, kRotaryWidth) == doctest::Approx(angle));
      CHECK(y(row, column) ==
            doctest::Approx(x(row, column) * std::cos(angle) - x(row, column + 1) * std::sin(angle)));
      CHECK(y(row, column + 1) ==
            doctest::Approx(x(row, column) * std::sin(angle) + x(row, column + 1) * std::cos(angle)));
    }
  }
}

TEST_CASE("rotary: scores depend on the distance alone") {
  const Matrix<double> query = random_rows(1, kRotaryWidth, 2), key = random_rows(1, kRotaryWidth, 3);
  const auto score = [&](int m, int n) { return rotated(query, m).row(0).dot(rotated(key, n).row(0)); };
  for (int distance = 0; distance < 6; ++distance) {
    for (int shift = 1; shift + distance < kLength; ++shift) {
      CHECK(score(distance + shift, shift) == doctest::Approx(score(distance, 0)).epsilon(1e-12));
      CHECK(score(shift, distance + shift) == doctest::Approx(score(0, distance)).epsilon(1e-12));
    }
  }
  CHECK(std::abs(score(3, 0) - score(0, 0)) > 1e-3);
  CHECK(std::abs(score(3, 0) - score(0, 3)) > 1e-3);  // before is not behind
}

TEST_CASE("rotary: lengths stay, position 0 changes nothing, and the way back undoes it") {
  const Matrix<double> x = random_rows(8, 2 * kRotaryWidth, 4);
  Matrix<double> y = rotated(x, 3);
  CHECK((y.rowwise().norm() - x.rowwise().norm()).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((rotated(x, 0).row(0) - x.row(0)).cwiseAbs().maxCoeff() == 0);
  Rotary<double>(kLength, {kRotaryWidth}).rotate_back({}, 3, y);
  CHECK((y - x).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("rotary: the gradient is the slope") {
  Matrix<double> x = random_rows(4, 2 * kRotaryWidth, 5);
  const Matrix<double> d_y = random_rows(4, 2 * kRotaryWidth, 6);
  Matrix<double> d_x = d_y;
  Rotary<double>(kLength, {kRotaryWidth}).rotate_back({}, 2, d_x);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const auto loss = [&](double nudge) {
      Matrix<double> nudged = x;
      nudged.data()[i] += nudge;
      return rotated(nudged, 2).cwiseProduct(d_y).sum();
    };
    CHECK((loss(1e-6) - loss(-1e-6)) / 2e-6 == doctest::Approx(d_x.data()[i]).epsilon(1e-6));
  }
}

TEST_CASE("rotary positions learn nothing, and an odd head is refused") {
  Config config = small_config();
  const long learned_nothing = parameter_count(config);
  config.positions = PositionKind::rotary;
  CHECK(parameter_count(config) == learned_nothing);
  CHECK(config_from_json(to_json(config)) == config);
  CHECK(to_json(config).at("positions") == "rotary");
  config.heads = 4;  // of 3 columns
  CHECK_THROWS_WITH_AS(check(config), doctest::Contains("even d_model / heads, found 3"), Error);
}

TEST_CASE("a trace holds queries and keys of self-attention before and after the rotation") {
  Config config = small_config();
  config.positions = PositionKind::rotary;
  const Transformer<float> model = random_model<float>(config, 3);
  const Trace trace = record_trace(model, {{{5, 6, 7, 8}}, {{9, 4, 6}}});
  CHECK(trace.find("source.positions") == nullptr);
  CHECK(trace.find("decoder.layers.0.cross_attn.rotated_key") == nullptr);
  for (const std::string at : {"encoder.layers.1.self_attn.", "decoder.layers.0.self_attn."}) {
    for (int head = 0; head < config.heads; ++head) {
      const Plane query = trace.plane(at + "query", 0, head), key = trace.plane(at + "rotated_key", 0, head),
                  rotated_query = trace.plane(at + "rotated_query", 0, head),
                  products = trace.plane(at + "dot_products", 0, head);
      const double angle = 2;  // of the first pair at position 2
      CHECK(rotated_query(2, 0) ==
            doctest::Approx(query(2, 0) * std::cos(angle) - query(2, 1) * std::sin(angle)).epsilon(1e-4));
      double sum = 0;
      for (int i = 0; i < config.head_width(); ++i) sum += rotated_query(2, i) * key(1, i);
      CHECK(products(2, 1) == doctest::Approx(sum).epsilon(1e-4));
    }
  }
}

TEST_CASE("positions off undoes the rotation") {
  Config rotary = small_config(), none = small_config();
  rotary.positions = PositionKind::rotary;
  none.positions = PositionKind::none;
  const TraceInput input{{{5, 6, 7, 8}}, {{9, 4, 6}}};
  TraceOptions options;
  options.gradients = true;
  const Trace without = record_trace(random_model<float>(none, 3), input, options);
  options.what_if.changes.push_back(change_of(ChangeKind::positions_off));
  const Trace dropped = record_trace(random_model<float>(rotary, 3), input, options);
  CHECK(dropped.at("logits").values == without.at("logits").values);
  CHECK(dropped.gradients.at("source.input").values == without.gradients.at("source.input").values);
}

Config alibi_config() {
  Config config = small_config();
  config.positions = PositionKind::alibi;
  config.heads = 4;
  return config;
}

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

}  // namespace glassformer::rotary_test
