#include "engine/math/random.h"

#include <cmath>

namespace glassformer {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

// Natural logarithm of 0 < x from additions and products alone: the library's own may differ in the last bit.
double logarithm(double x) {
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);  // in [0.5, 1)
  if (mantissa < 0.70710678118654752) {
    mantissa *= 2;
    --exponent;
  }
  // log m = 2 atanh(z) = 2 (z + z^3/3 + z^5/5 + ...), |z| < 0.172
  const double z = (mantissa - 1) / (mantissa + 1);
  double power = z, sum = 0;
  for (int n = 1; n < 24; n += 2) {
    sum += power / n;
    power *= z * z;
  }
  return 2 * sum + exponent * 0.69314718055994531;
}

}  // namespace

std::uint64_t scramble(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t purpose) {
  return scramble(scramble(seed + kGolden) + purpose * kGolden);
}

std::uint64_t Random::next() {
  state_ += kGolden;
  return scramble(state_);
}

double Random::uniform() {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

// Marsaglia's polar method; of the pair of numbers it gives only one is used, so that the state is one
// number.
double Random::normal() {
  while (true) {
    const double u = 2 * uniform() - 1;
    const double v = 2 * uniform() - 1;
    const double square = u * u + v * v;
    if (square > 0 && square < 1) return u * std::sqrt(-2 * logarithm(square) / square);
  }
}

int Random::below(int limit) {
  // Numbers at the very end that would make some results likelier are thrown away.
  const auto range = static_cast<std::uint64_t>(limit);
  const std::uint64_t usable = ~std::uint64_t{0} - (~std::uint64_t{0} % range + 1) % range;
  std::uint64_t bits = next();
  while (bits > usable) bits = next();
  return static_cast<int>(bits % range);
}

}  // namespace glassformer
