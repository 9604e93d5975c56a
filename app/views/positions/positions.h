// What the files of this view share, part by part.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// The tables that the Positions view shows: the model's own, and the other kinds for comparison.

// A table of positions with its numbers, and whether the model really adds it.
struct PositionTable {
  PositionKind kind = PositionKind::sinusoidal;
  int rows = 0, columns = 0;       // (positions shown, d), where queries are turned (positions shown, k)
  std::vector<float> values = {};  // row-major; all zero for "none", else sines and cosines, or learned
  bool own = false;                // the model has exactly these
  bool untrained = false;          // learned, but not by this model: as such a table starts
  WaveForm form = {};              // how its waves are laid out
  GivenPositions given = {};       // which position each place of the sentence has: of the model's own
  Plane plane() const { return {values.data(), rows, columns}; }
  const PositionTraits& traits() const { return position_traits(kind); }
  bool turned() const { return traits().turned; }
  // Pairs of columns are a sine and a cosine, at any place between the positions too.
  bool waves() const { return turned() || (traits().added && !traits().learned); }
  // The place that has this position; nothing: no place of a sentence has.
  std::optional<int> place_of(int position) const;
  // The rows of so many places, one after another; 0 where no place has a position.
  std::vector<float> rows_of_places(int places) const;
  bool has_rows() const { return turned() || traits().added; }  // a row a position
  // The dimensions of pair i: its sine and its cosine, and the way back.
  int sine(int pair) const { return sine_column(pair, columns, form); }
  int cosine(int pair) const { return cosine_column(pair, columns, form); }
  int pair_of(int dimension) const { return wave_pair(dimension, columns, form); }
  // The columns 2i and 2i + 1 are pair i, whichever two columns of a head it turns.
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

// The pinned or hovered number of a position table, when the selection holds one: by its place, which is its
// position unless a change gives it another.
struct PositionCell {
  int position = 0;
  std::optional<int> dimension;  // nothing: the whole row, chosen by its word
  TextSide side = TextSide::source;
};
std::optional<PositionCell> position_cell(const Selection& selection);
// The same by its position in the table that is shown; of a narrower one than it was pinned in, the whole
// row.
std::optional<PositionCell> position_cell(const Selection& selection, const PositionTable& table);
// The selection that says so: the cell, and for the source the key chip of that position.
// `words` says how many positions of the cell's side hold a word.
// `cell.position` is the place.
Selection select_position(const Selection& before, const PositionCell& cell, std::size_t words);

// A click on a cell of the table chooses the place that has this position, if one has.
void select_on(HitRegion& hit, const PositionTable& table, PositionCell cell, const Selection& before,
               std::size_t words);

// The words of a side, specials included: rows of the sentence.
const std::vector<std::string>& words_of(const ViewInput& input, TextSide side);

// What the inspector says about a number of a position table.
InspectorPage position_page(const ViewInput& input, const PositionTable& table, const PositionCell& cell);
// And about a table without a pinned number.
InspectorPage position_overview(const ViewInput& input, const PositionTable& table);

// Where scores lose by distance: by head and distance, and one head between the words of a side.
void draw_bias(Canvas& canvas, const Rect& content, const ViewInput& input, TextSide side);
std::vector<NumberTable> bias_numbers(const ViewInput& input, TextSide side);
InspectorSection slopes_section(const ViewInput& input);

// What its controls choose.
struct PositionChoice {
  std::optional<PositionKind> kind;  // for comparison; nothing: the model's own
  TextSide side = TextSide::source;
  // The lower left part shows the rotation instead of the similarity; nothing: where it is the matter.
  std::optional<bool> shift;
  int distance = 2;  // chosen distance, and the k of the rotation
  bool shifts(const PositionTable& table) const { return table.waves() && shift.value_or(table.turned()); }
};
PositionTable shown_table(const ViewInput& input, const PositionChoice& choice);
int shown_distances(const PositionTable& table);

// What its parts are drawn from.
struct PositionPicture {
  const ViewInput& input;
  const PositionChoice& choice;
  const PositionTable& table;
};
void draw_waves(Canvas& canvas, const Rect& part, const PositionPicture& picture);
void draw_table(Canvas& canvas, const Rect& part, const PositionPicture& picture);
void draw_distance(Canvas& canvas, const Rect& part, const PositionPicture& picture);
void draw_shift(Canvas& canvas, const Rect& part, const PositionPicture& picture);
void draw_sentence(Canvas& canvas, const Rect& part, const PositionPicture& picture, bool alone = false);
void draw_rowless(Canvas& canvas, const Rect& content, const PositionPicture& picture);
Rect columns_plot(const Rect& distance);  // of the distance part: the columns alone
Rect column_of(const Rect& plot, int index, int count);

// How a word knows its place: the waves, the whole table, how alike two places are by their distance, and the
// same in the sentence at hand. One pinned number lights up in all four.

class PositionsView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<PositionsView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override {
    part_ = name;
    return true;
  }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell) {
    return !cell.gradient &&
           (is_name_of(ValueKind::positions, cell.name) || is_name_of(ValueKind::position_table, cell.name));
  }
  bool show_like(const View& first) override {
    *this = dynamic_cast<const PositionsView&>(first);
    return true;
  }

 private:
  PositionTable table(const ViewInput& input) const { return shown_table(input, choice_); }
  std::vector<NumberTable> without_numbers(const ViewInput& input) const;

  PositionChoice choice_;
  std::string part_;  // that alone is described; empty: all of it
};

// What the inspector says about the waves of a table (paper, section 3.5): their wavelengths, and the map
// that moves a row k places on.

// Which pair of columns is moved, from where and how far.
struct ShiftChoice {
  int pair = 0, from = 0, shift = 1;  // from + shift is a row of the table as well
};
// Of the pinned number or word, else of the first pair at position 0. Nothing for a table without pairs.
std::optional<ShiftChoice> shift_choice(const PositionTable& table, const std::optional<PositionCell>& cell,
                                        int shift);

// What 2i is divided by in the exponent: "64".
std::string exponent_whole(const PositionTable& table);
// A wavelength in positions: "6.28", "125.7", "47 117".
std::string wavelength_text(double wavelength);
// The last position that the model can read: no sentence is longer.
int longest_position(const Config& config);

// Frequency and wavelength of the pair that a column belongs to, beside the model's longest position.
std::vector<InspectorRow> wave_rows(const PositionTable& table, const Config& config, int dimension);
// Of all pairs, with how many come full circle within the model's positions.
InspectorSection wavelength_section(const PositionTable& table, const Config& config);
// The 2 x 2 map of one pair with its numbers, applied, beside the row it leads to; with the sentence on the
// two ways to its frequency where the page has not said it yet.
InspectorSection shift_section(const PositionTable& table, const ShiftChoice& choice, bool with_ways);
// One sentence: 1 / 10000^(2i/d) and exp(-log(10000) 2i/d) are equal to rounding, d or what replaces it.
std::string frequency_ways(const PositionTable& table);

// For files: every pair's frequency and wavelength; every pair moved.
NumberTable wavelength_numbers(const PositionTable& table);
NumberTable shift_numbers(const PositionTable& table, const ShiftChoice& choice);

}  // namespace glassformer
