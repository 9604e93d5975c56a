#include "engine/analysis/position_study.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/layers/embedding.h"
#include "engine/math/random.h"

namespace glassformer {

namespace {

double row_product(const Plane& table, int a, int b) {
  double sum = 0;
  for (int c = 0; c < table.columns; ++c) sum += double(table(a, c)) * double(table(b, c));
  return sum;
}

}  // namespace

std::vector<float> sinusoidal_table(int length, int d_model, const WaveForm& form) {
  std::vector<float> table;  // (length, d_model)
  table.reserve(static_cast<std::size_t>(length) * static_cast<std::size_t>(d_model));
  for (int position = 0; position < length; ++position)
    for (int column = 0; column < d_model; ++column)
      table.push_back(static_cast<float>(position_wave(position, column, d_model, form)));
  return table;
}

std::vector<float> index_table(int length) {
  std::vector<float> table(static_cast<std::size_t>(length));  // (length, 1)
  std::iota(table.begin(), table.end(), 0.0f);
  return table;
}

double mean_squared_length(const Plane& rows) {
  double sum = 0;
  for (int row = 0; row < rows.rows; ++row) sum += row_product(rows, row, row);
  return rows.rows > 0 ? sum / rows.rows : 0;
}

std::vector<float> untrained_positions(int length, int d_model, std::uint64_t seed) {
  const double deviation = 1 / std::sqrt(static_cast<double>(d_model));
  Random random(seed);
  std::vector<float> table;  // (length, d_model)
  table.reserve(static_cast<std::size_t>(length) * static_cast<std::size_t>(d_model));
  for (int i = 0; i < length * d_model; ++i) table.push_back(static_cast<float>(random.normal() * deviation));
  return table;
}

std::vector<float> dot_products(const Plane& table) {
  const auto length = static_cast<std::size_t>(table.rows);
  std::vector<float> products(length * length);  // (L, L)
  for (int a = 0; a < table.rows; ++a)
    for (int b = 0; b <= a; ++b) {
      const auto product = static_cast<float>(row_product(table, a, b));
      products[static_cast<std::size_t>(a) * length + static_cast<std::size_t>(b)] = product;
      products[static_cast<std::size_t>(b) * length + static_cast<std::size_t>(a)] = product;
    }
  return products;
}

std::vector<DistanceSimilarity> similarity_by_distance(const Plane& table, int distances) {
  std::vector<DistanceSimilarity> result;
  for (int distance = 0; distance < std::min(distances, table.rows); ++distance) {
    DistanceSimilarity one;
    double sum = 0;
    for (int row = 0; row + distance < table.rows; ++row) {
      const double product = row_product(table, row, row + distance);
      one.smallest = row == 0 ? product : std::min(one.smallest, product);
      one.largest = row == 0 ? product : std::max(one.largest, product);
      sum += product;
      ++one.pairs;
    }
    one.mean = sum / double(one.pairs);
    result.push_back(one);
  }
  return result;
}

std::vector<Frequency> position_frequencies(int d_model, const WaveForm& form) {
  std::vector<Frequency> result;
  for (int pair = 0; pair < d_model / 2; ++pair) {
    const double frequency = 1 / position_divisor(sine_column(pair, d_model, form), d_model, form);
    result.push_back({pair, frequency, 2 * std::numbers::pi / frequency});
  }
  return result;
}

std::vector<ShiftRotation> shift_rotations(int d_model, int shift, const WaveForm& form) {
  std::vector<ShiftRotation> result;
  for (const Frequency& frequency : position_frequencies(d_model, form)) {
    const double angle = frequency.frequency * shift;
    result.push_back({angle, std::cos(angle), std::sin(angle)});
  }
  return result;
}

MovedPair moved_pair(const Plane& table, int pair, int from, int shift, const WaveForm& form) {
  const int d = table.columns, to = from + shift;
  const int of_sine = sine_column(pair, d, form), of_cosine = cosine_column(pair, d, form);
  const auto [angle, cosine, sine] = shift_rotations(d, shift, form)[static_cast<std::size_t>(pair)];
  MovedPair moved{.rotation = {angle, cosine, sine},
                  .sine = table(from, of_sine),
                  .cosine = table(from, of_cosine),
                  .there_sine = table(to, of_sine),
                  .there_cosine = table(to, of_cosine)};
  moved.moved_sine = cosine * moved.sine + sine * moved.cosine;
  moved.moved_cosine = -sine * moved.sine + cosine * moved.cosine;
  return moved;
}

FrequencyWays compare_frequency_ways(int length, int d_model, const WaveForm& form) {
  const auto apart = [](double a, double b) {
    return std::abs(double(static_cast<float>(a)) - double(static_cast<float>(b)));
  };
  FrequencyWays ways;
  for (const Frequency& by_power : position_frequencies(d_model, form)) {
    const double by_exp = position_frequency_by_exp(sine_column(by_power.pair, d_model, form), d_model, form);
    ways.frequency = std::max(ways.frequency, std::abs(by_power.frequency - by_exp));
    for (int position = 0; position < length; ++position) {
      const double one = position * by_power.frequency, other = position * by_exp;
      ways.table = std::max(
          {ways.table, apart(std::sin(one), std::sin(other)), apart(std::cos(one), std::cos(other))});
    }
  }
  return ways;
}

}  // namespace glassformer
