// The lines of a sum of products with real numbers.
#pragma once

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

// "= 0.123 × 1.115", "+ −2.167 × −0.151", ..., "+ 1.2345 from 28 more pairs". At most `shown` pairs; `begun`:
// they are added to what stands above.
std::vector<Formula> product_lines(const std::vector<Product>& terms, int shown = 4, bool begun = false);

double sum_of(const std::vector<Product>& terms);

}  // namespace glassformer
