#include "app/views/positions/position_tables.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/layers/rotary.h"
#include "engine/model/parameters.h"
#include "engine/model/position_study.h"

namespace glassformer {

std::string side_value(TextSide side, ValueKind value) {
  return embedding_value(side == TextSide::source, value);
}

const std::vector<std::string>& words_of(const ViewInput& input, TextSide side) {
  return side == TextSide::source ? input.result.source_words : input.result.target_in_words;
}

int shown_positions(const ViewInput& input) {
  const int longest =
      static_cast<int>(std::max(input.result.source_words.size(), input.result.target_in_words.size()));
  const int roomy = std::max(32, (longest + 7) / 8 * 8);
  return std::max(1, std::min(roomy, input.snapshot.config.max_length));
}

PositionTable position_table(const ViewInput& input, PositionKind kind, TextSide side) {
  const Config& config = input.snapshot.config;
  const int width = position_traits(kind).turned ? config.head_width() : config.d_model;
  PositionTable table{.kind = kind, .rows = shown_positions(input), .columns = width};
  table.own = kind == config.positions;
  const auto size = static_cast<std::size_t>(table.rows) * static_cast<std::size_t>(table.columns);
  table.values.assign(size, 0.0f);

  if (table.waves()) {
    table.values = sinusoidal_table(table.rows, table.columns);
  } else if (table.traits().learned) {
    table.untrained = true;
    table.values = untrained_positions(table.rows, table.columns, input.run.options.seed);
    const std::string name = side_value(side, ValueKind::position_table);
    if (!table.own || !input.snapshot.weights) return table;
    for (const ParameterView& parameter : parameters(*input.snapshot.weights)) {
      if (parameter.name != name || parameter.size() < static_cast<long>(size)) continue;
      std::copy_n(parameter.data, size, table.values.begin());
      table.untrained = false;
    }
  }
  return table;
}

std::vector<float> angles_of(const PositionTable& table) {
  std::vector<float> angles;
  for (int position = 0; position < table.rows; ++position)
    for (int pair = 0; pair < table.columns / 2; ++pair)
      angles.push_back(static_cast<float>(
          std::remainder(rotary_angle(position, pair, table.columns), 2 * std::numbers::pi)));
  return angles;
}

std::optional<PositionCell> position_cell(const Selection& selection) {
  if (selection.cell) {
    const CellRef& cell = *selection.cell;
    const std::optional<ValueName> name = read_name(cell.name);
    if (name && name->value == ValueKind::positions && cell.index.size() == 2)
      return PositionCell{cell.index[0], cell.index[1], name->encoder ? TextSide::source : TextSide::target};
  }
  if (selection.key && selection.kind != AttentionKind::decoder)
    return PositionCell{*selection.key, std::nullopt, TextSide::source};
  return std::nullopt;
}

std::optional<PositionCell> position_cell(const Selection& selection, const PositionTable& table) {
  std::optional<PositionCell> cell = position_cell(selection);
  if (cell && cell->dimension.value_or(0) >= table.columns) cell->dimension.reset();
  return cell;
}

Selection select_position(const Selection& before, const PositionCell& cell, std::size_t words) {
  Selection selection = before;
  const bool source = cell.side == TextSide::source;
  selection.cell.reset();
  if (cell.dimension)
    selection.cell = CellRef{side_value(cell.side, ValueKind::positions), {cell.position, *cell.dimension}};

  // Light the chip of the word, when there is one.
  const bool word = cell.position < static_cast<int>(words);
  if (source && selection.kind == AttentionKind::decoder) selection.kind = AttentionKind::cross;
  selection.key = source && word ? std::optional(cell.position) : std::nullopt;
  selection.query = !source && word ? std::optional(cell.position) : std::nullopt;
  return selection;
}

}  // namespace glassformer
