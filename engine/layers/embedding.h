// Words and places as vectors (paper, sections 3.4 and 3.5): a row of a table for each token id, times
// sqrt(d), plus a row that says where in the sentence it is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/layers/wave_form.h"
#include "engine/math/matrix.h"

namespace glassformer {

// out (n, d): row i is table[ids[i]] * scale.
template <class Scalar>
void embed(const Matrix<Scalar>& table, std::span<const int> ids, double scale, MatrixRef<Scalar> out);

// On the gradient of the table, for the ids in [first, last) alone, so that threads can share a table:
// gradient[ids[i]] += d_out[i] * scale, in the order of the tokens.
template <class Scalar>
void add_embedding_gradient(std::span<const int> ids, const ConstMatrixRef<Scalar>& d_out, double scale,
                            int first, int last, Matrix<Scalar>& gradient);

// The divisors of the columns grow from 1 towards this one, so wavelengths from 2 pi towards 10000 * 2 pi,
// which none reaches (section 3.5), or the last alone where the divisor is d - 2.
inline constexpr double kLargestDivisor = 10000;

// What a position is divided by before the sine or cosine of a column: 10000^(2i/d) for columns 2i and 2i
// + 1, or as the form has it.
double position_divisor(int column, int d, const WaveForm& form = {});
// Its inverse, the frequency of section 3.5, as many programs compute it: exp(-log(10000) 2i/d). Here for
// comparison alone: equal to rounding.
double position_frequency_by_exp(int column, int d, const WaveForm& form = {});

// The wave of one column, at any place between the positions too: P[pos, 2i] = sin(pos / 10000^(2i/d)),
// P[pos, 2i+1] = cos(the same). For odd d the last column is a sine.
double position_wave(double position, int column, int d, const WaveForm& form = {});

// The waves at whole positions; (length, d).
template <class Scalar>
Matrix<Scalar> sinusoids(int length, int d, const WaveForm& form = {});

// Where each token of a sentence is: in its place, unless somebody tries out what happens otherwise.

struct GivenPositions {
  bool none = false;       // no token has any
  int shift = 0;           // all are so much further on
  std::vector<int> order;  // the position of each place, before the shift; further places keep theirs

  int at(int place) const {
    return shift + (place < std::ssize(order) ? order[static_cast<std::size_t>(place)] : place);
  }
  bool unchanged() const { return !none && shift == 0 && order.empty(); }
  // One more than the largest position of the first `places`; 0 where none has any.
  int end(int places) const;
};

}  // namespace glassformer
