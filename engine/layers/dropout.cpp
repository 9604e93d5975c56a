#include "engine/layers/dropout.h"

#include <cmath>
#include <cstring>

#include "engine/math/random.h"
#include "engine/math/work_profile.h"

namespace glassformer {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kGroup = 2 * kLanes;  // numbers decided by one round of the lanes: 16 bits each

// 16 numbers side by side; compilers turn this into vector instructions of whatever width there is.
using Lanes = std::uint32_t __attribute__((vector_size(4 * kLanes)));

constexpr Lanes kCount = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

// 32 random bits for each lane (the "lowbias32" mixer).
Lanes random_lanes(std::uint32_t counter, std::uint32_t low_key, std::uint32_t high_key) {
  Lanes x = (kCount + counter) ^ low_key;
  x = (x ^ (x >> 16)) * 0x7feb352du + high_key;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

// As many floating-point numbers.
template <class Scalar>
struct Wide;
template <>
struct Wide<float> {
  using Numbers = float __attribute__((vector_size(4 * kLanes)));
};
template <>
struct Wide<double> {
  using Numbers = double __attribute__((vector_size(8 * kLanes)));
};

// Multiplies 16 numbers by `grow`, or by 0 where the draw is below the threshold.
template <class Scalar>
void drop_lanes(Scalar* values, const Lanes& draws, std::uint32_t threshold, Scalar grow) {
  using Numbers = typename Wide<Scalar>::Numbers;
  Numbers numbers;
  std::memcpy(&numbers, values, sizeof numbers);
  const auto kept = draws >= threshold;  // -1 or 0
  numbers *= __builtin_convertvector(kept, Numbers) * -grow;
  std::memcpy(values, &numbers, sizeof numbers);
}

}  // namespace

Dropout Dropout::at(std::uint64_t place) const {
  return {p, active() ? derive_seed(key, place) : 0};
}

double Dropout::growth() const {
  return 65536.0 / (65536.0 - static_cast<double>(std::lround(p * 65536)));
}

template <class Scalar>
void drop(Scalar* values, std::size_t count, std::size_t first, const Dropout& dropout) {
  const Doing doing(Work::dropout);
  const auto threshold = static_cast<std::uint32_t>(std::lround(dropout.p * 65536));
  const Scalar grow = static_cast<Scalar>(dropout.growth());
  const std::uint64_t key = derive_seed(dropout.key, first);
  const auto low_key = static_cast<std::uint32_t>(key), high_key = static_cast<std::uint32_t>(key >> 32);

  std::uint32_t counter = 0;
  std::size_t i = 0;
  for (; i + kGroup <= count; i += kGroup, counter += kLanes) {
    const Lanes bits = random_lanes(counter, low_key, high_key);
    drop_lanes(values + i, bits & 0xffff, threshold, grow);
    drop_lanes(values + i + kLanes, bits >> 16, threshold, grow);
  }
  const Lanes bits = random_lanes(counter, low_key, high_key);
  for (std::size_t lane = 0; i < count; ++i, ++lane) {
    const std::uint32_t draw = lane < kLanes ? bits[lane] & 0xffff : bits[lane - kLanes] >> 16;
    values[i] *= draw < threshold ? Scalar{0} : grow;
  }
}

template void drop(float*, std::size_t, std::size_t, const Dropout&);
template void drop(double*, std::size_t, std::size_t, const Dropout&);

}  // namespace glassformer
