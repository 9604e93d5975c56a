#include "app/format/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "app/format/number_format.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr const char* kQuote = "'";

// A spreadsheet takes what begins like this for a formula, and runs it; numbers alone are none.
bool runs_as_formula(std::string_view text) {
  constexpr std::string_view kStarts[] = {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  const std::string_view bare = trimmed(text);
  const auto starts = [&](std::string_view start) { return bare.starts_with(start); };
  const bool number = !bare.starts_with('+') && typed_number(bare);
  return std::ranges::any_of(kStarts, starts) && !number;
}

// Some spreadsheets cut at these as well.
std::string without_formulas(std::string_view text) {
  constexpr std::string_view kCuts = ";\t\r\n";
  std::string safe;
  while (true) {
    const std::size_t cut = text.find_first_of(kCuts);
    const std::string_view part = text.substr(0, cut);
    if (runs_as_formula(part)) safe += kQuote;
    safe += part;
    if (cut == std::string_view::npos) return safe;
    safe += text[cut];
    text.remove_prefix(cut + 1);
  }
}

}  // namespace

std::string csv_cell(const std::string& word) {
  const std::string text = printable(without_formulas(word));
  if (text.find_first_of(",;\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string csv_number(double value) {
  if (!std::isfinite(value)) return {};
  // Twelve digits tell any number of the model from its neighbours; what is behind them is the rounding of
  // sums.
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.begin(), digits.end(), value, std::chars_format::general, 12).ptr;
  std::from_chars(digits.begin(), end, value);
  return format_file(value);
}

}  // namespace glassformer
