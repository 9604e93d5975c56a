// Probabilities of what did not win.
#pragma once

#include <string>

namespace glassformer {

// Where there is room for more than in a cell: ".70" as there (format_weight_cell), and below .005 the two
// leading digits, ".0031", "4.2 × 10⁻⁵".
std::string format_small_probability(double value);

}  // namespace glassformer
