// A vector of as many numbers as a register of the processor holds that this engine is built for.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>

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

}  // namespace glassformer
