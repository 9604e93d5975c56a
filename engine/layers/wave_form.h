// How a table of sines and cosines is laid out: code bases differ, and a model computes with the form that it
// was trained with.
#pragma once

namespace glassformer {

enum class PositionOrder {
  interleaved,  // sine, cosine, sine, cosine (paper, section 3.5)
  halves        // all sines, then all cosines (tensor2tensor, Marian, fairseq)
};
enum class PositionDivisor {
  d,          // 10000^(2i / d) (paper, section 3.5)
  d_less_two  // 10000^(2i / (d - 2)) (tensor2tensor, Marian)
};

struct WaveForm {
  PositionOrder order = PositionOrder::interleaved;
  PositionDivisor divisor = PositionDivisor::d;

  bool operator==(const WaveForm&) const = default;
};

// The w of 10000^(2i / w).
constexpr int wave_whole(int d, const WaveForm& form) {
  return form.divisor == PositionDivisor::d ? d : (d > 3 ? d - 2 : 1);
}
// The columns of pair i.
constexpr int sine_column(int pair, int, const WaveForm& form) {
  return form.order == PositionOrder::interleaved ? 2 * pair : pair;
}
constexpr int cosine_column(int pair, int d, const WaveForm& form) {
  return form.order == PositionOrder::interleaved ? 2 * pair + 1 : (d + 1) / 2 + pair;
}

// The i of a column of d: which pair of a sine and a cosine it belongs to, and which of the two it is.
constexpr int wave_pair(int column, int d, const WaveForm& form) {
  const int sines = (d + 1) / 2;
  if (form.order == PositionOrder::interleaved) return column / 2;
  return column < sines ? column : column - sines;
}
constexpr bool is_sine(int column, int d, const WaveForm& form) {
  return form.order == PositionOrder::interleaved ? column % 2 == 0 : column < (d + 1) / 2;
}

}  // namespace glassformer
