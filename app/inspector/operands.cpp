#include "app/inspector/operands.h"

namespace glassformer {

std::vector<Formula> product_lines(const std::vector<Product>& terms, int shown, bool begun) {
  std::vector<Formula> lines;
  const int count = static_cast<int>(terms.size());
  const int printed = count <= shown + 1 ? count : shown;
  for (int i = 0; i < printed; ++i) {
    const Product& term = terms[static_cast<size_t>(i)];
    lines.push_back(formula_mono((i == 0 && !begun ? "= " : "+ ") + operand_text(term.left) + " × " +
                                 operand_text(term.right)));
  }
  if (printed < count) {
    const double rest = sum_of({terms.begin() + printed, terms.end()});
    lines.push_back(formula_row({formula_mono("+ " + value_text(rest) + " "),
                                 formula_text("from " + std::to_string(count - printed) + " more pairs")}));
  }
  return lines;
}

double sum_of(const std::vector<Product>& terms) {
  double sum = 0;
  for (const Product& term : terms) sum += term.left * term.right;
  return sum;
}

}  // namespace glassformer
