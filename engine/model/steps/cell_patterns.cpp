// Patterns that stay in their cell: made of no input, or of the same cell of each.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/layers/adam.h"
#include "engine/layers/embedding.h"
#include "engine/layers/rotary.h"
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {

namespace {

void nothing(CellSources&) {}
void same_cells(CellSources& from) {
  from.same_cell_everywhere();
}

void position_signal_work(CellWorker& cell) {
  const int d = cell.config().d_model;
  const WaveForm form = cell.config().wave_form();
  const int pair = wave_pair(cell.column(), d, form);
  const double divisor = position_divisor(cell.column(), d, form);
  const std::optional<int> position = cell.position(cell.row());
  if (!position) {
    cell.line("no position: positions are off", {.value = 0, .whole = true});
    return;
  }
  cell.line("position", {.value = static_cast<double>(*position), .whole = true});
  cell.line("pair of columns i", {.value = static_cast<double>(pair), .whole = true});
  cell.line(form.divisor == PositionDivisor::d ? "10000^(2i/d)" : "10000^(2i/(d − 2))", {divisor});
  cell.line("position / that", {*position / divisor});
  cell.work.result = position_wave(*position, cell.column(), d, form);
  const bool halves = form.order == PositionOrder::halves;
  cell.line(is_sine(cell.column(), d, form) ? halves ? "its sine, as in the first half of the columns"
                                                     : "its sine, as in every even column"
            : halves                        ? "its cosine, as in the second half of the columns"
                                            : "its cosine, as in every odd column",
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
  const double x = cell.line(cell.inputs() > 1 ? cell.symbol(0) : "x", cell.input(0));
  if (function == Activation::relu) {
    cell.work.result = std::max(0.0, x);
    return;
  }
  const bool gelu = function == Activation::gelu, steep = function == Activation::gelu_sigmoid;
  const double share = gelu ? 0.5 * (1 + std::erf(x / std::numbers::sqrt2))
                            : 1 / (1 + std::exp(steep ? -kGeluSigmoid * x : -x));
  const std::string of = (steep ? "(1.702 " : "(") + (cell.inputs() > 1 ? cell.symbol(0) : "x") + ")";
  cell.work.result = x * cell.line((gelu ? "× Φ" : "× sigmoid") + of, {share});
  if (cell.inputs() > 1) cell.work.result *= cell.line("× " + cell.symbol(1), cell.input(1));
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
  } else if (function == Activation::gelu_sigmoid) {
    const double share = cell.line("sigmoid(1.702 x) s", {1 / (1 + std::exp(-kGeluSigmoid * x))});
    slope = share * (1 + kGeluSigmoid * x * (1 - share));
  }
  cell.work.result = arrives * cell.line("× slope there", {slope});
  if (cell.inputs() > 2) cell.work.result *= cell.line("× " + cell.symbol(2), cell.input(2));
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

// Patterns whose cells are somewhere else: looked up, gathered by word, turned in pairs, laid side by side.
namespace {

void look_up_sources(CellSources& from) {
  from.of_row(0).cell(1, from.ids(0)[static_cast<std::size_t>(from.row())], from.column());
}

void look_up_work(CellWorker& cell) {
  const CellNumber id = cell.input(0, cell.row(), 0);
  cell.line("id of the word", id);
  cell.work.result =
      cell.line(cell.symbol(1) + " in this row", cell.input(1, static_cast<int>(id.value), cell.column()));
}

void by_word_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "sum"};
  for (int i = 0; i < cell.table(0).rows; ++i) {
    const CellNumber id = cell.input(0, i, 0), arrives = cell.input(1, i, cell.column());
    if (static_cast<int>(id.value) != cell.row()) continue;
    cell.work.result += arrives.value;
    cell.term(i, {id, arrives, {cell.work.result}}, true, 1);
  }
  cell.line("places with this word", {static_cast<double>(cell.work.terms.size())});
}

void smoothed_target_work(CellWorker& cell) {
  const int wanted = static_cast<int>(cell.line("id of the right word", cell.input(0, cell.row(), 0)));
  if (wanted == cell.config().pad_id) return;  // padding is not asked for: all 0
  const int words = cell.config().target_vocab;
  cell.line("smoothing ε", {cell.smoothing()});
  const double share = cell.line("ε / number of words", {cell.smoothing() / words});
  cell.work.result = share + (wanted == cell.column() ? cell.line("+ 1 − ε", {1 - cell.smoothing()}) : 0);
}

void rotation_sources(CellSources& from) {
  const RotaryPair pair = from.config().rotary_pairs().with(from.column());
  from.columns_of_row(0, pair.first, 2);
}

void rotation_work(CellWorker& cell) {
  const bool back = cell.pattern().turned_back;
  const RotaryPair pair = cell.config().rotary_pairs().with(cell.column());
  const std::optional<int> position = cell.position(cell.row());
  if (!position) return cell.copy(0, cell.row(), cell.column());  // not turned
  const double angle = rotary_angle(*position, pair.index, cell.config().head_width());
  cell.line("position", {.value = static_cast<double>(*position), .whole = true});
  cell.line("pair of columns i", {.value = static_cast<double>(pair.index), .whole = true});
  cell.line(back ? "angle to turn back = position / 10000^(2i/k)" : "angle = position / 10000^(2i/k)",
            {angle});
  const bool first = cell.column() == pair.first;
  const double own = cell.line(cell.symbol(0) + " here", cell.input(0)),
               cosine = cell.line("× cos", {std::cos(angle)});
  const bool minus = first != back;
  const double other = cell.line((minus ? "− " : "+ ") + cell.symbol(0) + " in the other column of the pair",
                                 cell.input(0, cell.row(), first ? pair.second : pair.first)),
               sine = cell.line("× sin", {std::sin(angle)});
  cell.work.result = own * cosine + (minus ? -other : other) * sine;
}

void position_rows_sources(CellSources& from) {
  if (const auto position = from.position(from.row())) from.cell(0, *position, from.column());
}

void position_rows_work(CellWorker& cell) {
  if (const auto position = cell.position(cell.row())) cell.copy(0, *position, cell.column());
}

void by_position_sources(CellSources& from) {
  for (int token = 0; token < from.rows(0); ++token)
    if (from.position(token) == from.row()) from.cell(0, token, from.column());
}

void by_position_work(CellWorker& cell) {
  for (int token = 0; token < cell.table(0).rows; ++token) {
    if (cell.position(token) != cell.row()) continue;
    cell.work.result += cell.line((cell.work.lines.empty() ? "" : "+ ") + cell.symbol(0),
                                  cell.input(0, token, cell.column()));
  }
}

void side_by_side_sources(CellSources& from) {
  const int width = from.columns(0);
  from.cell(from.column() / width, from.row(), from.column() % width);
}

void side_by_side_work(CellWorker& cell) {
  const int width = cell.table(0).columns;
  cell.copy(cell.column() / width, cell.row(), cell.column() % width);
}

constexpr PatternRule kPlacePatterns[] = {
    {PatternKind::look_up, look_up_sources, look_up_work},
    {PatternKind::by_word, [](CellSources& from) { from.by_word(0, 1); }, by_word_work},
    {PatternKind::smoothed_target, [](CellSources& from) { from.of_row(0); }, smoothed_target_work},
    {PatternKind::position_rows, position_rows_sources, position_rows_work},
    {PatternKind::by_position, by_position_sources, by_position_work},
    {PatternKind::rotation, rotation_sources, rotation_work},
    {PatternKind::side_by_side, side_by_side_sources, side_by_side_work},
};

}  // namespace

std::span<const PatternRule> place_patterns() {
  return kPlacePatterns;
}

// Patterns in which the rows of one input meet the columns of another.
namespace {

void products_sources(CellSources& from) {
  const bool with_stream = from.pattern().with_stream;
  if (with_stream) from.cell(0);
  for (int left = with_stream ? 1 : 0; from.has(left); left += 2) from.product(left, left + 1);
}

void product_work(CellWorker& cell) {
  if (cell.also() >= 0) return cell.column_sum(0);
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "product", "sum"};
  cell.work.result = cell.add_product({.left_transposed = cell.pattern().left_transposed,
                                       .right_transposed = cell.pattern().right_transposed},
                                      0);
  if (cell.inputs() > 2)
    cell.work.result += cell.line("+ " + cell.symbol(2), cell.input(2, 0, cell.column()));
}

void products_work(CellWorker& cell) {
  const int first = cell.pattern().with_stream ? 1 : 0;
  cell.work.headings = {"gradient", "weight", "product", "sum"};
  if (cell.inputs() == first + 2)
    cell.work.headings = {cell.symbol(first), cell.symbol(first + 1), "product", "sum"};
  for (int at = first; at < cell.inputs(); at += 2)
    cell.work.result = cell.add_product({.left = at, .right = at + 1}, cell.work.result);
  if (cell.pattern().with_stream) cell.work.result += cell.line("+ " + cell.symbol(0), cell.input(0));
}

// Lines for the places of the sentence where this row's word is; returns their sum.
double add_by_word(CellWorker& cell, int ids, int value) {
  double sum = 0;
  for (int i = 0; i < cell.table(ids).rows; ++i) {
    const CellNumber id = cell.input(ids, i, 0);
    if (static_cast<int>(id.value) != cell.row()) continue;
    cell.line("id of place " + std::to_string(i), id);
    sum += cell.line("+ " + cell.symbol(value), cell.input(value, i, cell.column()));
  }
  return sum;
}

void product_and_by_word_work(CellWorker& cell) {
  cell.work.headings = {cell.symbol(0), cell.symbol(1), "product", "sum"};
  cell.work.result = cell.add_product({.left_transposed = true}, 0);
  for (int at = 2; at < cell.inputs(); at += 2) cell.work.result += add_by_word(cell, at, at + 1);
}

constexpr PatternRule kProductPatterns[] = {
    {PatternKind::product, [](CellSources& from) { from.product(0, 1, from.pattern()).of_column(2); },
     product_work},
    {PatternKind::products, products_sources, products_work},
    {PatternKind::product_and_by_word,
     [](CellSources& from) { from.product(0, 1, from.pattern()).by_word(2, 3).by_word(4, 5); },
     product_and_by_word_work},
};

}  // namespace

std::span<const PatternRule> product_patterns() {
  return kProductPatterns;
}

}  // namespace glassformer
