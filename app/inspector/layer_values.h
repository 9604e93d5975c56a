// Single rows through the engine's own layers, for the inspector's formulas: what it prints beside a value of
// the Trace is computed by the code that made the Trace, in double precision.
#pragma once

#include <vector>

#include "engine/layers/activation.h"

namespace glassformer {

struct NormalizedRow {
  double mean = 0, deviation = 0;
  std::vector<double> values;  // (x − mean) / deviation
};
NormalizedRow normalized_row(const std::vector<double>& x, double eps);

double activated(Activation activation, double x);
// log( sum of exp( x ) ); −∞ for an empty row.
double log_sum_exp_of(const std::vector<double>& x);

}  // namespace glassformer
