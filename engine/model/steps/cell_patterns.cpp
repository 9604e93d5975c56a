// Patterns that stay in their cell: made of no input, or of the same cell of each.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/layers/adam.h"
#include "engine/layers/embedding.h"
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {
namespace {

void nothing(CellSources&) {}
void same_cells(CellSources& from) {
  from.same_cell_everywhere();
}

void position_signal_work(CellWorker& cell) {
  const int pair = cell.column() / 2;
  const int d = cell.config().d_model;
  const double divisor = position_divisor(cell.column(), d);
  const std::optional<int> position = cell.position(cell.row());
  if (!position) {
    cell.line("no position: positions are off", {.value = 0, .whole = true});
    return;
  }
  cell.line("position", {.value = static_cast<double>(*position), .whole = true});
  cell.line("pair of columns i", {.value = static_cast<double>(pair), .whole = true});
  cell.line("10000^(2i/d)", {divisor});
  cell.line("position / that", {*position / divisor});
  cell.work.result = position_wave(*position, cell.column(), d);
  cell.line(
      cell.column() % 2 == 0 ? "its sine, as in every even column" : "its cosine, as in every odd column",
      {cell.work.result});
}

void sum_work(CellWorker& cell) {
  for (int i = 0; i < cell.inputs(); ++i)
    cell.work.result += cell.line((i == 0 ? "" : "+ ") + cell.symbol(i), cell.input(i));
}

void scale_work(CellWorker& cell) {
  const double x = cell.line(cell.symbol(0), cell.input(0));
  if (cell.pattern().factor == ScaleFactor::root_of_width) {
    cell.work.result = x * cell.line("× √d", {std::sqrt(cell.config().d_model)});
  } else {
    cell.work.result = x / cell.line("÷ √k", {std::sqrt(cell.config().head_width())});
  }
}

void activation_work(CellWorker& cell) {
  const Activation function = cell.pattern().function;
  const double x = cell.line("x", cell.input(0));
  if (function == Activation::relu) {
    cell.work.result = std::max(0.0, x);
    return;
  }
  const bool gelu = function == Activation::gelu;
  const double share = gelu ? 0.5 * (1 + std::erf(x / std::numbers::sqrt2)) : 1 / (1 + std::exp(-x));
  cell.work.result = x * cell.line(gelu ? "× Φ(x)" : "× sigmoid(x)", {share});
}

void slope_work(CellWorker& cell) {
  const Activation function = cell.pattern().function;
  const double arrives = cell.line(cell.symbol(0), cell.input(0));
  const double x = cell.line(cell.symbol(1), cell.input(1));
  double slope = x > 0 ? 1 : 0;
  if (function == Activation::gelu) {
    const double share = cell.line("Φ", {0.5 * (1 + std::erf(x / std::numbers::sqrt2))});
    const double density =
        cell.line("φ", {std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2});
    slope = share + x * density;
  } else if (function == Activation::swish) {
    const double share = cell.line("sigmoid s", {1 / (1 + std::exp(-x))});
    slope = share * (1 + x * (1 - share));
  }
  cell.work.result = arrives * cell.line("× slope there", {slope});
}

void hide_work(CellWorker& cell) {
  const double arrives = cell.line(cell.symbol(0), cell.input(0));
  const bool hides = std::isinf(cell.line(cell.symbol(1), cell.input(1)));
  cell.work.result = hides ? 0 : arrives;
}

void clipped_work(CellWorker& cell) {
  const double most = cell.line(cell.symbol(2), cell.input(2)),
               length = cell.line(cell.symbol(1), cell.input(1));
  const double gradient = cell.line(cell.symbol(0), cell.input(0));
  cell.work.result = gradient * cell.line("× min(1, c / (length + 10⁻⁶))", {clip_scale(length, most)});
}

void running_mean_work(CellWorker& cell) {
  const double share = cell.line(cell.symbol(2), cell.input(2)),
               before = cell.line(cell.symbol(0), cell.input(0)),
               gradient = cell.line(cell.symbol(1), cell.input(1));
  const double news = cell.pattern().squared ? gradient * gradient : gradient;
  const double kept = cell.line(cell.symbol(2) + " × " + cell.symbol(0), {share * before});
  cell.work.result = kept + cell.line("+ (1 − " + cell.symbol(2) + ") × " + cell.symbol(1) +
                                          (cell.pattern().squared ? "²" : ""),
                                      {(1 - share) * news});
}

void corrected_work(CellWorker& cell) {
  CellNumber count = cell.input(2);
  count.whole = true;
  const double share = cell.line(cell.symbol(1), cell.input(1)), steps = cell.line(cell.symbol(2), count);
  const double mean = cell.line(cell.symbol(0), cell.input(0));
  cell.work.result = mean / cell.line("÷ (1 − " + cell.symbol(1) + "^s)", {1 - std::pow(share, steps)});
}

void adam_step_work(CellWorker& cell) {
  const double rate = cell.line(cell.symbol(1), cell.input(1)),
               mean = cell.line(cell.symbol(2), cell.input(2)),
               squares = cell.line(cell.symbol(3), cell.input(3)),
               eps = cell.line(cell.symbol(4), cell.input(4));
  const double length = cell.line("√" + cell.symbol(3) + " + " + cell.symbol(4), {std::sqrt(squares) + eps});
  const double weight = cell.line(cell.symbol(0), cell.input(0));
  cell.work.result =
      weight - cell.line("− " + cell.symbol(1) + " × " + cell.symbol(2) + " / that", {rate * mean / length});
}

constexpr PatternRule kCellPatterns[] = {
    {PatternKind::tokens, nothing,
     [](CellWorker& cell) { cell.work.result = static_cast<double>(cell.recorded()); }},
    {PatternKind::position_signal, nothing, position_signal_work},
    {PatternKind::setting, nothing, [](CellWorker&) {}},
    {PatternKind::same_cell, same_cells, [](CellWorker& cell) { cell.copy(0, cell.row(), cell.column()); }},
    {PatternKind::sum, same_cells, sum_work},
    {PatternKind::scale, same_cells, scale_work},
    {PatternKind::activation, same_cells, activation_work},
    {PatternKind::slope, same_cells, slope_work},
    {PatternKind::hide, same_cells, hide_work},
    {PatternKind::clipped, same_cells, clipped_work},
    {PatternKind::running_mean, same_cells, running_mean_work},
    {PatternKind::corrected, same_cells, corrected_work},
    {PatternKind::adam_step, same_cells, adam_step_work},
};

}  // namespace

std::span<const PatternRule> cell_patterns() {
  return kCellPatterns;
}

}  // namespace glassformer
