#include "app/format/value_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

// "2.31 × 10⁻⁶": raised digits, since such numbers stand in plain text as well.
std::string with_power(double value) {
  constexpr const char* kRaised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::scientific, 2).ptr;
  const std::string text(buffer, end);
  const size_t e = text.find('e');
  std::string raised = text[e + 1] == '-' ? "\u207B" : "";
  size_t first = e + 2;
  while (first + 1 < text.size() && text[first] == '0') ++first;
  for (size_t i = first; i < text.size(); ++i) raised += kRaised[text[i] - '0'];
  return (value < 0 ? "\u2212" : "") + text.substr(0, e) + " × 10" + raised;
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
