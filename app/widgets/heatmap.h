// A matrix as coloured cells: the picture that most views are made of. Row = query, column = key.
//
//   HeatmapOptions options;
//   options.row_labels = {"<bos>", "la", "fille"};
//   options.column_labels = ...
//   options.pinned_row = 1;
//   draw_heatmap(canvas, area, {.values = trace.plane(name, 0, head)}, options);
//
// The cells get the largest whole-pixel size that fits the area together with labels, titles and colour bar
// (smaller than min_cell rather than out of the area);
// column words that are too wide are by turns in up to three lines; labels fall back to indices, then to
// every n-th index, before they overlap. Above 64 x 64 cells it is one texture.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/widgets/colormap.h"
#include "app/widgets/marks.h"
#include "engine/model/trace.h"

namespace glassformer {

struct HeatmapData {
  Plane values = {};  // (rows, columns), row-major; must outlive the call
  // True for a cell that is hidden by a mask: hatched, never a colour. Empty: none.
  std::function<bool(int row, int column)> masked = {};
};

struct AxisTitle {
  Badge badge = Badge::none;  // Q, K, V before the word
  std::string word = {};      // "query"
  std::string note = {};      // in brackets behind it, lighter: "source"
};

struct HeatmapOptions {
  // Colour
  ColorScale scale = ColorScale::weight;
  double limit = 0;       // end of the colour scale; 0: weight 1, signed the largest magnitude
  bool color_bar = true;  // vertical, right of everything
  // Axes
  AxisTitle row_title = {},
            column_title = {};               // at the corner of the rows, above the columns; empty word: none
  std::vector<std::string> row_labels = {};  // words left of the rows; empty: indices
  std::vector<std::string> column_labels = {};  // words above the columns; empty: indices
  std::vector<std::string> writes = {};         // words right of the rows ("writes"); empty: none
  std::string writes_title = "writes";
  std::vector<std::string> right_values = {};  // mono values right of the rows, e.g. row sums; empty: none
  std::string right_title = {};                // above them: "sum"
  bool show_row_labels = true;
  bool show_column_labels = true;
  bool columns_below = false;   // column labels under the map
  bool column_indices = false;  // positions instead of words, in mono
  // Cells
  bool numbers = true;              // when they fit with 1 px to spare
  int decimals = -1;                // of signed numbers; -1: as many as fit, at most one
  double number_factor = 1;         // gradients "x 1000": numbers are multiplied, colours are not
  int min_cell = 6, max_cell = 64;  // px
  float max_aspect = 1;             // width / height of a cell may go up to this (1: square)
  float stretch = 1;                // cells under 20 px may grow this many times in the direction with room
  int computed = -1;                // cells from this one on, row by row, are not computed yet; -1: all are
  Color background = {};            // what shows in the gaps; not visible: paper
  bool frame = false;               // a 1-px line round the map
  // Selection
  std::optional<int> pinned_row = {};                  // query blue on label and row
  std::optional<int> pinned_column = {};               // key orange on the label
  std::vector<int> more_rows = {}, more_columns = {};  // pinned besides them
  // What the mouse is on while something else is pinned: SemiBold labels, a grey row, a cell in ink.
  std::optional<int> hovered_row = {}, hovered_column = {};
  bool ink_row = false;             // the pinned row in ink: positions, where no query is meant
  std::vector<Rect> outlines = {};  // in cells {column, row, columns, rows}: reference-coloured outline
  // Hits: called with a cell, a row label, a column label; leave out what cannot be clicked
  std::function<HitRegion(int row, int column)> cell_hit = {};
  std::function<HitRegion(int row)> row_hit = {};
  std::function<HitRegion(int column)> column_hit = {};
};

struct HeatmapLayout {
  Rect cells = {};                        // the map alone
  Rect bounds = {};                       // with labels, titles, colour bar
  float cell_width = 0, cell_height = 0;  // pitch, gap included
  float gap = 0;                          // 1, or 0 when cells are under 12 px
  bool texture = false;                   // more than 64 rows or columns: drawn as one grid
  bool numbers = false;                   // they fit
  int decimals = 0;                       // of signed numbers
  float number_size = 11;
  int row_step = 1, column_step = 1;           // every n-th label is drawn
  bool row_words = true, column_words = true;  // false: indices
  int column_levels = 1;               // words too wide for their columns are in so many lines, by turns
  float column_size = 12;              // of those words
  float row_size = 12;                 // of the words beside the rows
  double limit = 1;                    // end of the colour scale
  Rect color_bar = {};                 // empty: none
  float left = 0, top = 0, right = 0;  // widths of the label margins
  bool writes = true;                  // false: in a file, words right of the rows gave way to the others
  // In a file that has no room for all words: which row and column is which, line by line under the map.
  std::vector<std::string> key = {};
  Rect cell(int row, int column) const;  // without the gap
};

// Where everything comes to lie: the map is at the top left of the area. Draws nothing.
HeatmapLayout layout_heatmap(const Canvas& canvas, const Rect& area, const HeatmapData& data,
                             const HeatmapOptions& options);
HeatmapLayout draw_heatmap(Canvas& canvas, const Rect& area, const HeatmapData& data,
                           const HeatmapOptions& options);

// The small form for walls, thumbnails and small multiples: colours without gaps, labels or numbers, in the
// whole rect.
struct TileOptions {
  ColorScale scale = ColorScale::weight;
  double limit = 0;                         // as above
  std::function<bool(int row)> muted = {};  // hatched instead of coloured
};
void draw_heatmap_tile(Canvas& canvas, const Rect& rect, const HeatmapData& data,
                       const TileOptions& options = {});

// The colour scale with its end values (and 0 in the middle when it is signed and tall enough): a bar as high
// as `bar` with the values to its right, or as wide as `bar` with the values left and right of it.
void draw_color_bar(Canvas& canvas, const Rect& bar, ColorScale scale, double limit);
void draw_color_bar_across(Canvas& canvas, const Rect& bar, ColorScale scale, double limit);

// The largest finite magnitude of a plane, masked cells left out; what a symmetric scale ends at.
double largest_magnitude(const HeatmapData& data);
// A round number that is at least as large: 0.37 -> 0.4, 5.8 -> 6, 13.2 -> 14.
double round_limit(double magnitude);
// What a scale of weights ends at: 1, or where some are larger, as a ReLU may make them, a round number.
double weight_limit(double largest);

}  // namespace glassformer
