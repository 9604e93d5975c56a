// The arithmetic of one cell, of the kinds of the way forward and of the loss.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "engine/layers/embedding.h"
#include "engine/layers/rotary.h"
#include "engine/model/steps/cell_worker.h"

namespace glassformer {
namespace {

double exponential(double x, double largest) {
  return std::isinf(x) && x < 0 ? 0 : std::exp(x - largest);
}

}  // namespace

CellWorker::CellWorker(const Step& step, int row, int column, const StepNumbers& numbers)
    : step_(step), row_(row), column_(column), numbers_(numbers), sizes_(numbers.sizes()) {
  for (const Operand& each : step.inputs) tables_.push_back(numbers.of(each));
}

CellNumber CellWorker::input(int at, int row, int column) const {
  if (!table(at).recorded()) return {std::numeric_limits<double>::quiet_NaN()};
  return {static_cast<double>(table(at)(row, column)), at, row, column};
}

double CellWorker::line(const std::string& label, const CellNumber& number) {
  work.lines.push_back({label, number});
  return number.value;
}

double CellWorker::largest_of_row() const {
  double largest = -std::numeric_limits<double>::infinity();
  for (int i = 0; i < table(0).columns; ++i) largest = std::max(largest, input(0, row_, i).value);
  return largest;
}

double CellWorker::add_product(CellProduct product, double sum) {
  product.first = static_cast<int>(work.terms.size());
  product.count = product.left_transposed ? table(product.left).rows : table(product.left).columns;
  for (int i = 0; i < product.count; ++i) {
    const CellNumber left =
        product.left_transposed ? input(product.left, i, row_) : input(product.left, row_, i);
    const CellNumber right =
        product.right_transposed ? input(product.right, column_, i) : input(product.right, i, column_);
    sum += left.value * right.value;
    term(i, {left, right, {left.value * right.value}, {sum}}, product.left_transposed, product.left);
  }
  work.products.push_back(product);
  return sum;
}

void CellWorker::product(const StepPattern& pattern) {
  work.headings = {symbol(0), symbol(1), "product", "sum"};
  work.result = add_product(
      {.left_transposed = pattern.left_transposed, .right_transposed = pattern.right_transposed}, 0);
  if (inputs() > 2) work.result += line("+ " + symbol(2), input(2, 0, column_));
}

void CellWorker::softmax() {
  const double largest = largest_of_row();
  work.headings = {"score", "− largest", "exp", "weight"};
  double sum = 0;
  for (int i = 0; i < table(0).columns; ++i) sum += exponential(input(0, row_, i).value, largest);
  for (int i = 0; i < table(0).columns; ++i) {
    const CellNumber score = input(0, row_, i);
    const double power = exponential(score.value, largest);
    const double weight = sum > 0 ? power / sum : 0;
    term(i, {score, {score.value - largest}, {power}, {weight}});
    if (i == column_) work.result = weight;
  }
  line("largest score", {largest});
  line("sum of exp", {sum});
}

void CellWorker::log_softmax() {
  const double largest = largest_of_row();
  work.headings = {"logit", "− largest", "exp"};
  double sum = 0;
  for (int i = 0; i < table(0).columns; ++i) {
    const CellNumber logit = input(0, row_, i);
    const double power = exponential(logit.value, largest);
    sum += power;
    term(i, {logit, {logit.value - largest}, {power}});
  }
  line("largest logit", {largest});
  line("sum of exp", {sum});
  line("log of the sum", {std::log(sum)});
  work.result = input(0, row_, column_).value - largest - std::log(sum);
  line("as a probability", {std::exp(work.result)});
}

void CellWorker::layer_norm(int also) {
  const int width = table(0).columns;
  double mean = 0, squares = 0;
  for (int i = 0; i < width; ++i) mean += input(0, row_, i).value / width;
  work.headings = {"x", "x − μ", "squared"};
  for (int i = 0; i < width; ++i) {
    const CellNumber x = input(0, row_, i);
    const double distance = x.value - mean;
    squares += distance * distance;
    term(i, {x, {distance}, {distance * distance}});
  }
  const double deviation = std::sqrt(squares / width + sizes_.config.layer_norm_eps);
  line("mean μ", {mean});
  if (also != 0) {
    line("sum of the squares", {squares});
    line("σ = √(sum / " + std::to_string(width) + " + ε)", {deviation});
  }
  work.result = also == 0 ? mean : deviation;
  if (also >= 0) return;
  const CellNumber x = input(0, row_, column_);
  const double normalized = (x.value - mean) / deviation;
  line("x", x);
  line("(x − μ) / σ", {normalized});
  const double gain = line("× γ", input(1, 0, column_));
  work.result = normalized * gain + line("+ β", input(2, 0, column_));
}

void CellWorker::sum_of_inputs() {
  for (int i = 0; i < inputs(); ++i)
    work.result += line((i == 0 ? "" : "+ ") + symbol(i), input(i, row_, column_));
}

void CellWorker::concat() {
  const int width = table(0).columns;
  copy(column_ / width, row_, column_ % width);
}

void CellWorker::scaled(ScaleFactor factor) {
  const double x = line(symbol(0), input(0, row_, column_));
  if (factor == ScaleFactor::root_of_width) {
    work.result = x * line("× √d", {std::sqrt(sizes_.config.d_model)});
  } else {
    work.result = x / line("÷ √k", {std::sqrt(sizes_.config.head_width())});
  }
}

void CellWorker::activation(Activation function) {
  const double x = line("x", input(0, row_, column_));
  if (function == Activation::relu) {
    work.result = std::max(0.0, x);
    return;
  }
  const bool gelu = function == Activation::gelu;
  const double share = gelu ? 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) : 1 / (1 + std::exp(-x));
  work.result = x * line(gelu ? "× Φ(x)" : "× sigmoid(x)", {share});
}

void CellWorker::look_up() {
  const CellNumber id = input(0, row_, 0);
  line("id of the word", id);
  work.result = line(symbol(1) + " in this row", input(1, static_cast<int>(id.value), column_));
}

void CellWorker::sinusoid() {
  const int pair = column_ / 2;
  const int d = sizes_.config.d_model;
  const double divisor = position_divisor(column_, d);
  line("position", {.value = static_cast<double>(row_), .whole = true});
  line("pair of columns i", {.value = static_cast<double>(pair), .whole = true});
  line("10000^(2i/d)", {divisor});
  line("position / that", {row_ / divisor});
  work.result = position_wave(row_, column_, d);
  line(column_ % 2 == 0 ? "its sine, as in every even column" : "its cosine, as in every odd column",
       {work.result});
}

void CellWorker::rotation(bool back) {
  const int pair = column_ / 2;
  const double angle = rotary_angle(row_, pair, sizes_.config.head_width());
  line("position", {.value = static_cast<double>(row_), .whole = true});
  line("pair of columns i", {.value = static_cast<double>(pair), .whole = true});
  line(back ? "angle to turn back = position / 10000^(2i/k)" : "angle = position / 10000^(2i/k)", {angle});
  const bool first = column_ % 2 == 0;
  const double own = line(symbol(0) + " here", input(0, row_, column_)),
               cosine = line("× cos", {std::cos(angle)});
  const bool minus = first != back;
  const double other = line(std::string(minus ? "− " : "+ ") + symbol(0) + " in the other column of the pair",
                            input(0, row_, first ? column_ + 1 : column_ - 1)),
               sine = line("× sin", {std::sin(angle)});
  work.result = own * cosine + (minus ? -other : other) * sine;
}

void CellWorker::smooth_target(double smoothing) {
  const int wanted = static_cast<int>(line("id of the right word", input(0, row_, 0)));
  if (wanted == sizes_.config.pad_id) return;  // padding is not asked for: all 0
  const int words = sizes_.config.target_vocab;
  line("smoothing ε", {smoothing});
  const double share = line("ε / number of words", {smoothing / words});
  work.result = share + (wanted == column_ ? line("+ 1 − ε", {1 - smoothing}) : 0);
}

void CellWorker::token_loss() {
  work.headings = {symbol(0), symbol(1), "−y log p", "sum", "p − y"};
  const auto cost = [&](int word) { return -input(0, row_, word).value * input(1, row_, word).value; };
  // The right word first, then those that cost most.
  std::vector<int> order(static_cast<std::size_t>(table(0).columns));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int word) { return std::pair(input(0, row_, word).value, cost(word)); });
  double sum = 0;
  for (const int word : order) {
    const CellNumber y = input(0, row_, word), log_p = input(1, row_, word);
    sum += cost(word);
    term(word, {y, log_p, {cost(word)}, {sum}, {std::exp(log_p.value) - y.value}});
  }
  const double right = line("from the right word", {cost(order.front())});
  line("from all other words", {sum - right});
  work.result = sum;
}

void CellWorker::mean_loss() {
  work.headings = {"loss", "sum"};
  const std::vector<int>& wanted = numbers_.ids(step_.inputs[1].name);
  double sum = 0;
  int tokens = 0;
  for (int i = 0; i < table(0).rows; ++i) {
    if (wanted[static_cast<std::size_t>(i)] == sizes_.config.pad_id) continue;
    const CellNumber loss = input(0, i, 0);
    sum += loss.value;
    ++tokens;
    term(i, {loss, {sum}}, true);
  }
  line("÷ tokens", {static_cast<double>(tokens)});
  work.result = tokens > 0 ? sum / tokens : 0;
}

}  // namespace glassformer
