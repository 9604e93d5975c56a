#include <doctest/doctest.h>

#include <cmath>

#include "engine/math/error.h"
#include "engine/train/length_race.h"

using namespace glassformer;

TEST_CASE("scores by length: pairs and right ones are counted where their sources belong") {
  constexpr int kEos = 3;
  const std::vector<EncodedPair> pairs = {
      {{4}, {4}}, {{5, 6, 7}, {7, 6, 5}}, {{5, 6, 8}, {8, 6, 5}}, {{9}, {9}}, {{4, 4, 4}, {4, 4}},
      {{}, {}},   {{6, 7, 8, 9, 4}, {}}};
  const std::vector<std::vector<int>> written = {
      {4, kEos},        // right
      {7, 6, 5, kEos},  // right
      {8, 6, 5},        // cut off
      {9, 9, kEos},     // a word too many
      {4, kEos},        // a word too few
      {kEos},           // of an empty source
      {kEos},           // right: nothing was wanted
  };
  const auto scores = length_scores(pairs, written, kEos);
  REQUIRE(scores.size() == 5);
  const long all[] = {2, 0, 3, 0, 1}, right[] = {1, 0, 1, 0, 1};
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(scores[i].words == static_cast<int>(i) + 1);
    CHECK(scores[i].pairs == all[i]);
    CHECK(scores[i].right == right[i]);
  }
  CHECK(scores[0].share() == 0.5);
  CHECK(scores[2].share() == doctest::Approx(1.0 / 3));
  CHECK(std::isnan(scores[1].share()));
  CHECK(scores[4].share() == 1);
}

TEST_CASE("scores by length: nothing gives nothing, and counts must agree") {
  CHECK(length_scores({}, {}, 3).empty());
  const std::vector<EncodedPair> pairs = {{{4}, {4}}};
  CHECK_THROWS_AS(length_scores(pairs, {}, 3), Error);
  const std::vector<std::vector<int>> nothing(1);
  CHECK(length_scores(pairs, nothing, 3)[0].right == 0);
}
