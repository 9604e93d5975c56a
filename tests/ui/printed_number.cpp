#include "tests/ui/printed_number.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace glassformer {
namespace {

std::string plain_digits(std::string text) {
  const std::pair<const char*, const char*> kSame[] = {
      {"\u2212", "-"}, {"\u2009", ""}, {" × 10", "e"}, {"⁻", "-"}, {"⁰", "0"}, {"¹", "1"}, {"²", "2"},
      {"³", "3"},      {"⁴", "4"},     {"⁵", "5"},     {"⁶", "6"}, {"⁷", "7"}, {"⁸", "8"}, {"⁹", "9"},
  };
  for (const auto& [from, to] : kSame) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from))
      text.replace(at, std::string(from).size(), to);
  }
  return text;
}

}  // namespace

bool PrintedNumber::agrees(double number) const {
  return std::abs(value - number) <= half_digit * 1.001 + 1e-6 * std::abs(number);
}

std::optional<PrintedNumber> read_number(const std::string& shown) {
  const std::string text = plain_digits(shown);
  const bool digits = text.find_first_of("0123456789") != std::string::npos;
  if (!digits || text.find_first_not_of("0123456789.-e") != std::string::npos) return std::nullopt;
  const std::size_t power = std::min(text.find('e'), text.size()), point = text.substr(0, power).find('.');
  const auto decimals = point == std::string::npos ? 0 : power - point - 1;
  const int exponent = power < text.size() ? std::atoi(text.c_str() + power + 1) : 0;
  return PrintedNumber{std::strtod(text.c_str(), nullptr),
                       0.5 * std::pow(10.0, exponent - static_cast<double>(decimals))};
}

}  // namespace glassformer
