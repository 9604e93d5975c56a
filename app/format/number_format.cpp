#include "app/format/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace glassformer {

namespace {

constexpr const char* kMinus = "−";
constexpr const char* kThinSpace = "\u2009";
constexpr const char* kRaised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                   "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

// Halfway, to the bit, between two numbers of so many decimals.
bool is_tie(double magnitude, int decimals) {
  const double scale = 2 * std::pow(10.0, decimals), halves = magnitude * scale;
  return std::fmod(halves, 2) == 1 && std::fma(magnitude, scale, -halves) == 0;
}

// Digits of a finite magnitude, '.' as the point whatever the locale. A tie goes up as by hand, 0.125 to
// 0.13, where to_chars would go to the even digit.
std::string digits(double magnitude, int decimals) {
  if (is_tie(magnitude, decimals)) magnitude = std::nextafter(magnitude, HUGE_VAL);
  std::array<char, 400> text;
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), magnitude, std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(text.data(), end) : "?";
}

std::string shortest(double magnitude) {
  std::array<char, 64> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), magnitude);
  return error == std::errc() ? std::string(text.data(), end) : "?";
}

// A thin space between thousands, before the point.
std::string with_thousands(std::string text) {
  const std::size_t whole = std::min(text.find('.'), text.size());
  for (std::size_t i = whole; i > 3;) text.insert(i -= 3, kThinSpace);
  return text;
}

bool all_zero(const std::string& text) {
  return text.find_first_not_of("0.") == std::string::npos;
}

std::string without_trailing_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string not_finite(double value) {
  if (std::isnan(value)) return "NaN";
  return value > 0 ? "∞" : std::string(kMinus) + "∞";
}

template <class Numbers>
std::string joined(const Numbers& numbers, const char* between) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size(); ++i) text += (i ? between : "") + std::to_string(numbers[i]);
  return text;
}

}  // namespace

std::string format_power(int power) {
  std::string text = power < 0 ? " × 10\u207B" : " × 10";
  for (const char digit : std::to_string(std::abs(power))) text += kRaised[digit - '0'];
  return text;
}

std::string format_count(long long value) {
  std::string text = std::to_string(value);
  const std::size_t sign = value < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3;) text.insert(i -= 3, kThinSpace);
  if (sign) text.replace(0, 1, kMinus);
  return text;
}

std::string format_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return not_finite(value);
  const std::string text = digits(std::abs(value), decimals);
  return (value < 0 && !all_zero(text) ? kMinus : "") + with_thousands(text);
}

std::string format_signed(double value, int decimals) {
  const std::string text = format_fixed(value, decimals);
  return value > 0 ? "+" + text : text;
}

std::string format_probability(double value) {
  return format_fixed(value, 2);
}
std::string format_loss(double value) {
  return std::abs(value) < 1e5 ? format_fixed(value, 3) : format_short(value);
}
std::string format_pinned(double value) {
  return format_fixed(value, 4);
}
std::string format_gradient(double value) {
  return format_fixed(value, 6);
}
std::string format_percent(double share, int decimals) {
  return format_fixed(share * 100, decimals) + " %";
}

std::string format_short(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  const double size = std::abs(value);
  const std::string sign = value < 0 ? kMinus : "";
  if (size == 0) return "0";
  if (size < 1e-4 || size >= 1e9) {
    const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    return sign + without_trailing_zeros(digits(size / std::pow(10.0, power), 1)) + format_power(power);
  }
  if (size >= 1e6) return sign + without_trailing_zeros(digits(size / 1e6, 1)) + "M";
  if (size >= 1e4) return sign + without_trailing_zeros(digits(size / 1e3, 1)) + "k";
  if (size >= 1000) return format_count(std::llround(value));
  const int before = static_cast<int>(std::floor(std::log10(size)));  // of the first digit
  return sign + without_trailing_zeros(digits(size, std::max(0, 2 - before)));
}

std::string format_duration(double seconds) {
  const auto whole = [](double value, const char* unit) { return format_count(std::llround(value)) + unit; };
  if (seconds < 1) return "under 1 s";
  if (seconds < 100) return whole(seconds, " s");
  if (seconds < 100 * 60) return whole(seconds / 60, " min");
  return whole(seconds / 3600, " hours");
}

std::string format_full(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  std::string text = shortest(std::abs(value));
  if (const std::size_t e = text.find('e'); e != std::string::npos)
    text = text.substr(0, e) + format_power(std::atoi(text.c_str() + e + 1));
  else
    text = with_thousands(text);
  return std::signbit(value) && value != 0 ? kMinus + text : text;
}

std::string format_shape(std::span<const int> shape) {
  return joined(shape, " × ");
}
std::string format_index(std::span<const int> index) {
  return "[" + joined(index, ", ") + "]";
}

std::string format_weight_cell(double value) {
  if (!std::isfinite(value)) return not_finite(value);
  if (value < 0) return format_fixed(value, 1);
  if (value < 0.005) return {};
  if (value >= 0.995) return digits(value, 1);
  return digits(value, 2).substr(1);
}

std::string format_signed_cell(double value, int decimals) {
  if (!std::isfinite(value)) return not_finite(value);
  return format_fixed(value, std::abs(value) >= 100 - 0.5 ? 0 : decimals);
}

std::string format_file(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return (std::signbit(value) ? "-" : "") + shortest(std::abs(value));
}

std::string to_file_text(std::string_view text) {
  std::string out(text);
  const auto replace = [&out](std::string_view from, std::string_view to) {
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at + to.size())) {
      out.replace(at, from.size(), to);
    }
  };
  replace(kMinus, "-");
  for (const char* space : {"\u2009", "\u202F", "\u00A0"}) replace(space, " ");
  // Powers of ten, of one digit or two.
  replace(" × 10\u207B", "e-");
  for (int first = 0; first < 10; ++first) {
    const std::string digit = std::to_string(first);
    replace(std::string(" × 10") + kRaised[first], "e" + digit);
    replace(std::string("e-") + kRaised[first], "e-" + digit);
  }
  for (int first = 1; first < 10; ++first)
    for (int second = 0; second < 10; ++second)
      for (const std::string sign : {"e", "e-"})
        replace(sign + std::to_string(first) + kRaised[second],
                sign + std::to_string(first) + std::to_string(second));
  return out;
}

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
