// A view: a pure picture of one Scene's result, and the few controls that steer the picture.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/reading/view_input.h"

namespace glassformer {

namespace ui {
class Ui;  // app/ui/ui.h: buttons, switches and fields, drawn on the screen's canvas
}

// Numbers behind a picture, for the CSV: one table after another.
struct NumberTable {
  std::string title = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> rows = {};            // row labels
  std::vector<std::vector<double>> values = {};  // (rows, columns)
};

class View {
 public:
  virtual ~View() = default;
  // A copy with the same state, so that a figure can be drawn on a worker: return
  // std::make_unique<ThisView>(*this).
  virtual std::unique_ptr<View> clone() const = 0;

  // The whole stage below the breadcrumb, title sentence included. What is exported. Draws nothing outside
  // `area`.
  virtual void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const = 0;
  // Switches and sliders over the picture, never exported.
  virtual void controls(ui::Ui&, const ViewInput&, const Rect&) {}
  // The smallest area the picture needs; the stage scrolls when it has less.
  virtual Point minimum_size(const ViewInput&) const { return {560, 400}; }
  // Steps of the breadcrumb behind "Model": {"Decoder", "Cross-attention"}.
  virtual std::vector<std::string> path(const ViewInput& input) const = 0;
  // What the inspector says; nothing: the inspector explains input.shown.cell.
  virtual std::optional<InspectorPage> inspect(const ViewInput&) const { return std::nullopt; }
  // Whether the picture draws this number or the block it lies in. A pin that it does not is let go when the
  // view is opened, so that the inspector tells of what is on the stage.
  virtual bool shows(const CellRef&) const { return false; }
  // Whether a query and a key alone mean their weight here.
  virtual bool shows_weights() const { return false; }
  // Whose attention the picture shows: the map outlines it.
  virtual AttentionKind attention_kind(const ViewInput& input) const { return input.pinned.kind; }
  // Whether E, D and X choose the attention that is shown here, instead of opening the Attention view.
  virtual bool follows_kind() const { return false; }
  // Whether any sentence of the batch can be shown; elsewhere the typed one is meant.
  virtual bool shows_batch() const { return false; }
  // Whether the picture is of one block, so that another one of the map takes its place there.
  virtual bool shows_block() const { return false; }
  // The numbers behind the picture, and one line that says what it shows.
  virtual std::vector<NumberTable> numbers(const ViewInput& input) const = 0;
  virtual std::string caption(const ViewInput& input) const = 0;
  // A view that needs the map's or the inspector's column draws it itself and returns true.
  virtual bool left_column(ui::Ui&, const ViewInput&, const Rect&) { return false; }
  virtual bool right_column(ui::Ui&, const ViewInput&, const Rect&) { return false; }
  // A letter or digit that the shell does not use itself; true when the view took it.
  virtual bool key(char, const ViewInput&, Commands&) { return false; }
  // Enter: one level deeper, and Backspace or a part of the breadcrumb: so many levels up. True when the view
  // knows the way itself.
  virtual bool deeper(const ViewInput&, Commands&) { return false; }
  virtual bool up(int, const ViewInput&, Commands&) { return false; }
  // Numbers for the picture are being made on a worker: it is to be drawn again.
  virtual bool busy() const { return false; }
  // Two Scenes are compared: takes over how the same view shows the first, to show the second likewise.
  // False: this view is not drawn twice.
  virtual bool show_like(const View&) { return false; }
  // Whether the picture can be of a difference (ViewInput::difference_to), and why it cannot be of these two:
  // a sentence; empty: it can.
  virtual bool shows_difference() const { return false; }
  virtual std::string no_difference(const ViewInput& input) const;
  // A view of gradients: the session makes them while it is open.
  virtual bool wants_gradients() const { return false; }
  // A view of the weights' gradients or Adam's moments, which else come only when the run stands still.
  virtual bool wants_moments() const { return wants_gradients(); }
  // Goes where this number is computed: to its step, or to its part of the block.
  virtual void open_cell(const CellRef&) {}
  // The value that is being computed on the stage, so that the map outlines its block; empty: none.
  virtual std::string computing(const ViewInput&) const { return {}; }
  // State as text for tests: "heatmap", "log scale".
  virtual std::string state() const { return {}; }
};

}  // namespace glassformer
