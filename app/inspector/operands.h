// The lines of a sum of products with real numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/format/value_text.h"
#include "app/inspector/page.h"
#include "app/widgets/formula.h"

namespace glassformer {

struct Product {
  double left = 0, right = 0;
};

// "= 0.123 × 1.115", "+ −2.167 × −0.151", ..., "+ 1.2345 from 28 more pairs", "+ 0.040 (bias)". At most
// `shown` pairs.
std::vector<Formula> product_lines(const std::vector<Product>& terms, std::optional<double> bias,
                                   int shown = 4);

double sum_of(const std::vector<Product>& terms, double bias = 0);

}  // namespace glassformer
