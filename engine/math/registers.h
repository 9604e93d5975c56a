// A vector of as many numbers as a register of the processor holds that this engine is built for.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstddef>
#include <cstring>
#include <utility>

namespace glassformer {

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class Scalar>
struct Registers;
template <>
struct Registers<float> {
  using Vector = float __attribute__((vector_size(kVectorBytes)));
};
template <>
struct Registers<double> {
  using Vector = double __attribute__((vector_size(kVectorBytes)));
};
template <class Scalar>
using Vector = typename Registers<Scalar>::Vector;
template <class Scalar>
constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(Scalar));

template <class Scalar>
Vector<Scalar> load(const Scalar* from) {
  Vector<Scalar> vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

template <class Scalar>
void store(const Vector<Scalar>& vector, Scalar* to) {
  std::memcpy(to, &vector, sizeof vector);
}

// The first `count` lanes alone, in a vector the others of which are 0: what is behind them is not touched.
template <class Scalar>
Vector<Scalar> load_some(const Scalar* from, int count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1), from);
  } else {
    return _mm512_maskz_loadu_pd(static_cast<__mmask8>((1U << count) - 1), from);
  }
#else
  if (count == kLanes<Scalar>) return load(from);
  Vector<Scalar> vector = {};
  std::memcpy(&vector, from, static_cast<std::size_t>(count) * sizeof(Scalar));
  return vector;
#endif
}

template <class Scalar>
void store_some(const Vector<Scalar>& vector, Scalar* to, int count) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1U << count) - 1), vector);
  } else {
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1U << count) - 1), vector);
  }
#else
  if (count == kLanes<Scalar>) return store(vector, to);
  const Vector<Scalar> in_memory = vector;  // the vector itself stays in its register
  std::memcpy(to, &in_memory, static_cast<std::size_t>(count) * sizeof(Scalar));
#endif
}

template <class Scalar>
Vector<Scalar> in_every_lane(Scalar number) {
  return number - Vector<Scalar>{};
}

// a b + c, rounded once where the processor can. Said outright: a compiler that fuses here and not there
// would give a number that depends on the tile it falls into.
template <class Scalar>
Vector<Scalar> fused(const Vector<Scalar>& a, const Vector<Scalar>& b, const Vector<Scalar>& c) {
#if defined(__AVX512F__)
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    return _mm512_fmadd_ps(a, b, c);
  } else {
    return _mm512_fmadd_pd(a, b, c);
  }
#elif defined(__FMA__)
  if constexpr (sizeof(Scalar) == sizeof(float)) {
    return _mm256_fmadd_ps(a, b, c);
  } else {
    return _mm256_fmadd_pd(a, b, c);
  }
#else
  return a * b + c;
#endif
}

template <int kDistance, class Scalar, std::size_t... kLane>
Vector<Scalar> swapped(const Vector<Scalar>& a, std::index_sequence<kLane...>) {
  return __builtin_shufflevector(a, a, (static_cast<int>(kLane) ^ kDistance)...);
}

template <class Scalar, int kDistance = kLanes<Scalar> / 2>
Scalar sum_of_lanes(const Vector<Scalar>& a) {
  if constexpr (kDistance == 0) {
    return a[0];
  } else {
    using Lanes = std::make_index_sequence<kLanes<Scalar>>;
    return sum_of_lanes<Scalar, kDistance / 2>(a + swapped<kDistance, Scalar>(a, Lanes()));
  }
}

template <class Scalar>
Scalar dot(const Scalar* a, const Scalar* b, int count) {
  Vector<Scalar> sums = {};
  int i = 0;
  for (; i + kLanes<Scalar> <= count; i += kLanes<Scalar>)
    sums = fused<Scalar>(load(a + i), load(b + i), sums);
  Scalar sum = sum_of_lanes<Scalar>(sums);
  for (; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// to += factor * from
template <class Scalar>
void add_scaled(Scalar factor, const Scalar* from, Scalar* to, int count) {
  int i = 0;
  for (; i + kLanes<Scalar> <= count; i += kLanes<Scalar>)
    store(fused<Scalar>(in_every_lane(factor), load(from + i), load(to + i)), to + i);
  for (; i < count; ++i) to[i] += factor * from[i];
}

}  // namespace glassformer
