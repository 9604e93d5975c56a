#include "app/format/latex.h"

#include <cmath>
#include <string_view>

#include "app/format/number_format.h"

namespace glassformer {

namespace {

std::string with_plain_minus(double value, int decimals) {
  std::string text = format_fixed(value, decimals);
  const std::string minus = "−";
  if (const std::size_t at = text.find(minus); at != std::string::npos) text.replace(at, minus.size(), "-");
  return text;
}

}  // namespace

std::string tex_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\textbackslash{}";
    else if (c == '~' || c == '^')
      result += std::string("\\") + c + "{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else
      result += c;
  }
  return result;
}

std::string plain_number(const MeanAndDeviation& value, int decimals, const std::string& between) {
  if (value.count == 0) return "-";
  return with_plain_minus(value.mean, decimals) +
         (std::isfinite(value.deviation) ? between + with_plain_minus(value.deviation, decimals) : "");
}

std::string tex_number(const MeanAndDeviation& value, int decimals) {
  return value.count == 0 ? "--" : "$" + plain_number(value, decimals, " \\pm ") + "$";
}

}  // namespace glassformer
