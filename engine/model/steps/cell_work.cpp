#include "engine/model/steps/cell_work.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace glassformer {
namespace {

// Writes the work on one cell.
class Worker {
 public:
  Worker(const Step& step, int row, int column, const StepNumbers& numbers)
      : step_(step), row_(row), column_(column), numbers_(numbers), sizes_(numbers.sizes()) {
    for (const Operand& input : step.inputs) tables_.push_back(numbers.of(input));
  }

  CellWork work;

  void product(bool transposed) {
    work.product = true;
    work.second_transposed = transposed;
    work.headings = {symbol(0), symbol(1), "product", "sum"};
    double sum = 0;
    for (int i = 0; i < tables_[0].columns; ++i) {
      const CellNumber left = input(0, row_, i);
      const CellNumber right = transposed ? input(1, column_, i) : input(1, i, column_);
      const double term = left.value * right.value;
      sum += term;
      work.terms.push_back({i, {left, right, {term}, {sum}}});
    }
    if (step_.inputs.size() > 2) sum += line("+ " + symbol(2), input(2, 0, column_));
    work.result = sum;
  }

  void softmax() {
    const double largest = largest_of_row();
    work.headings = {"score", "− largest", "exp", "weight"};
    double sum = 0;
    for (int i = 0; i < tables_[0].columns; ++i) sum += exponential(input(0, row_, i).value, largest);
    for (int i = 0; i < tables_[0].columns; ++i) {
      const CellNumber score = input(0, row_, i);
      const double power = exponential(score.value, largest);
      const double weight = sum > 0 ? power / sum : 0;
      work.terms.push_back({i, {score, {score.value - largest}, {power}, {weight}}});
      if (i == column_) work.result = weight;
    }
    line("largest score", {largest});
    line("sum of exp", {sum});
  }

  void log_softmax() {
    const double largest = largest_of_row();
    work.headings = {"logit", "− largest", "exp"};
    double sum = 0;
    for (int i = 0; i < tables_[0].columns; ++i) {
      const CellNumber logit = input(0, row_, i);
      const double power = exponential(logit.value, largest);
      sum += power;
      work.terms.push_back({i, {logit, {logit.value - largest}, {power}}});
    }
    line("largest logit", {largest});
    line("sum of exp", {sum});
    line("log of the sum", {std::log(sum)});
    work.result = input(0, row_, column_).value - largest - std::log(sum);
    line("as a probability", {std::exp(work.result)});
  }

  void layer_norm(int also) {
    const int width = tables_[0].columns;
    double mean = 0, squares = 0;
    for (int i = 0; i < width; ++i) mean += input(0, row_, i).value / width;
    work.headings = {"x", "x − μ", "squared"};
    for (int i = 0; i < width; ++i) {
      const CellNumber x = input(0, row_, i);
      const double distance = x.value - mean;
      squares += distance * distance;
      work.terms.push_back({i, {x, {distance}, {distance * distance}}});
    }
    const double deviation = std::sqrt(squares / width + sizes_.config.layer_norm_eps);
    line("mean μ", {mean});
    if (also != 0) line("deviation σ", {deviation});
    work.result = also == 0 ? mean : deviation;
    if (also >= 0) return;
    const CellNumber x = input(0, row_, column_);
    const double normalized = (x.value - mean) / deviation;
    line("x", x);
    line("(x − μ) / σ", {normalized});
    const double gain = line("× γ", input(1, 0, column_));
    work.result = normalized * gain + line("+ β", input(2, 0, column_));
  }

  void sum_of_inputs() {
    for (int i = 0; i < static_cast<int>(tables_.size()); ++i)
      work.result += line((i == 0 ? "" : "+ ") + symbol(i), input(i, row_, column_));
  }

  void copy(int from, int row, int column) { work.result = line(symbol(from), input(from, row, column)); }

  void concat() {
    const int width = tables_[0].columns;
    copy(column_ / width, row_, column_ % width);
  }

  void scaled(double factor, const std::string& label, bool divide) {
    const double x = line(symbol(0), input(0, row_, column_));
    line(label, {factor});
    work.result = divide ? x / factor : x * factor;
  }

  void activation(StepKind kind) {
    const double x = line("x", input(0, row_, column_));
    if (kind == StepKind::relu) {
      work.result = std::max(0.0, x);
      return;
    }
    const bool gelu = kind == StepKind::gelu;
    const double share = gelu ? 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) : 1 / (1 + std::exp(-x));
    work.result = x * line(gelu ? "× Φ(x)" : "× sigmoid(x)", {share});
  }

  void look_up() {
    const CellNumber id = input(0, row_, 0);
    line("id of the word", id);
    work.result = line(symbol(1) + " in this row", input(1, static_cast<int>(id.value), column_));
  }

  void sinusoid() {
    const int pair = column_ / 2;
    const double wave = std::pow(10000.0, 2.0 * pair / sizes_.config.d_model);
    line("position", {static_cast<double>(row_)});
    line("pair of columns i", {static_cast<double>(pair)});
    line("10000^(2i/d)", {wave});
    const double angle = line("position / that", {row_ / wave});
    work.result = column_ % 2 == 0 ? std::sin(angle) : std::cos(angle);
    line(column_ % 2 == 0 ? "sine of it" : "cosine of it", {work.result});
  }

  void smooth_target(double smoothing) {
    const int wanted = static_cast<int>(line("id of the right word", input(0, row_, 0)));
    if (wanted == sizes_.config.pad_id) return;  // padding is not asked for: all 0
    const int words = sizes_.config.target_vocab;
    line("smoothing ε", {smoothing});
    const double share = line("ε / number of words", {smoothing / words});
    work.result = share + (wanted == column_ ? line("+ 1 − ε", {1 - smoothing}) : 0);
  }

  void token_loss() {
    work.headings = {"y", "log p", "y × −log p", "sum", "p − y"};
    double sum = 0;
    for (int i = 0; i < tables_[0].columns; ++i) {
      const CellNumber y = input(0, row_, i), log_p = input(1, row_, i);
      const double term = -y.value * log_p.value;
      sum += term;
      work.terms.push_back({i, {y, log_p, {term}, {sum}, {std::exp(log_p.value) - y.value}}});
    }
    work.result = sum;
  }

  void mean_loss() {
    work.headings = {"loss", "sum"};
    const std::vector<int>& wanted = numbers_.ids(step_.inputs[1].name);
    double sum = 0;
    int tokens = 0;
    for (int i = 0; i < tables_[0].rows; ++i) {
      if (wanted[static_cast<std::size_t>(i)] == sizes_.config.pad_id) continue;
      const CellNumber loss = input(0, i, 0);
      sum += loss.value;
      ++tokens;
      work.terms.push_back({i, {loss, {sum}}});
    }
    line("÷ tokens", {static_cast<double>(tokens)});
    work.result = tokens > 0 ? sum / tokens : 0;
  }

 private:
  std::string symbol(int at) const { return step_.inputs[static_cast<std::size_t>(at)].symbol; }
  CellNumber input(int at, int row, int column) const {
    const OperandNumbers& table = tables_[static_cast<std::size_t>(at)];
    if (!table.recorded()) return {std::numeric_limits<double>::quiet_NaN()};
    return {static_cast<double>(table(row, column)), at, row, column};
  }
  double line(const std::string& label, const CellNumber& number) {
    work.lines.push_back({label, number});
    return number.value;
  }
  double largest_of_row() const {
    double largest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < tables_[0].columns; ++i) largest = std::max(largest, input(0, row_, i).value);
    return largest;
  }
  static double exponential(double x, double largest) {
    return std::isinf(x) && x < 0 ? 0 : std::exp(x - largest);
  }

  const Step& step_;
  int row_, column_;
  const StepNumbers& numbers_;
  const StepSizes& sizes_;
  std::vector<OperandNumbers> tables_;
};

}  // namespace

CellWork cell_work(const Step& step, int also, int row, int column, const StepNumbers& numbers,
                   double smoothing) {
  using enum StepKind;
  Worker worker(step, row, column, numbers);
  switch (step.kind) {
    case query:
    case key:
    case value:
    case memory_key:
    case memory_value:
    case project_heads:
    case expand:
    case contract:
    case logits:
    case shared_logits:
    case dot_products:
      worker.product(true);
      break;
    case weighted_sum:
      worker.product(false);
      break;
    case softmax:
      worker.softmax();
      break;
    case log_softmax:
      worker.log_softmax();
      break;
    case layer_norm:
    case final_norm:
      worker.layer_norm(also);
      break;
    case add:
    case add_positions:
    case padding_mask:
    case causal_mask:
      worker.sum_of_inputs();
      break;
    case scale_scores:
      worker.scaled(std::sqrt(numbers.sizes().config.head_width()), "÷ √k", true);
      break;
    case scale_embedding:
      worker.scaled(std::sqrt(numbers.sizes().config.d_model), "× √d", false);
      break;
    case relu:
    case gelu:
    case swish:
      worker.activation(step.kind);
      break;
    case look_up:
      worker.look_up();
      break;
    case sinusoids:
      worker.sinusoid();
      break;
    case concat:
      worker.concat();
      break;
    case smooth_target:
      worker.smooth_target(smoothing);
      break;
    case token_loss:
      worker.token_loss();
      break;
    case mean_loss:
      worker.mean_loss();
      break;
    case tokenize:
    case shift_target: {
      const Operand& made = also < 0 ? step.output : step.also[static_cast<std::size_t>(also)];
      worker.work.result = static_cast<double>(numbers.of(made)(row, 0));
      break;
    }
    default:
      if (!step.inputs.empty()) worker.copy(0, row, column);
      break;
  }
  return std::move(worker.work);
}

}  // namespace glassformer
