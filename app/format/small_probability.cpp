#include "app/format/small_probability.h"

#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

std::string format_small_probability(double value) {
  if (!std::isfinite(value) || value <= 0 || value >= 0.005) {
    const std::string cell = format_weight_cell(value);
    return cell.empty() ? "0" : cell;
  }
  int power = static_cast<int>(std::floor(std::log10(value)));
  double leading = value * std::pow(10.0, -power);
  if (leading >= 9.95) leading = 1, ++power;  // what rounds up to the next power
  if (power <= -5) return format_fixed(leading, 1) + format_power(power);
  return format_fixed(value, 1 - power).substr(1);
}

}  // namespace glassformer
