#include "engine/layers/dropout.h"

#include <cmath>

#include "engine/math/random.h"

namespace glassformer {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kGroup = 2 * kLanes;  // numbers decided by one round of the lanes: 16 bits each

// 32 random bits for each lane (the "lowbias32" mixer); plain loops that compilers turn into vector
// instructions.
void random_lanes(std::uint32_t counter, std::uint32_t low_key, std::uint32_t high_key, std::uint32_t* bits) {
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::uint32_t x = (counter + lane) ^ low_key;
    x = (x ^ (x >> 16)) * 0x7feb352du + high_key;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    bits[lane] = x ^ (x >> 16);
  }
}

}  // namespace

Dropout Dropout::at(std::uint64_t place) const {
  return {p, active() ? derive_seed(key, place) : 0};
}

template <class Scalar>
void drop(Scalar* values, std::size_t count, std::size_t first, const Dropout& dropout) {
  const auto threshold = static_cast<std::uint32_t>(std::lround(dropout.p * 65536));
  const Scalar grow = static_cast<Scalar>(65536.0 / (65536.0 - threshold));
  const std::uint64_t key = derive_seed(dropout.key, first);
  const auto low_key = static_cast<std::uint32_t>(key), high_key = static_cast<std::uint32_t>(key >> 32);

  std::uint32_t counter = 0;
  std::size_t i = 0;
  for (; i + kGroup <= count; i += kGroup, counter += kLanes) {
    std::uint32_t bits[kLanes];
    random_lanes(counter, low_key, high_key, bits);
    Scalar* group = values + i;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      group[lane] *= (bits[lane] & 0xffff) < threshold ? Scalar{0} : grow;
    }
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      group[kLanes + lane] *= (bits[lane] >> 16) < threshold ? Scalar{0} : grow;
    }
  }
  if (i < count) {
    std::uint32_t bits[kLanes];
    random_lanes(counter, low_key, high_key, bits);
    for (std::size_t lane = 0; i < count; ++i, ++lane) {
      const std::uint32_t draw = lane < kLanes ? bits[lane] & 0xffff : bits[lane - kLanes] >> 16;
      values[i] *= draw < threshold ? Scalar{0} : grow;
    }
  }
}

template void drop(float*, std::size_t, std::size_t, const Dropout&);
template void drop(double*, std::size_t, std::size_t, const Dropout&);

}  // namespace glassformer
