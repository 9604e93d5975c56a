// JSON files, and what is wrong with them in a person's words.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

namespace glassformer {

// Throws Error that names the file, and the line at which it stops being JSON.
nlohmann::json read_json(const std::string& path);
// The same of text that came from somewhere else.
nlohmann::json parse_json(const std::string& text, const std::string& where);

[[noreturn]] void refuse_number(const nlohmann::json& value, const std::string& where,
                                const std::string& name, const std::string& range);

// What the library found wrong with a value, without its own numbering: "the entry "step" is missing".
std::string in_words(const nlohmann::json::exception& error);

// The value when it is a whole number within the bounds; 2.5 is not cut to 2, and what a Number cannot hold
// is not wrapped.
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
  return std::nullopt;
}

// The same where nothing else will do: throws Error(where) that calls the value by `name`.
template <std::integral Number>
Number whole(const nlohmann::json& value, const std::string& where, const std::string& name, Number low = 0,
             Number high = std::numeric_limits<Number>::max()) {
  if (const std::optional<Number> number = as_whole(value, low, high)) return *number;
  refuse_number(value, where, name, "from " + std::to_string(low) + " to " + std::to_string(high));
}

}  // namespace glassformer
