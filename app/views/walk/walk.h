// What the files of this view share, part by part.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/walk_pages.h"
#include "app/reading/walk_scene.h"
#include "app/scene/selection.h"
#include "app/views/common/opens_cell.h"
#include "app/views/common/walk_rule.h"  // walk_formula
#include "app/widgets/colormap.h"

namespace glassformer {

// What a matrix holds that is too large to be seen whole.

struct WalkSummary {
  std::string name;
  OperandStore store = OperandStore::trace;
  double lowest = 0, highest = 0, mean = 0;  // of all its numbers but infinite ones
};

struct SummaryKey {
  std::shared_ptr<const WalkScene> scene = {};
  int step = -1;
  bool operator==(const SummaryKey&) const = default;
};
using SummaryCache = Background<SummaryKey, std::vector<WalkSummary>>;

// Of the step's matrices that have an axis too long to be shown whole; small ones at once, large ones on a
// worker: empty until they are there.
std::vector<WalkSummary> walk_summaries(SummaryCache& cache, const std::shared_ptr<const WalkScene>& scene,
                                        int step, bool at_once);

// "all −2.1 to 3.4, mean 0.01"; empty when there is none for this operand.
std::string summary_words(const std::vector<WalkSummary>& summaries, const Operand& operand);

// The stage of the Walk: one step's operands and its result as matrices, and the formula between them. On the
// way back every gradient has its value beside it.

struct WalkPicture {
  std::shared_ptr<const WalkScene> scene;
  const Step& step;
  const WalkWindow& window;
  const Selection& pinned;                    // what clicks start from
  const std::vector<WalkSummary>& summaries;  // of matrices that are not seen whole
  std::optional<StoredCell> cell = {};        // marked, with what it was computed from
  bool sizes = true;                          // are beside the formula
};

// Formula, operands and result; what is above them is the view's.
void draw_walk_step(Canvas& canvas, const Rect& area, const WalkPicture& picture);

// One operand of a step as a picture: a matrix of coloured cells, a list of words and ids, or a single
// number.

struct WalkPanel {
  Operand operand;
  std::string place = "result";  // which part of the step it is: "input 1", "result"
  std::string which = {};        // before the shape, where symbols are alike: "layer 2"
  std::string note = {};         // behind the title: "arrives", "value"
  bool transposed = false;
  std::string shape;  // "8 × 32", or what part of it is shown
  WalkAxis rows, columns;
  WalkSide down, across;      // which axes these are
  std::vector<float> values;  // of the cells shown, row by row; empty: not there
  std::string missing = "not recorded";
  ColorScale scale = ColorScale::signed_value;
  double factor = 1;  // numbers in the cells are multiplied by it; the heading says so
  bool ids = false;
  std::vector<double> sums = {};  // of the rows, where they say something: the weights of a softmax

  float at(std::size_t row, std::size_t column) const { return values[row * columns.shown.size() + column]; }
  bool single() const { return values.size() == 1 && !ids; }
  bool matrix() const { return values.size() > 1 && !ids; }
  std::string title() const { return operand.symbol + (transposed ? "ᵀ" : ""); }
  // The number shown in a row and column, and where the operand's cell is shown, if it is.
  StoredCell stored(const Config& config, std::size_t row, std::size_t column) const;
  struct Place {
    int row = 0, column = 0;
  };
  std::optional<Place> find(const StoredCell& cell, const Config& config) const;
  std::optional<Place> find(int row, int column) const;  // of the operand
};

WalkPanel walk_panel(const WalkScene& scene, const Step& step, const Operand& operand,
                     const WalkWindow& window = {}, bool transposed = false);

inline constexpr float kWalkHeading = 22, kWalkLabels = 15;  // above the cells; a row of labels

// Rows that the words above the columns need, one word higher than the next, at this width of a cell; 0:
// there is no room for words, indices are there.
int walk_word_rows(const Canvas& canvas, const WalkPanel& panel, float cell_width);
// What is above the cells: heading and labels.
float walk_head_room(const Canvas& canvas, const WalkPanel& panel, float cell_width);
// The room that the words left of the rows take; indices count as words.
float walk_label_width(const Canvas& canvas, const WalkPanel& panel);

struct WalkCellOptions {
  bool result = false;                          // framed in ink
  float title_width = 180;                      // px that the heading may take
  std::shared_ptr<const WalkScene> scene = {};  // cells can be pinned when it is there
  Selection pinned = {};                        // what a click starts from
};
// Cells of this width and height with the first at `corner`, the heading above them. Returns the cells'
// rectangle.
Rect draw_walk_cells(Canvas& canvas, Point corner, Point cell, const WalkPanel& panel,
                     const WalkCellOptions& options);
// The largest cells with which the panel fits into a place of this size; rows may be higher than columns are
// wide, so that their words can be read.
Point walk_cell_size(const Canvas& canvas, Point place, const WalkPanel& panel);

bool walk_panel_fits(const Canvas& canvas, Point place, const WalkPanel& panel);
// What it needs in the least, before fonts are known: words beside the rows and above the columns at their
// longest, cells of this height, every word of a list.
float walk_least_width(const WalkPanel& panel);
float walk_least_height(const WalkPanel& panel, float width, float cell);

// What is no matrix of cells: words with their ids, one number, or a word about what is missing.
void draw_walk_words(Canvas& canvas, const Rect& place, const WalkPanel& panel,
                     const WalkCellOptions& options);

// Where the panels of a step are.

struct WalkPart {
  WalkPanel panel;
  int input = -1;  // of the step; -1: its output, or a value that is beside its gradient
  bool output = false;
  Rect place;          // what it may take
  Point corner, cell;  // of a matrix: its first cell, and the cells' size
  float title_width = 0;
};

struct WalkLayout {
  Rect rule;                    // the formula's box
  Rect numbers;                 // under it, of a LayerNorm's way back: the chosen number's factors
  std::vector<WalkPart> parts;  // in drawing order
  std::string note;             // on top of a product: the bias
};

WalkLayout walk_layout(const Canvas& canvas, const Rect& area, const WalkScene& scene, const Step& step,
                       const WalkWindow& window);

// The values beside the gradients of a step, and all operands in the order in which they are.
struct WalkOperand {
  Operand operand;
  int input = -1;
  bool output = false;
  std::string note = {};
  bool leaves = false;  // below the chain rule
};
std::vector<WalkOperand> walk_operands(const Step& step);

// How much room this step needs at the least on a stage of this width.
Point walk_minimum(const WalkScene& scene, const Step& step, float width);

// The axes of a step that are too long to be shown whole.
struct WalkStretch {
  WalkSide side;
  std::string letter;  // "d"
  int total;
};
std::vector<WalkStretch> walk_stretches(const WalkScene& scene, const Step& step);

// The list of steps, which follows the current one; gives the step that was clicked.
std::optional<int> step_list(ui::Ui& ui, const Rect& rect, const WalkScene& scene, int at, bool follows);

// Moving the window through which long axes are seen: a slider for each, below the picture; and on the
// matrices themselves, which are in `area`. True: it moved.
bool stretch_sliders(ui::Ui& ui, const Rect& rect, const WalkScene& scene, const Step& step,
                     WalkWindow& window);
bool scroll_matrices(ui::Ui& ui, const Rect& area, const WalkScene& scene, const Step& step,
                     WalkWindow& window);
// So that the cell is seen.
void bring_into_window(WalkWindow& window, const WalkScene& scene, const Step& step, const StoredCell& cell);

// The Walk: every operation of a training step with the real numbers, one after another.
//
// The steps come from engine/model/steps; the numbers from a pass over the one sentence, forward and
// backward. The list is in the map's column, the transport below the picture.

class WalkView : public View, public OpensCell {
 public:
  WalkView()
      : cache_(std::make_shared<WalkCache>()),
        checks_(std::make_shared<CheckCache>()),
        summaries_(std::make_shared<SummaryCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<WalkView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  void open_cell(const CellRef& cell) override { asked_ = cell; }

  void go_to(int step) { step_ = step; }
  int step_count(const ViewInput& input) const override;  // 0 while there are no gradients
  void show_step(const ViewInput&, int step) override { go_to(step); }

 private:
  std::shared_ptr<const WalkScene> scene(const ViewInput& input) const;
  const Step* current(const WalkScene& scene) const;
  std::optional<StoredCell> shown_cell(const WalkScene& scene, const ViewInput& input) const;
  bool deeper(const ViewInput& input, Commands& commands) const;
  void follow(const WalkScene& scene, const ViewInput& input);  // what was asked for or pinned
  float words_width(const Rect& inner) const;
  void draw_step(Canvas& canvas, const ViewInput& input, const std::shared_ptr<const WalkScene>& scene,
                 const Rect& area, bool sizes) const;
  Rect step_area(const Canvas& canvas, const WalkScene& scene, const Rect& area) const;  // of its matrices
  int last(const WalkScene& scene) const { return static_cast<int>(scene.steps.size()) - 1; }
  void move(const WalkScene& scene, int by);
  void move_block(const WalkScene& scene, int by);  // to the next block's first step
  void keys(ui::Ui& ui, const WalkScene& scene);
  void segments(ui::Ui& ui, const WalkScene& scene, const Rect& bar);
  void transport(ui::Ui& ui, const WalkScene& scene, const Rect& rect);
  void advance_playing(ui::Ui& ui, const WalkScene& scene);

  int step_ = 0;
  std::optional<CellRef> asked_;  // to go to, as soon as there are steps
  ChosenWeight weight_;           // last pinned
  WalkWindow window_;
  bool playing_ = false;
  int speed_ = 2;  // index into the speeds
  std::chrono::steady_clock::time_point next_;
  int shown_ = 0;                       // the step of the last frame
  float width_ = 0;                     // of the stage in the last frame
  float seen_ = 0;                      // and how much of it was in sight; 0: there was none
  int scrolled_to_ = -1;                // the step that the list was last brought to
  std::shared_ptr<WalkCache> cache_;    // shared with copies
  std::shared_ptr<CheckCache> checks_;  // of pinned gradients
  std::shared_ptr<SummaryCache> summaries_;
};

}  // namespace glassformer
