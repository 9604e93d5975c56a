// A view: a pure picture of one Scene's result, and the few controls that steer the picture.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/inspector/page.h"
#include "app/reading/view_input.h"

namespace glassformer {

namespace ui {
class Ui;  // app/ui/ui.h: buttons, switches and fields, drawn on the screen's canvas
}

// A view sets it like a control (View::set), though it has none: these parts, and "" for all of it.
inline constexpr const char* kShownParts = "Shown parts";

// Numbers behind a picture, for the CSV: one table after another.
struct NumberTable {
  std::string title = {};
  std::vector<std::string> columns = {};
  std::vector<std::string> rows = {};            // row labels
  std::vector<std::vector<double>> values = {};  // (rows, columns)
  // All its numbers are of one kind, so that they may be compared with each other: weights, shares.
  bool one_quantity = false;
};

// What is said of a picture beside its caption, and the numbers behind it.
struct PageContent {
  std::vector<std::string> sentences = {};
  std::vector<NumberTable> tables = {};
};

// What a view is, and how it is at the moment.
struct ViewTraits {
  // Whether the picture draws this number or the block it lies in. A pin that it does not is cleared when the
  // view is opened, so that the inspector shows what is on the stage.
  bool (*shows)(const CellRef&) = [](const CellRef&) { return false; };
  bool shows_weights = false;  // a query and a key alone mean their weight here
  bool follows_kind = false;   // E, D and X choose the attention shown here: the Attention view stays shut
  // A pinned cell represents all of its row, whose first number it names: no single one is computed.
  bool pins_rows = false;
  bool shows_batch = false;       // of any sentence of the batch; elsewhere the typed one is meant
  bool shows_block = false;       // of one block: another one of the map takes its place there
  bool shows_difference = false;  // the picture can be of one (ViewInput::difference_to)
  bool wants_gradients = false;   // the session makes them while it is open
  // The weights' gradients or Adam's moments, which else come only while the run is paused.
  bool wants_moments = false;
  bool wants_training_text = false;  // ViewInput::training_text: read for it, where it may be
  bool of_recurrent = false;         // a picture of the model beside the Transformer (ViewInput::recurrent)
  bool busy = false;                 // numbers for it are being made on a worker: it is to be drawn again
  std::string state = {};            // as text for tests: "heatmap", "log scale"
  // The command that makes its numbers, where they are other models': captions name neither model nor
  // sentence then. Empty: they are of the model on the stage.
  std::string numbers_from = {};
  // Parts of the picture that can be saved alone, as `render --panel` names them.
  std::vector<std::string> panels = {};
};

// Where in the model the picture is.
struct ViewPlace {
  std::vector<std::string> path = {};  // behind "Model" in the breadcrumb: {"Decoder", "Cross-attention"}
  // The value that is being computed on the stage, so that the map outlines its block; empty: none.
  std::string computing = {};
  std::optional<AttentionKind> attention = {};  // that the map outlines; nothing: the pinned one
};

// A letter or digit that the shell does not use itself; Enter: a level deeper; Backspace or a part of the
// breadcrumb: so many levels up. Left and right: so many words (Home and End: more than there are), up and
// down: layers, where the view has others than those of the decoding.
struct ViewKey {
  static constexpr char enter = '\n', backspace = '\b', left = 1, right = 2, up = 3, down = 4;
  ViewKey(char typed_, int times_ = 1) : typed(typed_), times(times_) {}

  char typed;
  int times;
};

using StopFlag = std::shared_ptr<const std::atomic<bool>>;  // null: nothing stops it

enum class ViewColumn { left, right };  // the map's, the inspector's

// What a lesson may ask a view for, "nearest" of view.nearest: a number, or a word where there is one.
struct ViewFact {
  std::string name = {};
  std::string word = {};
  double number = 0;
};

// By their square root, so that early ones have room, or evenly.
enum class StepSpacing { root, even };

class View {
 public:
  virtual ~View() = default;
  // A copy with the same state, so that a figure can be drawn on a worker: return
  // std::make_unique<ThisView>(*this).
  virtual std::unique_ptr<View> clone() const = 0;
  virtual ViewTraits traits() const = 0;

  // The whole stage below the breadcrumb, title sentence included. What is exported. Draws nothing outside
  // `area`.
  virtual void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const = 0;
  // One of ViewTraits::panels in all of the area.
  virtual void panel(std::string_view, Canvas&, const ViewInput&, const Rect&) const {}
  // From here on caption, numbers and sentences are of this panel alone. False: it says the same of all.
  virtual bool open_panel(std::string_view) { return false; }
  // Waits for what is computed in the background, so that a file shows it.
  virtual void finish(const ViewInput&) const {}
  // Begins beside the screen what finish() waits for, and says how long that takes; empty: nothing.
  virtual std::string prepare(const ViewInput&) const { return {}; }
  // From then on what finish() waits for, or a file, ends when the flag is set; copies too.
  virtual void stop_with(const StopFlag&) {}
  // Switches and sliders over the picture, never exported.
  virtual void controls(ui::Ui&, const ViewInput&, const Rect&) {}
  // The smallest area the picture needs; the stage scrolls when it has less.
  virtual Point minimum_size(const ViewInput&) const { return {560, 400}; }
  virtual ViewPlace place(const ViewInput& input) const = 0;
  // What the inspector says; nothing: the inspector explains input.shown.cell.
  virtual std::optional<InspectorPage> inspect(const ViewInput&) const { return std::nullopt; }
  // The numbers behind the picture, and one line that says what it shows.
  virtual std::vector<NumberTable> numbers(const ViewInput& input) const = 0;
  virtual std::string caption(const ViewInput& input) const = 0;
  // What a description says besides.
  virtual std::vector<std::string> sentences(const ViewInput&) const { return {}; }
  // What of these a lesson may ask for, and one of the controls, as the window labels it, set without a
  // screen (false: it has no such control, or not for that value). Called on a worker too, for a view that no
  // other thread has.
  virtual std::vector<ViewFact> facts(const ViewInput&) const { return {}; }
  virtual bool set(std::string_view, std::string_view) { return false; }

  // A view that needs the map's or the inspector's column draws it itself and returns true.
  virtual bool column(ViewColumn, ui::Ui&, const ViewInput&, const Rect&) { return false; }
  // True when the view took it: it knows the way itself.
  virtual bool key(ViewKey, const ViewInput&, Commands&) { return false; }
  // Two Scenes are compared: takes over how the same view shows the first, to show the second likewise.
  // False: this view is not drawn twice.
  virtual bool show_like(const View&) { return false; }
  // What it goes through one by one, stages, steps or pages: how many there are (0: none, or none yet), and
  // one of them, from 0.
  virtual int step_count(const ViewInput&) const { return 0; }
  virtual void show_step(const ViewInput&, int) {}
  // How far apart training steps are on its charts. False: it has none.
  virtual bool space_steps(StepSpacing) { return false; }
  // Why there is no difference of these two (ViewTraits::shows_difference): a sentence; empty: there is one.
  virtual std::string no_difference(const ViewInput& input) const;
};

}  // namespace glassformer
