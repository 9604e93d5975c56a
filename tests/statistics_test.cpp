// What is reckoned of a run: statistics, curves, shares, blocks and the time of a step.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>
#include <vector>

#include "engine/analysis/block_study.h"
#include "engine/analysis/statistics.h"
#include "engine/math/error.h"
#include "engine/model/what_if/loss_meter.h"
#include "engine/train/curves.h"
#include "engine/train/head_report.h"
#include "engine/train/step_time.h"

namespace glassformer::statistics_test {

Plane plane(const std::vector<float>& values, int rows, int columns) {
  return {values.data(), rows, columns};
}

TEST_CASE("a summary gives mean, deviation, norm and range, and leaves out what is not finite") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> values{1, -2, 4, nan, 1};
  const Summary summary = summarize(values);
  CHECK(summary.count == 5);
  CHECK(summary.not_finite == 1);
  CHECK(summary.mean == doctest::Approx(1));
  CHECK(summary.deviation == doctest::Approx(std::sqrt(18.0 / 4)));
  CHECK(summary.norm == doctest::Approx(std::sqrt(22.0)));
  CHECK(summary.smallest == -2);
  CHECK(summary.largest == 4);
  CHECK(summarize(std::vector<float>{}).norm == 0);
}

TEST_CASE("the mean of large equal numbers leaves no deviation") {
  const std::vector<float> values(1000, 1e6f);
  CHECK(summarize(values).deviation == doctest::Approx(0));
}

TEST_CASE("a histogram is symmetric about zero and counts every finite number once") {
  const std::vector<float> values{-1, -0.5f, 0.1f, 0.2f, 2, std::numeric_limits<float>::infinity()};
  const Histogram histogram = symmetric_histogram(values, 4);  // borders -2 -1 0 1 2
  CHECK(histogram.low == -2);
  CHECK(histogram.high == 2);
  CHECK(histogram.counts == std::vector<long>{0, 2, 2, 1});
  CHECK(histogram.largest() == 2);
  CHECK(symmetric_histogram(std::vector<float>(3, 0.0f), 3).counts == std::vector<long>{0, 3, 0});
  CHECK_THROWS_AS(symmetric_histogram(values, 0), Error);
}

TEST_CASE("the nearest rows are those with the smallest angle, whatever their length") {
  const std::vector<float> rows{1,  0,     // the chosen row
                                5,  0.5f,  // nearly the same direction, long
                                0,  1,     // at a right angle
                                -1, 0,     // opposite
                                0,  0};    // no direction
  const auto found = nearest_by_cosine(plane(rows, 5, 2), 0, 10);
  REQUIRE(found.size() == 4);
  CHECK(found[0].row == 1);
  CHECK(found[0].cosine == doctest::Approx(5 / std::sqrt(25.25)));
  CHECK(found[1].row == 2);  // ties go to the lower row
  CHECK(found[2].row == 4);
  CHECK(found[3].row == 3);
  CHECK(found[3].cosine == doctest::Approx(-1));
  CHECK(nearest_by_cosine(plane(rows, 5, 2), 0, 1).size() == 1);
  CHECK_THROWS_AS(nearest_by_cosine(plane(rows, 5, 2), 5, 1), Error);
}

TEST_CASE("principal components find the long axis of an ellipse turned in space") {
  // Points of an ellipse with half-axes 4 and 1 in the plane of u and v, which are at right angles in 3
  // dimensions.
  const double u[3] = {2.0 / 3, 2.0 / 3, 1.0 / 3}, v[3] = {-2.0 / 3, 1.0 / 3, 2.0 / 3};
  const int count = 200;
  std::vector<float> rows;
  for (int i = 0; i < count; ++i) {
    const double t = 2 * std::numbers::pi * i / count;
    for (int c = 0; c < 3; ++c)
      rows.push_back(static_cast<float>(7 + 4 * std::cos(t) * u[c] + std::sin(t) * v[c]));
  }
  const Projection projection = principal_components(plane(rows, count, 3), 3);
  CHECK(projection.explained[0] == doctest::Approx(16.0 / 17).epsilon(1e-4));
  CHECK(projection.explained[1] == doctest::Approx(1.0 / 17).epsilon(1e-4));
  CHECK(projection.explained[2] == doctest::Approx(0).epsilon(1e-4));
  for (int i = 0; i < count; ++i) {
    const double t = 2 * std::numbers::pi * i / count;
    CHECK(projection.at(i, 0) == doctest::Approx(4 * std::cos(t)).epsilon(1e-3));
    CHECK(std::abs(projection.at(i, 1)) == doctest::Approx(std::abs(std::sin(t))).epsilon(1e-3));
  }
}

TEST_CASE("a table without variance or with one row is projected to zero") {
  const std::vector<float> same(12, 3.0f);
  const Projection flat = principal_components(plane(same, 4, 3));
  CHECK(flat.coordinates == std::vector<float>(8, 0.0f));
  CHECK(flat.explained == std::vector<double>{0, 0});
  CHECK(principal_components(plane(same, 1, 3)).coordinates == std::vector<float>{0, 0});
}

TEST_CASE("a pooled table keeps the strongest number of every block, and small tables as they are") {
  const std::vector<float> values{1, -5, 2, 0,  //
                                  3, 4,  0, 1};
  const Pooled small = pooled(plane(values, 2, 4), 8, 8);
  CHECK(small.values == values);
  const Pooled halved = pooled(plane(values, 2, 4), 1, 2);
  CHECK(halved.rows == 1);
  CHECK(halved.values == std::vector<float>{-5, 2});
  std::vector<float> broken = values;
  broken[4] = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(pooled(plane(broken, 2, 4), 1, 2).values[0]));
  CHECK_THROWS_AS(pooled(plane(values, 2, 4), 0, 2), Error);
}

TEST_CASE("curves come back from JSON with the same bits") {
  std::mt19937 generator(5);
  std::lognormal_distribution<float> numbers(0.0F, 8.0F);
  Curves curves;
  for (int i = 0; i < 2000; ++i)
    curves.steps.push_back({.loss = numbers(generator),
                            .learning_rate = numbers(generator),
                            .gradient_norm = numbers(generator),
                            .tokens_per_s = 1000});
  curves.validations.push_back(
      {.step = 7, .loss = 0.1, .nll = 1.0 / 3, .token_accuracy = 0.7, .exact_match = 0.25, .best = true});
  curves.marks.push_back({.step = 3, .text = "resumed"});
  curves.marks.push_back({.step = 4,
                          .text = "dropout 0.1 to 0",
                          .change = LearningChange{.before = {}, .after = {.dropout = 0}}});

  const Curves back = curves_from_json(nlohmann::json::parse(to_json(curves).dump()));
  REQUIRE(back.steps.size() == curves.steps.size());
  for (std::size_t i = 0; i < curves.steps.size(); ++i) {
    CHECK(back.steps[i].loss == curves.steps[i].loss);
    CHECK(back.steps[i].learning_rate == curves.steps[i].learning_rate);
    CHECK(back.steps[i].gradient_norm == curves.steps[i].gradient_norm);
  }
  REQUIRE(back.validations.size() == 1);
  CHECK(back.validations[0].nll == 1.0 / 3);
  CHECK(back.validations[0].best);
  REQUIRE(back.marks.size() == 2);
  CHECK(back.marks[0].text == "resumed");
  CHECK_FALSE(back.marks[0].change);
  REQUIRE(back.marks[1].change);
  CHECK(back.marks[1].change->before == LiveSettings{});
  CHECK(back.marks[1].change->after.dropout == 0);
}

TEST_CASE("a loss that is not finite survives as not finite") {
  Curves curves;
  curves.steps.push_back({.loss = std::numeric_limits<float>::infinity()});
  CHECK_FALSE(std::isfinite(curves_from_json(to_json(curves)).steps.at(0).loss));
}

TEST_CASE("curves with a column cut short are refused") {
  Curves curves;
  for (int i = 0; i < 3; ++i) curves.steps.push_back({});
  auto json = to_json(curves);
  json["learning_rate"].erase(1);
  CHECK_THROWS_AS(curves_from_json(json), Error);
  json.erase("learning_rate");
  CHECK_THROWS_AS(curves_from_json(json), Error);
  CHECK_THROWS_AS(curves_from_json("text"), Error);
}

TEST_CASE("a step that is no whole number, or more than a computer counts, is refused") {
  Curves curves;
  curves.validations.resize(1);
  curves.marks.push_back({.step = 2, .text = "the rate doubles"});
  for (const char* column : {"validations", "marks"}) {
    for (const nlohmann::json& step :
         {nlohmann::json(2.5), nlohmann::json(-1), nlohmann::json(18446744073709551615U)}) {
      CAPTURE(column);
      auto json = to_json(curves);
      json[column][0]["step"] = step;
      CHECK_THROWS_WITH_AS(curves_from_json(json), doctest::Contains("whole number"), Error);
    }
  }
}

// ---- How much a share of pairs fell or rose, and between what bounds.

TEST_CASE("a share never falls or rises by more than there is of it") {
  MeanLoss all, none, half;
  all.right = {1, 1, 1, 1, 0};
  none.right = {0, 0, 0, 0, 0};
  half.right = {1, 0, 1, 0, 0};
  const Difference lost = right_difference(none, all), won = right_difference(all, none);
  CHECK(lost.mean == doctest::Approx(-0.8));
  CHECK(lost.low == doctest::Approx(-0.8));  // 1.96 standard errors would be down to -1.19
  CHECK(lost.high == doctest::Approx(-0.8 + 1.96 * std::sqrt(0.8 / 4 / 5)));
  CHECK(won.low == doctest::Approx(0.8 - 1.96 * std::sqrt(0.8 / 4 / 5)));
  CHECK(won.high == doctest::Approx(1));
  const Difference less = right_difference(half, all);
  CHECK(less.mean == doctest::Approx(-0.4));
  CHECK(less.low == doctest::Approx(-0.8));
  CHECK(less.high == doctest::Approx(-0.4 + 1.96 * std::sqrt(1.2 / 4 / 5)));
  CHECK(right_difference({}, {}).high == 0);
}

TEST_CASE("the change of a row is the length of what is added beside the length of the stream") {
  const std::vector<float> stream{3, 4, 0, 2, 0, 0}, added{0, 10, 1, 1, 0, 3};
  const std::vector<double> changes = relative_changes({stream.data(), 3, 2}, {added.data(), 3, 2});
  REQUIRE(changes.size() == 3);
  CHECK(changes[0] == doctest::Approx(2));
  CHECK(changes[1] == doctest::Approx(std::sqrt(2.0) / 2));
  CHECK(std::isinf(changes[2]));
}

TEST_CASE("a unit fires for the words whose activation is above 0, most for the largest") {
  // Four words, four units: always, never (negative as GELU's can be, and 0), once, and twice.
  const std::vector<float> hidden{1, -0.1f, 0, 0.5f,  //
                                  2, 0,     0, 0,     //
                                  3, -0.2f, 7, 0,     //
                                  1, 0,     0, 0.7f};
  const std::vector<UnitActivity> units = unit_activity({hidden.data(), 4, 4});
  REQUIRE(units.size() == 4);
  CHECK(units[0].firing == 4);
  CHECK(units[0].strongest == 2);
  CHECK(units[1].firing == 0);
  CHECK(units[1].strongest == -1);
  CHECK(units[2].firing == 1);
  CHECK(units[2].strongest == 2);
  CHECK(units[3].firing == 2);
  CHECK(units[3].strongest == 3);

  const FiringSummary summary = firing_summary(units, 4);
  CHECK(summary.share == doctest::Approx(7.0 / 16));
  CHECK(summary.never == 1);
  CHECK(summary.always == 1);
}

TEST_CASE("a block that nothing passed through fires nowhere") {
  const FiringSummary summary = firing_summary({}, 0);
  CHECK(summary.share == 0);
  CHECK(summary.always == 0);
}

TEST_CASE("a step takes time, a larger batch than is measured more, and nobody waits for a stopped one") {
  Config config;
  config.source_vocab = config.target_vocab = 12;
  config.d_model = 16, config.d_ff = 32, config.heads = 2, config.encoder_layers = config.decoder_layers = 1;
  TrainingOptions options;
  options.batch_tokens = 64;
  const auto keep_going = [] { return true; };
  const double small = measured_step_seconds(config, options, keep_going);
  CHECK(small > 0);
  options.batch_tokens = 1 << 20;
  CHECK(measured_step_seconds(config, options, keep_going) > small);
  CHECK(measured_step_seconds(config, options, [] { return false; }) == 0);
  config.max_length = 4;  // shorter than the words that are drawn else
  CHECK(measured_step_seconds(config, options, keep_going) > 0);
  config.heads = 3;
  CHECK_THROWS_AS(measured_step_seconds(config, options, keep_going), const Error&);
}

}  // namespace glassformer::statistics_test
