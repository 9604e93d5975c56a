#include "app/format/value_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

// "2.31 × 10⁻⁶"
std::string with_power(double value) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific, 2).ptr;
  const std::string text(buffer, end);
  const size_t e = text.find('e');
  return (value < 0 ? "\u2212" : "") + text.substr(0, e) + format_power(std::atoi(text.c_str() + e + 1));
}

std::string number(double value, int decimals) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0) return format_fixed(value, std::isfinite(value) ? decimals : 0);
  if (size >= 1e6 || size < 0.5 * std::pow(10.0, -decimals)) return with_power(value);
  return format_fixed(value, size >= 1000 ? 1 : size >= 100 ? std::min(decimals, 2) : decimals);
}

}  // namespace

std::string value_text(double value) {
  return number(value, 4);
}
std::string operand_text(double value) {
  return number(value, 3);
}

std::string bracketed_text(double value) {
  const std::string text = value_text(value);
  return text.starts_with("\u2212") ? "(" + text + ")" : text;
}

std::string share_words(double share) {
  if (share == 0) return "nothing";
  if (share < 0.001) return "under 0.1 %";
  if (share < 0.0995) return format_percent(share, 1);
  if (share < 1 && share >= 0.995) return "over 99 %";
  return format_percent(share);
}

std::string significant_text(double value, int significant) {
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0) return number(value, significant - 1);
  const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
  if (before > significant || before < -3) return with_power(value);
  return format_fixed(value, significant - before);
}

}  // namespace glassformer
