// Numbers as the inspector prints them, and the lines of a sum of products with real numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/inspector/page.h"
#include "app/widgets/formula.h"
#include "app/widgets/number_format.h"

namespace glassformer {

struct Product {
  double left = 0, right = 0;
};

// "= 0.123 × 1.115", "+ −2.167 × −0.151", ..., "+ 1.2345 from 28 more pairs", "+ 0.040 (bias)". At most
// `shown` pairs.
std::vector<Formula> product_lines(const std::vector<Product>& terms, std::optional<double> bias,
                                   int shown = 4);

double sum_of(const std::vector<Product>& terms, double bias = 0);

// Four decimals for a value, three for its operands; fewer from 100 on. A value too small or too large for
// that is written with a power of ten: "2.31 × 10⁻⁶".
std::string value_text(double value);
std::string operand_text(double value);
// value_text behind a plus or minus: a negative number in brackets.
std::string bracketed_text(double value);
// A share inside a sentence: "70 %", "0.4 %", "under 0.1 %", "nothing".
std::string share_words(double share);
// `significant` digits, so that a reader's own division gives the printed quotient.
std::string significant_text(double value, int significant);

}  // namespace glassformer
