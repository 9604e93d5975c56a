#include "engine/analysis/position_study.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/layers/embedding.h"

using namespace glassformer;

namespace {

// The table of the model specification, written out here so that the study is checked against the formula
// itself.
std::vector<float> sines_and_cosines(int length, int d) {
  std::vector<float> table;
  for (int position = 0; position < length; ++position)
    for (int column = 0; column < d; ++column) {
      const double angle = position / std::pow(10000.0, (column - column % 2) / double(d));
      table.push_back(static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle)));
    }
  return table;
}

}  // namespace

TEST_CASE("the rotation by k turns the row of any position into the row k places on") {
  const int length = 40, d = 32;
  const std::vector<float> values = sines_and_cosines(length, d);
  const Plane table{values.data(), length, d};
  for (const int shift : {1, 5, -3}) {
    const std::vector<ShiftRotation> rotations = shift_rotations(d, shift);
    REQUIRE(rotations.size() == d / 2);
    for (int row = 3; row + 5 < length; ++row)
      for (int i = 0; i < d / 2; ++i) {
        const auto [angle, cosine, sine] = rotations[static_cast<std::size_t>(i)];
        const double s = table(row, 2 * i), c = table(row, 2 * i + 1);
        CHECK(cosine * s + sine * c == doctest::Approx(table(row + shift, 2 * i)).epsilon(1e-5));
        CHECK(-sine * s + cosine * c == doctest::Approx(table(row + shift, 2 * i + 1)).epsilon(1e-5));
      }
  }
}

TEST_CASE("similarity of sinusoidal positions depends on the distance alone, and is d / 2 at distance 0") {
  const int length = 24, d = 32;
  const std::vector<float> values = sines_and_cosines(length, d);
  const auto similarity = similarity_by_distance({values.data(), length, d}, 100);
  REQUIRE(similarity.size() == 24);
  CHECK(similarity[0].mean == doctest::Approx(d / 2.0));
  CHECK(similarity[2].mean == doctest::Approx(13.7).epsilon(0.005));
  for (const DistanceSimilarity& at : similarity)
    CHECK(at.largest - at.smallest == doctest::Approx(0).epsilon(1e-4));
  CHECK(similarity[3].pairs == 21);
}

TEST_CASE("the mean over pairs is taken when places differ, and dot products are symmetric") {
  const std::vector<float> values{1, 0, 0, 2, 1, 1};
  const Plane table{values.data(), 3, 2};
  CHECK(dot_products(table) == std::vector<float>{1, 0, 1, 0, 4, 2, 1, 2, 2});
  const auto similarity = similarity_by_distance(table, 2);
  REQUIRE(similarity.size() == 2);
  CHECK(similarity[0].mean == doctest::Approx(7.0 / 3));
  CHECK(similarity[1].mean == doctest::Approx(1));
  CHECK(similarity[1].smallest == 0);
  CHECK(similarity[1].largest == 2);
}

TEST_CASE("frequencies fall from one radian a position, and an odd width leaves its last column out") {
  const auto frequencies = position_frequencies(33);
  REQUIRE(frequencies.size() == 16);
  CHECK(frequencies[0].frequency == doctest::Approx(1));
  CHECK(frequencies[8].frequency == doctest::Approx(std::pow(10000.0, -16.0 / 33)));
  CHECK(frequencies[8].wavelength * frequencies[8].frequency == doctest::Approx(6.283185307));
  CHECK(shift_rotations(33, 2)[0].angle == doctest::Approx(2));
}

TEST_CASE("the table samples the waves at whole positions, an odd width ends in a sine") {
  const std::vector<float> table = sinusoidal_table(5, 7);
  REQUIRE(table.size() == 35);
  CHECK(table[3 * 7 + 4] == doctest::Approx(std::sin(3 / std::pow(10000.0, 4.0 / 7))));
  CHECK(table[3 * 7 + 5] == doctest::Approx(std::cos(3 / std::pow(10000.0, 4.0 / 7))));
  CHECK(table[3 * 7 + 6] == doctest::Approx(std::sin(3 / std::pow(10000.0, 6.0 / 7))));
  CHECK(position_wave(0.5, 0, 7) == doctest::Approx(std::sin(0.5)));
}

TEST_CASE("a learned table starts as the model's own does: normal, with deviation 1 over the root of d") {
  const int d = 64;
  const std::vector<float> table = untrained_positions(100, d, 7);
  REQUIRE(table.size() == 100 * d);
  double sum = 0, squares = 0;
  for (const float value : table) {
    sum += double(value);
    squares += double(value) * double(value);
  }
  CHECK(sum / double(table.size()) == doctest::Approx(0).epsilon(0.01));
  CHECK(squares / double(table.size()) == doctest::Approx(1.0 / d).epsilon(0.05));
  CHECK(untrained_positions(100, d, 7) == table);
  CHECK(untrained_positions(100, d, 8) != table);
}

TEST_CASE("the index itself is most like the last place, a wave like its own") {
  const int length = 40, d = 32, place = 12;
  const std::vector<float> index = index_table(length), waves = sinusoidal_table(length, d);
  const std::vector<float> of_index = dot_products({index.data(), length, 1}),
                           of_waves = dot_products({waves.data(), length, d});
  for (int other = 0; other < length; ++other) {
    const auto at = static_cast<std::size_t>(place * length + other);
    CHECK(of_index[at] == float(place * other));
    if (other != place) CHECK(of_waves[at] < of_waves[static_cast<std::size_t>(place * length + place)]);
  }
  // The index grows without bound, the waves' length stays.
  CHECK(mean_squared_length({index.data() + 39, 1, 1}) == 39 * 39);
  CHECK(mean_squared_length({waves.data(), length, d}) == doctest::Approx(d / 2.0));
  CHECK(mean_squared_length({}) == 0);
}

TEST_CASE("one pair moved k places is the row that stands there, to the rounding of 32 bits") {
  const int length = 40, d = 12;
  const std::vector<float> values = sines_and_cosines(length, d);
  const Plane table{values.data(), length, d};
  const int pair = 2, from = 7, shift = 3;
  const MovedPair moved = moved_pair(table, pair, from, shift);
  const double w = 1 / std::pow(10000.0, 4.0 / 12);
  CHECK(moved.rotation.angle == doctest::Approx(3 * w));
  CHECK(moved.rotation.cosine == doctest::Approx(std::cos(3 * w)));
  CHECK(moved.rotation.sine == doctest::Approx(std::sin(3 * w)));
  CHECK(moved.sine == values[7 * 12 + 4]);
  CHECK(moved.cosine == values[7 * 12 + 5]);
  CHECK(moved.there_sine == values[10 * 12 + 4]);
  CHECK(moved.there_cosine == values[10 * 12 + 5]);
  CHECK(moved.moved_sine == doctest::Approx(std::sin(10 * w)).epsilon(1e-6));
  CHECK(moved.moved_cosine == doctest::Approx(std::cos(10 * w)).epsilon(1e-6));
  CHECK(moved.sine_difference() == moved.moved_sine - moved.there_sine);
  CHECK(std::abs(moved.sine_difference()) < 2e-7);
  CHECK(std::abs(moved.cosine_difference()) < 2e-7);
}

TEST_CASE("a frequency by the power and by exp of the logarithm are equal to rounding") {
  double most = 0, most_of_table = 0;
  const int d = 64, length = 32;
  for (int i = 0; i < d / 2; ++i) {
    const double by_power = 1 / std::pow(10000.0, 2.0 * i / d);
    const double by_exp = std::exp(-std::log(10000.0) * (2.0 * i / d));
    CHECK(position_frequency_by_exp(2 * i, d) == by_exp);
    CHECK(position_frequency_by_exp(2 * i + 1, d) == by_exp);
    most = std::max(most, std::abs(by_power - by_exp));
    for (int p = 0; p < length; ++p)
      for (const auto wave : {+[](double a) { return std::sin(a); }, +[](double a) { return std::cos(a); }})
        most_of_table = std::max(most_of_table, std::abs(double(static_cast<float>(wave(p * by_power))) -
                                                         double(static_cast<float>(wave(p * by_exp)))));
  }
  const FrequencyWays ways = compare_frequency_ways(length, d);
  CHECK(ways.frequency == most);
  CHECK(ways.frequency > 0);
  CHECK(ways.frequency < 1e-15);
  CHECK(ways.table == most_of_table);
  CHECK(ways.table < 1e-6);
}

TEST_CASE("no wavelength reaches 10000 times two pi, however wide the table") {
  for (const int d : {2, 32, 512}) {
    const auto all = position_frequencies(d);
    CHECK(all.front().wavelength == doctest::Approx(2 * std::acos(-1.0)));
    CHECK(all.back().wavelength == doctest::Approx(2 * std::acos(-1.0) * std::pow(10000.0, (d - 2.0) / d)));
    CHECK(all.back().wavelength < kLargestDivisor * 2 * std::acos(-1.0));
  }
}
