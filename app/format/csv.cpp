#include "app/format/csv.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "app/format/number_format.h"
#include "engine/math/typed_number.h"
#include "engine/text/printable.h"

namespace glassformer {

namespace {

// A spreadsheet takes what begins like this for a formula, and runs it; numbers alone are none.
bool runs_as_formula(const std::string& text) {
  constexpr std::string_view kStarts[] = {"=",  "+",      "-",      "@",      "\t",
                                          "\r", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  const auto starts = [&](std::string_view start) { return text.starts_with(start); };
  const bool number = !text.starts_with('+') && typed_number(text);
  return std::ranges::any_of(kStarts, starts) && !number;
}

}  // namespace

std::string csv_cell(const std::string& word) {
  const std::string text = (runs_as_formula(word) ? "'" : "") + printable(word);
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string csv_number(double value) {
  return std::isfinite(value) ? format_file(value) : std::string();
}

}  // namespace glassformer
