// Patterns whose cells stand somewhere else: looked up, gathered by word, turned in pairs, laid side by side.
#include <cmath>

#include "engine/layers/rotary.h"
#include "engine/model/steps/pattern_rule.h"

namespace glassformer {
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

}  // namespace glassformer
