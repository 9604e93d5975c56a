#include "engine/train/curves.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "engine/math/error.h"

using namespace glassformer;

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
