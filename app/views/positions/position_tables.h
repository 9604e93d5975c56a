// The tables that the Positions view shows: the model's own, and the other kinds for comparison.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// A table of positions with its numbers, and whether the model really adds it.
struct PositionTable {
  PositionKind kind = PositionKind::sinusoidal;
  int rows = 0, columns = 0;       // (positions shown, d), where queries are turned (positions shown, k)
  std::vector<float> values = {};  // row-major; all zero for "none", else sines and cosines, or learned
  bool own = false;                // the model has exactly these
  bool untrained = false;          // learned, but not by this model: as such a table starts
  Plane plane() const { return {values.data(), rows, columns}; }
  const PositionTraits& traits() const { return position_traits(kind); }
  bool turned() const { return traits().turned; }
  // Pairs of columns are a sine and a cosine, at any place between the positions too.
  bool waves() const { return turned() || (traits().added && !traits().learned); }
  // The columns 2i and 2i + 1 stand for pair i, whichever two columns of a head it turns.
  int column(int dimension) const {
    if (!turned()) return dimension;
    const RotaryPair pair = rotary_pairs(traits(), columns).pair(dimension / 2);
    return dimension % 2 == 0 ? pair.first : pair.second;
  }
};

// Where queries are turned: how far each pair of columns is turned at each position, in radians from -π to π;
// row-major (positions shown, k / 2).
std::vector<float> angles_of(const PositionTable& table);

// The side whose positions are shown: learned models have a table for each.
enum class TextSide { source, target };
std::string side_value(TextSide side, ValueKind value);  // "source.positions"

// How many positions are shown: the sentence and some way beyond it, at most the model's max_length.
int shown_positions(const ViewInput& input);

PositionTable position_table(const ViewInput& input, PositionKind kind, TextSide side);

// The pinned or hovered number of a position table, when the selection holds one.
struct PositionCell {
  int position = 0;
  std::optional<int> dimension;  // nothing: the whole row, chosen by its word
  TextSide side = TextSide::source;
};
std::optional<PositionCell> position_cell(const Selection& selection);
// The same in the table that is shown: of a narrower one than it was pinned in, the whole row.
std::optional<PositionCell> position_cell(const Selection& selection, const PositionTable& table);
// The selection that says so: the cell, and for the source the key chip of that position.
// `words` says how many positions of the cell's side hold a word.
Selection select_position(const Selection& before, const PositionCell& cell, std::size_t words);

// The words of a side, specials included: rows of the sentence.
const std::vector<std::string>& words_of(const ViewInput& input, TextSide side);

// What the inspector says about a number of a position table.
InspectorPage position_page(const ViewInput& input, const PositionTable& table, const PositionCell& cell);
// And about a table without a pinned number.
InspectorPage position_overview(const ViewInput& input, const PositionTable& table);

}  // namespace glassformer
