// The chain rules of cell_work: a gradient from the gradients that arrive.
#include <cmath>
#include <numbers>

#include "engine/model/steps/cell_worker.h"

namespace glassformer {

void CellWorker::d_mean_loss() {
  work.headings = {"id", "counts", "so far"};
  double counted = 0, own = 0;
  for (int i = 0; i < table(0).rows; ++i) {
    const CellNumber id = input(0, i, 0);
    const double counts = static_cast<int>(id.value) == sizes_.config.pad_id ? 0 : 1;
    counted += counts;
    if (i == row_) own = counts;
    term(i, {id, {counts}, {counted}}, true);
  }
  line("words that count, n", {counted});
  if (own > 0) work.result = line("1 / n", {1 / counted});
}

void CellWorker::d_token_loss() {
  const double arrives = line(symbol(0), input(0, row_, 0));
  const double wanted = line("× " + symbol(1), input(1, row_, column_));
  work.result = line("− their product", {0.0 - arrives * wanted});
}

void CellWorker::d_log_softmax() {
  work.headings = {symbol(0)};
  double sum = 0;
  for (int i = 0; i < table(0).columns; ++i) {
    const CellNumber each = input(0, row_, i);
    sum += each.value;
    term(i, {each});
  }
  const double arrives = line(symbol(0), input(0, row_, column_));
  line("row sum, −1/n", {sum});
  const double p = std::exp(line(symbol(1), input(1, row_, column_)));
  line("p", {p});
  if (sum != 0) {
    line("y", {arrives / sum});
    line("p − y", {p - arrives / sum});
    line("÷ words that count, n", {-1 / sum});
  }
  work.result = arrives - p * sum;
}

void CellWorker::column_sum(int from) {
  work.headings = {symbol(from), "sum"};
  for (int i = 0; i < table(from).rows; ++i) {
    const CellNumber each = input(from, i, column_);
    work.result += each.value;
    term(i, {each, {work.result}}, true, from);
  }
}

void CellWorker::products(bool with_stream) {
  const int first = with_stream ? 1 : 0;
  work.headings = {"gradient", "weight", "product", "sum"};
  if (inputs() == first + 2) work.headings = {symbol(first), symbol(first + 1), "product", "sum"};
  for (int at = first; at < inputs(); at += 2)
    work.result = add_product({.left = at, .right = at + 1}, work.result);
  if (with_stream) work.result += line("+ " + symbol(0), input(0, row_, column_));
}

void CellWorker::d_norm(int also) {
  const auto normalized = [&](double x, int row) {
    return (x - input(3, row, 0).value) / input(4, row, 0).value;
  };
  if (also == 0) {
    work.headings = {symbol(0), symbol(1), symbol(3), symbol(4), "n", "sum"};
    for (int i = 0; i < table(0).rows; ++i) {
      const CellNumber arrives = input(0, i, column_), x = input(1, i, column_);
      const double n = normalized(x.value, i);
      work.result += arrives.value * n;
      term(i, {arrives, x, input(3, i, 0), input(4, i, 0), {n}, {work.result}}, true);
    }
    return;
  }
  work.headings = {symbol(0), symbol(2), symbol(1), "g", "n", "g × n"};
  const int width = table(0).columns;
  double mean_g = 0, mean_product = 0, own_g = 0, own_n = 0;
  for (int i = 0; i < width; ++i) {
    const CellNumber arrives = input(0, row_, i), gain = input(2, 0, i), x = input(1, row_, i);
    const double g = arrives.value * gain.value, n = normalized(x.value, row_);
    mean_g += g / width;
    mean_product += g * n / width;
    if (i == column_) own_g = g, own_n = n;
    term(i, {arrives, gain, x, {g}, {n}, {g * n}});
  }
  line("mean " + symbol(3), input(3, row_, 0));
  line("g here", {own_g});
  line("− mean of g", {mean_g});
  line("− n here × mean of g × n", {own_n * mean_product});
  const double deviation = line("÷ " + symbol(4), input(4, row_, 0));
  work.result = (own_g - mean_g - own_n * mean_product) / deviation;
  if (inputs() > 5) work.result += line("+ " + symbol(5), input(5, row_, column_));
}

void CellWorker::d_softmax() {
  work.headings = {symbol(0), symbol(1), "product", "sum"};
  double sum = 0;
  for (int i = 0; i < table(0).columns; ++i) {
    const CellNumber weight = input(0, row_, i), arrives = input(1, row_, i);
    sum += weight.value * arrives.value;
    term(i, {weight, arrives, {weight.value * arrives.value}, {sum}});
  }
  const double arrives = line(symbol(1), input(1, row_, column_));
  line("− row sum of " + symbol(0) + " × " + symbol(1), {sum});
  work.result = (arrives - sum) * line("× " + symbol(0), input(0, row_, column_));
}

void CellWorker::d_activation(Activation function) {
  const double arrives = line(symbol(0), input(0, row_, column_));
  const double x = line(symbol(1), input(1, row_, column_));
  double slope = x > 0 ? 1 : 0;
  if (function == Activation::gelu) {
    const double share = line("Φ", {0.5 * (1 + std::erf(x / std::numbers::sqrt2))});
    const double density = line("φ", {std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2});
    slope = share + x * density;
  } else if (function == Activation::swish) {
    const double share = line("sigmoid s", {1 / (1 + std::exp(-x))});
    slope = share * (1 + x * (1 - share));
  }
  work.result = arrives * line("× slope there", {slope});
}

void CellWorker::d_mask() {
  const double arrives = line(symbol(0), input(0, row_, column_));
  const bool hides = std::isinf(line(symbol(1), input(1, row_, column_)));
  work.result = hides ? 0 : arrives;
}

void CellWorker::first_rows() {
  if (row_ < table(0).rows) copy(0, row_, column_);
}

void CellWorker::by_word() {
  work.headings = {symbol(0), symbol(1), "sum"};
  for (int i = 0; i < table(0).rows; ++i) {
    const CellNumber id = input(0, i, 0), arrives = input(1, i, column_);
    if (static_cast<int>(id.value) != row_) continue;
    work.result += arrives.value;
    term(i, {id, arrives, {work.result}}, true, 1);
  }
  line("places with this word", {static_cast<double>(work.terms.size())});
}

double CellWorker::add_by_word(int ids, int value) {
  double sum = 0;
  for (int i = 0; i < table(ids).rows; ++i) {
    const CellNumber id = input(ids, i, 0);
    if (static_cast<int>(id.value) != row_) continue;
    line("id of place " + std::to_string(i), id);
    sum += line("+ " + symbol(value), input(value, i, column_));
  }
  return sum;
}

void CellWorker::product_and_by_word() {
  work.headings = {symbol(0), symbol(1), "product", "sum"};
  work.result = add_product({.left_transposed = true}, 0);
  for (int at = 2; at < inputs(); at += 2) work.result += add_by_word(at, at + 1);
}

}  // namespace glassformer
