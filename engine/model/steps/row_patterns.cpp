// Patterns of a whole row, a whole column, or all: softmax, LayerNorm, the loss, and their chain rules.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/math/error.h"
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {

namespace {

double exponential(double x, double largest) {
  return std::isinf(x) && x < 0 ? 0 : std::exp(x - largest);
}

double largest_of_row(const CellWorker& cell) {
  double largest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < cell.table(0).columns; ++i)
    largest = std::max(largest, cell.input(0, cell.row(), i).value);
  return largest;
}

void softmax_work(CellWorker& cell) {
  const double largest = largest_of_row(cell);
  cell.work.headings = {"score", "− largest", "exp", "weight"};
  double sum = 0;
  for (int i = 0; i < cell.table(0).columns; ++i)
    sum += exponential(cell.input(0, cell.row(), i).value, largest);
  for (int i = 0; i < cell.table(0).columns; ++i) {
    const CellNumber score = cell.input(0, cell.row(), i);
    const double power = exponential(score.value, largest);
    const double weight = sum > 0 ? power / sum : 0;
    cell.term(i, {score, {score.value - largest}, {power}, {weight}});
    if (i == cell.column()) cell.work.result = weight;
  }
  cell.line("largest score", {largest});
  cell.line("sum of exp", {sum});
}

// How many keys the row of the mask leaves; those cut by hand are among them.
double seen_keys(const CellWorker& cell, int mask) {
  double seen = 0;
  for (int i = 0; i < cell.table(mask).columns; ++i)
    seen += std::isinf(cell.input(mask, cell.row(), i).value) ? 0 : 1;
  return seen;
}

void relu_weight_work(CellWorker& cell) {
  const double score = cell.line("score", cell.input(0));
  const double above = cell.line("max(0, score)", {std::max(0.0, score)});
  const double seen = seen_keys(cell, 1);
  double left = 0;
  for (int i = 0; i < cell.table(0).columns; ++i)
    left += std::isinf(cell.input(0, cell.row(), i).value) ? 0 : 1;
  const std::string by_hand =
      left < seen ? ", " + std::to_string(static_cast<int>(seen - left)) + " of them hidden by hand" : "";
  cell.line("n, keys that the mask leaves" + by_hand, {.value = seen, .whole = true});
  cell.work.result = above / std::max(1.0, seen);
}

void d_relu_weight_work(CellWorker& cell) {
  const double arrives = cell.line(cell.symbol(0), cell.input(0));
  const double weight = cell.line(cell.symbol(1), cell.input(1));
  const double slope = weight > 0 ? 1 / std::max(1.0, seen_keys(cell, 2)) : 0;
  cell.work.result = arrives * cell.line("× slope there", {slope});
}

void log_softmax_work(CellWorker& cell) {
  const double largest = largest_of_row(cell);
  cell.work.headings = {"logit", "− largest", "exp"};
  double sum = 0;
  for (int i = 0; i < cell.table(0).columns; ++i) {
    const CellNumber logit = cell.input(0, cell.row(), i);
    const double power = exponential(logit.value, largest);
    sum += power;
    cell.term(i, {logit, {logit.value - largest}, {power}});
  }
  cell.line("largest logit", {largest});
  cell.line("sum of exp", {sum});
  cell.line("log of the sum", {std::log(sum)});
  cell.work.result = cell.input(0).value - largest - std::log(sum);
  cell.line("as a probability", {std::exp(cell.work.result)});
}

void layer_norm_work(CellWorker& cell) {
  const int width = cell.table(0).columns;
  double mean = 0, squares = 0;
  for (int i = 0; i < width; ++i) mean += cell.input(0, cell.row(), i).value / width;
  cell.work.headings = {"x", "x − μ", "squared"};
  for (int i = 0; i < width; ++i) {
    const CellNumber x = cell.input(0, cell.row(), i);
    const double distance = x.value - mean;
    squares += distance * distance;
    cell.term(i, {x, {distance}, {distance * distance}});
  }
  const double deviation = std::sqrt(squares / width + cell.config().layer_norm_eps);
  cell.line("mean μ", {mean});
  if (cell.also() != 0) {
    cell.line("sum of the squares", {squares});
    cell.line("σ = √(sum / " + std::to_string(width) + " + ε)", {deviation});
  }
  cell.work.result = cell.also() == 0 ? mean : deviation;
  if (cell.also() >= 0) return;
  const CellNumber x = cell.input(0);
  const double normalized = (x.value - mean) / deviation;
  cell.line("x", x);
  cell.line("(x − μ) / σ", {normalized});
  const double gain = cell.line("× γ", cell.input(1, 0, cell.column()));
  cell.work.result = normalized * gain + cell.line("+ β", cell.input(2, 0, cell.column()));
}

void rms_norm_work(CellWorker& cell) {
  const int width = cell.table(0).columns;
  double squares = 0;
  cell.work.headings = {"x", "squared"};
  for (int i = 0; i < width; ++i) {
    const CellNumber x = cell.input(0, cell.row(), i);
    squares += x.value * x.value;
    cell.term(i, {x, {x.value * x.value}});
  }
  const double root = std::sqrt(squares / width + cell.config().layer_norm_eps);
  cell.line("sum of the squares", {squares});
  cell.line("rms = √(sum / " + std::to_string(width) + " + ε)", {root});
  cell.work.result = root;
  if (cell.also() >= 0) return;
  const double normalized = cell.line("x", cell.input(0)) / root;
  cell.line("x / rms", {normalized});
  cell.work.result = normalized * cell.line("× γ", cell.input(1, 0, cell.column()));
}

void cross_entropy_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "−y log p", "sum", "p − y"};
  const auto cost = [&](int word) {
    return -cell.input(0, cell.row(), word).value * cell.input(1, cell.row(), word).value;
  };
  // The right word first, then those that cost most.
  std::vector<int> order(static_cast<std::size_t>(cell.table(0).columns));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(), [&](int word) {
    return std::pair(cell.input(0, cell.row(), word).value, cost(word));
  });
  double sum = 0;
  for (const int word : order) {
    const CellNumber y = cell.input(0, cell.row(), word), log_p = cell.input(1, cell.row(), word);
    sum += cost(word);
    cell.term(word, {y, log_p, {cost(word)}, {sum}, {std::exp(log_p.value) - y.value}});
  }
  const double right = cell.line("from the right word", {cost(order.front())});
  cell.line("from all other words", {sum - right});
  cell.work.result = sum;
}

void d_softmax_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "product", "sum"};
  double sum = 0;
  for (int i = 0; i < cell.table(0).columns; ++i) {
    const CellNumber weight = cell.input(0, cell.row(), i), arrives = cell.input(1, cell.row(), i);
    sum += weight.value * arrives.value;
    cell.term(i, {weight, arrives, {weight.value * arrives.value}, {sum}});
  }
  const double arrives = cell.line(cell.symbol(1), cell.input(1));
  cell.line("− row sum of " + cell.symbol(0) + " × " + cell.symbol(1), {sum});
  cell.work.result = (arrives - sum) * cell.line("× " + cell.symbol(0), cell.input(0));
}

void d_log_softmax_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0)};
  double sum = 0;
  for (int i = 0; i < cell.table(0).columns; ++i) {
    const CellNumber each = cell.input(0, cell.row(), i);
    sum += each.value;
    cell.term(i, {each});
  }
  const double arrives = cell.line(cell.symbol(0), cell.input(0));
  cell.line("row sum, −1/n", {sum});
  const double p = std::exp(cell.line(cell.symbol(1), cell.input(1)));
  cell.line("p", {p});
  if (sum != 0) {
    cell.line("y", {arrives / sum});
    cell.line("p − y", {p - arrives / sum});
    cell.line("÷ words that count, n", {-1 / sum});
  }
  cell.work.result = arrives - p * sum;
}

void d_layer_norm_work(CellWorker& cell) {
  if (cell.also() == 1) return cell.column_sum(0);
  const auto normalized = [&](double x, int row) {
    return (x - cell.input(3, row, 0).value) / cell.input(4, row, 0).value;
  };
  if (cell.also() == 0) {
    cell.work.headings = {cell.symbol(0), cell.symbol(1), cell.symbol(3), cell.symbol(4), "n", "sum"};
    for (int i = 0; i < cell.table(0).rows; ++i) {
      const CellNumber arrives = cell.input(0, i, cell.column()), x = cell.input(1, i, cell.column());
      const double n = normalized(x.value, i);
      cell.work.result += arrives.value * n;
      cell.term(i, {arrives, x, cell.input(3, i, 0), cell.input(4, i, 0), {n}, {cell.work.result}}, true);
    }
    return;
  }
  cell.work.headings = {cell.symbol(0), cell.symbol(2), cell.symbol(1), "g", "n", "g × n"};
  const int width = cell.table(0).columns;
  double mean_g = 0, mean_product = 0, own_g = 0, own_n = 0;
  for (int i = 0; i < width; ++i) {
    const CellNumber arrives = cell.input(0, cell.row(), i), gain = cell.input(2, 0, i),
                     x = cell.input(1, cell.row(), i);
    const double g = arrives.value * gain.value, n = normalized(x.value, cell.row());
    mean_g += g / width;
    mean_product += g * n / width;
    if (i == cell.column()) own_g = g, own_n = n;
    cell.term(i, {arrives, gain, x, {g}, {n}, {g * n}});
  }
  cell.line("mean " + cell.symbol(3), cell.input(3, cell.row(), 0));
  cell.line("g here", {own_g});
  cell.line("− mean of g", {mean_g});
  cell.line("− n here × mean of g × n", {own_n * mean_product});
  const double deviation = cell.line("÷ " + cell.symbol(4), cell.input(4, cell.row(), 0));
  cell.work.result = (own_g - mean_g - own_n * mean_product) / deviation;
  if (cell.inputs() > 5) cell.work.result += cell.line("+ " + cell.symbol(5), cell.input(5));
}

void d_rms_norm_work(CellWorker& cell) {
  const auto normalized = [&](double x, int row) { return x / cell.input(3, row, 0).value; };
  if (cell.also() == 0) {
    cell.work.headings = {cell.symbol(0), cell.symbol(1), cell.symbol(3), "n", "sum"};
    for (int i = 0; i < cell.table(0).rows; ++i) {
      const CellNumber arrives = cell.input(0, i, cell.column()), x = cell.input(1, i, cell.column());
      const double n = normalized(x.value, i);
      cell.work.result += arrives.value * n;
      cell.term(i, {arrives, x, cell.input(3, i, 0), {n}, {cell.work.result}}, true);
    }
    return;
  }
  cell.work.headings = {cell.symbol(0), cell.symbol(2), cell.symbol(1), "g", "n", "g × n"};
  const int width = cell.table(0).columns;
  double mean_product = 0, own_g = 0, own_n = 0;
  for (int i = 0; i < width; ++i) {
    const CellNumber arrives = cell.input(0, cell.row(), i), gain = cell.input(2, 0, i),
                     x = cell.input(1, cell.row(), i);
    const double g = arrives.value * gain.value, n = normalized(x.value, cell.row());
    mean_product += g * n / width;
    if (i == cell.column()) own_g = g, own_n = n;
    cell.term(i, {arrives, gain, x, {g}, {n}, {g * n}});
  }
  cell.line("g here", {own_g});
  cell.line("− n here × mean of g × n", {own_n * mean_product});
  const double root = cell.line("÷ " + cell.symbol(3), cell.input(3, cell.row(), 0));
  cell.work.result = (own_g - own_n * mean_product) / root;
  if (cell.inputs() > 4) cell.work.result += cell.line("+ " + cell.symbol(4), cell.input(4));
}

void d_cross_entropy_work(CellWorker& cell) {
  const double arrives = cell.line(cell.symbol(0), cell.input(0, cell.row(), 0));
  const double wanted = cell.line("× " + cell.symbol(1), cell.input(1));
  cell.work.result = cell.line("− their product", {0.0 - arrives * wanted});
}

void mean_work(CellWorker& cell) {
  cell.work.headings = {"loss", "sum"};
  const std::vector<int>& wanted = cell.ids(1);
  double sum = 0;
  int tokens = 0;
  for (int i = 0; i < cell.table(0).rows; ++i) {
    if (wanted[static_cast<std::size_t>(i)] == cell.config().pad_id) continue;
    const CellNumber loss = cell.input(0, i, 0);
    sum += loss.value;
    ++tokens;
    cell.term(i, {loss, {sum}}, true);
  }
  cell.line("÷ tokens", {static_cast<double>(tokens)});
  cell.work.result = tokens > 0 ? sum / tokens : 0;
}

void d_mean_work(CellWorker& cell) {
  cell.work.headings = {"id", "counts", "so far"};
  double counted = 0, own = 0;
  for (int i = 0; i < cell.table(0).rows; ++i) {
    const CellNumber id = cell.input(0, i, 0);
    const double counts = static_cast<int>(id.value) == cell.config().pad_id ? 0 : 1;
    counted += counts;
    if (i == cell.row()) own = counts;
    cell.term(i, {id, {counts}, {counted}}, true);
  }
  cell.line("words that count, n", {counted});
  if (own > 0) cell.work.result = cell.line("1 / n", {1 / counted});
}

constexpr PatternRule kRowPatterns[] = {
    {PatternKind::softmax, [](CellSources& from) { from.row(0); }, softmax_work},
    {PatternKind::relu_weight, [](CellSources& from) { from.cell(0).row(1); }, relu_weight_work},
    {PatternKind::log_softmax, [](CellSources& from) { from.row(0); }, log_softmax_work},
    {PatternKind::layer_norm, [](CellSources& from) { from.row(0).of_column(1).of_column(2); },
     layer_norm_work},
    {PatternKind::rms_norm, [](CellSources& from) { from.row(0).of_column(1); }, rms_norm_work},
    {PatternKind::cross_entropy, [](CellSources& from) { from.row(0).row(1); }, cross_entropy_work},
    {PatternKind::d_softmax, [](CellSources& from) { from.row(0).row(1); }, d_softmax_work},
    {PatternKind::d_relu_weight, [](CellSources& from) { from.cell(0).cell(1).row(2); }, d_relu_weight_work},
    {PatternKind::d_log_softmax, [](CellSources& from) { from.row(0).cell(1); }, d_log_softmax_work},
    {PatternKind::d_layer_norm,
     [](CellSources& from) { from.row(0).row(1).row(2, 0).of_row(3).of_row(4).cell(5); }, d_layer_norm_work},
    {PatternKind::d_rms_norm, [](CellSources& from) { from.row(0).row(1).row(2, 0).of_row(3).cell(4); },
     d_rms_norm_work},
    {PatternKind::d_cross_entropy, [](CellSources& from) { from.of_row(0).cell(1); }, d_cross_entropy_work},
    {PatternKind::column_sums, [](CellSources& from) { from.column(0, from.column()); },
     [](CellWorker& cell) { cell.column_sum(0); }},
    {PatternKind::mean, [](CellSources& from) { from.all(0).all(1); }, mean_work},
    {PatternKind::d_mean, [](CellSources& from) { from.all(0); }, d_mean_work},
};

}  // namespace

std::span<const PatternRule> row_patterns() {
  return kRowPatterns;
}

const PatternRule& pattern_rule(PatternKind kind) {
  for (const auto& rules : {cell_patterns(), product_patterns(), row_patterns(), place_patterns()}) {
    const auto found = std::ranges::find(rules, kind, &PatternRule::kind);
    if (found != rules.end()) return *found;
  }
  throw Error("steps", "a pattern has no rule; give it a row in the table of its family");
}

}  // namespace glassformer
