#include "engine/math/typed_number.h"

#include <charconv>
#include <cmath>
#include <type_traits>

namespace glassformer {
namespace {

constexpr double kExact = 9007199254740992;  // 2^53: from here on a double skips whole numbers

// Without blanks at the ends and without a plus sign, which the library does not take.
std::string_view bare(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

template <class Number>
std::optional<Number> read_whole(std::string_view typed) {
  const std::string_view text = bare(typed);
  Number exact = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), exact);
  if (problem == std::errc() && end == text.data() + text.size()) return exact;
  const std::optional<double> number = typed_number(typed);
  const bool fits = number && *number == std::floor(*number) && std::abs(*number) <= kExact;
  if (!fits || (*number < 0 && std::is_unsigned_v<Number>)) return std::nullopt;
  return static_cast<Number>(*number);
}

}  // namespace

std::optional<double> typed_number(std::string_view typed) {
  const std::string_view text = bare(typed);
  // Words that the library would take too: "inf", "nan".
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole_text = problem == std::errc() && end == text.data() + text.size();
  return whole_text && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> typed_whole(std::string_view text) {
  return read_whole<std::int64_t>(text);
}

std::optional<std::uint64_t> typed_unsigned(std::string_view text) {
  return read_whole<std::uint64_t>(text);
}

}  // namespace glassformer
