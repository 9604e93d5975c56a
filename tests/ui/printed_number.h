// Numbers as the program prints them, read back to be compared with the engine's.
#pragma once

#include <optional>
#include <string>

namespace glassformer {

struct PrintedNumber {
  double value = 0;
  double half_digit = 0;  // half a unit of the last printed digit
  bool agrees(double number) const;
};

// "−1.6", ".34", "3.9 × 10⁻⁵", "−2e−4"; nothing for words.
std::optional<PrintedNumber> read_number(const std::string& shown);

}  // namespace glassformer
