// exp(x) / sum exp(x): scores into shares that add up to 1.
#pragma once

namespace glassformer {

// In place. Entries of -inf become exactly 0; when all are -inf (or there are none) all become 0, never NaN.
template <class Scalar>
void softmax(Scalar* row, int count);
// Of each row of some numbers that lie row after row.
template <class Scalar>
void softmax_rows(Scalar* numbers, int rows, int columns);

// log(sum exp(x)), without overflow; -inf for an empty row.
template <class Scalar>
Scalar log_sum_exp(const Scalar* row, int count);

// Index of the largest entry, the lowest of equals; NaN counts as smallest. count >= 1.
template <class Scalar>
int arg_max(const Scalar* row, int count);

}  // namespace glassformer
