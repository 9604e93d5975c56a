// Reading a JSON file that takes seconds: the record of a run of a million steps.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace glassformer {

// Called now and then with the part of the file that is read, from 0 to 1; false gives the reading up, which
// then throws Error.
using JsonProgress = std::function<bool(double)>;
nlohmann::json read_json(const std::string& path, const JsonProgress& progress);

// JSON files, and what is wrong with them in a person's words.

constexpr int kDeepestJson = 64;               // lists and objects within each other
constexpr long kMostJsonBytes = 1L << 28;      // the curves of a run of millions of steps
constexpr long kMostSettingsBytes = 1L << 20;  // files of settings alone
constexpr std::size_t kLongestShown = 80;      // characters of a value in a message

// Throws Error that names the file, and the line at which it stops being JSON. What nests deeper than
// kDeepestJson is refused before any value is made: the library writes and frees values by recursion.
nlohmann::json read_json(const std::string& path, long max_bytes = kMostJsonBytes);
// The same of text that came from somewhere else. `watch` sees each part while it is read, and leaves out
// those for which it returns false.
nlohmann::json parse_json(std::string_view text, const std::string& where,
                          const nlohmann::json::parser_callback_t& watch = nullptr);

// Whether its brackets nest deeper than kDeepestJson, for those who parse a text by themselves.
bool nests_too_deep(std::string_view text);

// A value (a name, a text) as a message quotes it: JSON on one line, cut to kLongestShown characters. Takes
// no longer for a huge value than for a small one, and is UTF-8 whatever the value holds.
std::string shown(const nlohmann::json& value);

[[noreturn]] void refuse_number(const nlohmann::json& value, const std::string& where,
                                const std::string& name, const std::string& range);

// What the library found wrong with a value, without its own numbering: "the entry "step" is missing".
std::string in_words(const nlohmann::json::exception& error);

// The value when it is a whole number within the bounds, also one that another program wrote as 64.0; 2.5 is
// not cut to 2, and what a Number cannot hold is not wrapped.
template <std::integral Number>
std::optional<Number> as_whole(const nlohmann::json& value, Number low = 0,
                               Number high = std::numeric_limits<Number>::max()) {
  const auto within = [&](auto number) {
    return std::cmp_greater_equal(number, low) && std::cmp_less_equal(number, high)
               ? std::optional(static_cast<Number>(number))
               : std::nullopt;
  };
  if (value.is_number_unsigned()) return within(value.get<nlohmann::json::number_unsigned_t>());
  if (value.is_number_integer()) return within(value.get<nlohmann::json::number_integer_t>());
  constexpr double kExact = 9007199254740992;  // 2^53: beyond it a double names several whole numbers
  if (!value.is_number_float()) return std::nullopt;
  const double number = value.get<double>();
  if (!(std::abs(number) <= kExact) || std::trunc(number) != number) return std::nullopt;
  return within(static_cast<std::int64_t>(number));
}

// The same where nothing else will do: throws Error(where) that calls the value by `name`.
template <std::integral Number>
Number whole(const nlohmann::json& value, const std::string& where, const std::string& name, Number low = 0,
             Number high = std::numeric_limits<Number>::max()) {
  if (const std::optional<Number> number = as_whole(value, low, high)) return *number;
  refuse_number(value, where, name, "from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace glassformer
