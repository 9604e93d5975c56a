// What the files of this view share, part by part.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/inspector/walk_pages.h"
#include "app/reading/step_reader.h"
#include "app/ui/ui.h"
#include "app/views/common/comparison.h"
#include "app/views/common/step_transport.h"
#include "app/views/common/view.h"
#include "engine/model/steps/cell_work.h"

namespace glassformer {

// One number and how it came about: the step that made it, its operands, and the way that led here.

// Which cells of an input the work reads.
struct CellReads {
  bool any = false, one_row = true, one_column = true;
  CellNumber first;
};

// The work, and what the picture asks about it again and again.
struct CellSheet {
  CellWork work;
  std::vector<int> order;        // of the terms: as they come, or, of a long row, the largest first
  std::vector<CellReads> reads;  // one an input
  double largest = 0;            // number among the terms
};

struct CellKey {
  std::shared_ptr<const Trace> trace = {};
  std::shared_ptr<const SentenceGradients> pass = {};
  std::shared_ptr<const Transformer<float>> weights = {};
  CellRef cell = {};
  bool operator==(const CellKey&) const = default;
};

// What the cell view keeps from frame to frame; copies of it share one.
struct CellCaches {
  StepLists lists;
  Background<CellKey, CellSheet> sheets;
};

class CellScene {
 public:
  // `cell`, or, where that is not in this sentence, the weight of the pinned query and key.
  CellScene(const ViewInput& input, CellCaches& caches, const std::optional<CellRef>& cell);

  StepReader reader;
  CellRef cell;
  Operand operand;             // whose number it is
  int row = 0, column = 0;     // there
  const Step* step = nullptr;  // that made it; null: a weight, where the way back ends
  int also = -1;
  double value = 0;  // as recorded

  // A gradient that the session has not made yet: there are no numbers.
  bool waiting() const { return cell.gradient && !reader.has_gradients(); }
  const CellSheet& sheet() const;
  const CellWork& work() const { return sheet().work; }

  bool is_weight() const { return step == nullptr; }
  bool is_id() const { return operand.store == OperandStore::ids; }
  std::string name() const;                // "A [une, voit]"
  std::string place_words() const;         // "query une, key voit, head 2"
  int own_column() const;                  // -1: the operand has one number a row
  std::vector<std::string> place() const;  // "Decoder", "Layer 1", "Cross-attention", "Head 2"
  std::optional<CellRef> source(const CellNumber& number) const;  // the cell that an operand is
  // The word or place that a term of the sum represents.
  std::string term_label(const CellTerm& term) const;
  // "dQ W_Q, layer 2": one of several products.
  std::string product_name(const CellProduct& product) const;
  // Differs from what the formula gives: only a what-if does that.
  bool changed() const;
  // It, or a number that it is made of, is what a page of a lesson asks for.
  bool covered() const;

 private:
  CellCaches& caches_;
  mutable std::shared_ptr<const CellSheet> sheet_;
};

// The stage of one cell: operands and result as matrices, the work in a table, and the value.

// How far the cell is computed. In a product: the row and the column, their paired products, the running
// sum, the value. Elsewhere the products are the row's own numbers.
enum class CellStage { outline, terms, sum, value };
inline constexpr int kCellStages = 4;

struct CellProgress {
  CellStage stage = CellStage::value;
  int terms = 0;  // added up so far, in the stage of the sum
};

// Stages, one moment after another: the running sum has one for each of its first terms, and a few for the
// rest.
int cell_moments(const CellWork& work);
CellProgress cell_progress(const CellWork& work, int moment);

// What of the cell is on the stage.
struct CellShown {
  CellProgress progress;
  int product = 0;    // of several, whose matrices are there
  int first_row = 0;  // of the table, when it is longer than its place
};

void draw_cell(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown);
// The numbers of its matrices, on a stage that shows as much of them as it ever does.
std::vector<NumberTable> cell_matrix_tables(const CellScene& scene, const CellShown& shown);

inline constexpr float kTermRow = 20;
// The table of the terms: its rows, and how many of them have room. The last ones always are at its end.
struct CellTable {
  struct Row {
    int term = -1;  // -1: the name of a product
    int product = -1;
  };
  std::vector<Row> rows;
  Rect place;    // of the rows
  int room = 0;  // rows that fit
  int tail = 0;  // of them at the end, when not all fit
  bool whole() const { return static_cast<int>(rows.size()) <= room; }
  // Of a table that is not whole: how many rows move, and how many there are to move through.
  int moving() const { return std::max(1, room - tail - 1); }
  int length() const { return static_cast<int>(rows.size()) - tail; }
  // The first of the moving rows: as asked for, or where the running sum is.
  int first(const CellShown& shown) const;
};
CellTable cell_table(const Rect& area, const CellScene& scene);
Rect cell_work_area(const Rect& area);  // of the stage: what cell_table and draw_cell_work get
// The matrices' part of the stage; above them a row for the choice among several products.
Rect cell_matrices_area(const Rect& area, const CellScene& scene);
inline constexpr float kCellChoice = 40;

void draw_cell_matrices(Canvas& canvas, const Rect& area, const CellScene& scene,
                        const CellShown& shown);  // the left part
void draw_cell_work(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown);

// One number, computed term by term from the numbers it was made of: level 4 of the four levels. A gradient
// is computed by its chain rule. A click on an operand leads to how that was made, and so back to weights
// and ids.

class CellView : public View {
 public:
  CellView()
      : caches_(std::make_shared<CellCaches>()),
        walks_(std::make_shared<WalkCache>()),
        checks_(std::make_shared<CheckCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<CellView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool set(std::string_view control, std::string_view value) override { return model_.set(control, value); }

  // The cell of a step of the Walk but the optimizer's, from 0; throws Error where there is none. For
  // figures.
  Selection cell_of_step(const ViewInput& input, int step, int row, int column) const;

 private:
  static constexpr int kLast = 1 << 20;

  // A cell just opened shows everything, whatever the one before showed.
  bool just_opened(const CellScene& scene) const { return current_ && *current_ != scene.cell; }
  CellShown shown(const CellScene& scene) const;
  std::optional<InspectorPage> gradient_page(const ViewInput& input, const CellRef& cell) const;
  void transformer_controls(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void choose_product(ui::Ui& ui, const CellScene& scene, const Rect& content);
  void scroll_table(ui::Ui& ui, const CellScene& scene, const Rect& content);
  void follow(const CellScene& scene);
  void deeper(const ViewInput& input, Commands& commands) const;  // to the operand that weighs most
  void up(int levels, const ViewInput& input, Commands& commands) const;
  void to_neighbour(ui::Ui& ui, const CellScene& scene);

  ModelSwitch model_;
  StepTransport transport_{kLast};  // opened with everything computed
  std::vector<CellRef> trail_;      // the cells that led here, the first one first
  std::optional<CellRef> current_;
  int product_ = 0, first_row_ = 0;  // of several products; of a table that is too long
  std::optional<CellRef> just_scrolled_;
  std::shared_ptr<CellCaches> caches_;  // these are shared with copies
  std::shared_ptr<WalkCache> walks_;
  std::shared_ptr<CheckCache> checks_;
};

// One number of a recurrent model, computed term by term: a gate, a candidate or a state of one step. Every
// operand that was computed can be clicked, and so back to the first word.

struct GruPage {
  const RecurrentScene& scene;
  RecurrentPin pin;  // within the scene
  GruCell cell;

  const GruPlace& place() const { return pin.place; }
  const std::vector<std::string>& words() const { return place().encoder ? scene.reads : scene.writes; }
};
GruPage gru_page(const RecurrentLook& look);

std::string gru_title(const GruPage& page);  // "One cell: r of unit 5 behind “k”"
std::string gru_subtitle(const GruPage& page);
// Below the title: the chosen number's work. On the screen the top is kept free for the controls.
void draw_gru(Canvas& canvas, const Rect& content, const GruPage& page);
void gru_controls(ui::Ui& ui, const Rect& content, const GruPage& page);
// Left and right: a word on; up and down: a layer.
bool gru_key(ViewKey key, const GruPage& page, Commands& commands);
Point gru_minimum();
InspectorPage gru_inspector_page(const GruPage& page);
std::vector<NumberTable> gru_numbers(const GruPage& page);
std::string gru_caption(const GruPage& page);

// The pictures of a GRU's arithmetic: the two sums of a gate, and how a state is put together.

void draw_gru_gate(Canvas& canvas, const Rect& area, const GruPage& page);
void draw_gru_state(Canvas& canvas, const Rect& area, const GruPage& page);

// What is said over the picture of a cell.
std::string cell_title(const CellScene& scene);
std::string cell_subtitle(const CellScene& scene);

}  // namespace glassformer
