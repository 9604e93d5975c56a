// The chart of the kept runs, drawn on any canvas: in the dialog, and as a figure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/figure/figure.h"
#include "app/panels/dialogs.h"
#include "app/views/common/training_curves.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

struct RunCurve {
  std::size_t row = 0;  // of the table
  std::string name = {};
  std::size_t seeds = 1;
  std::optional<std::size_t> selected = {};  // its place among the selected lines; 0: the chosen one
  CurveColumns points;
  std::vector<double> deviation = {};  // over the seeds; empty: of one run
  bool validated = true;               // of held-out pairs; else it is the training loss
};

struct RunCurves {
  std::vector<RunCurve> all;
  std::string title;
  double last = 1;       // step
  bool several = false;  // those that are selected are alone
  bool log = false;
};

class RunsChart {
 public:
  using Note = std::function<void(const Rect& place, const std::string& label, const std::string& words)>;

  // `note`: called with names and bands, for who reads the picture.
  RunsChart(Canvas& canvas, const Rect& area, const RunCurves& curves, Note note = {});

  const Rect& plot() const { return chart_.plot; }
  std::optional<std::size_t> curve_under(Point mouse) const;  // of the curves
  // `under` is drawn stronger, and named at the mouse.
  void draw(std::optional<std::size_t> under = {}, Point mouse = {});

 private:
  void add(const RunCurve& curve);
  void draw_band(std::size_t i);
  void draw_name(const Rect& place, const std::string& words, bool chosen);
  Rect name_place(std::size_t which, float width) const;
  std::string words_of(std::size_t i) const;
  float width_of(std::size_t i) const;

  Canvas& canvas_;
  const Rect area_;
  const RunCurves& curves_;
  Note note_;
  std::vector<Series> series_;
  std::optional<std::size_t> chosen_;  // of the curves
  ChartOptions options_;
  ChartLayout chart_;
};

// How the curve of the n-th selected line is drawn.
Stroke selected_stroke(const Theme& theme, std::size_t n);
constexpr std::size_t kMostSelected = 8;

// The parts of the dialog of the kept runs.

// The place of the chosen run among those that were read; the first of the table while none was chosen.
std::size_t chosen_run(const RunsForm& form);

// Which runs the table shows, and how: the field that filters, and what can be done with the whole table.
void draw_runs_head(ui::Ui& ui, RunsForm& form, const Rect& area);

// How high that is.
float runs_head_height(float width);

// How far the scoring is, and Cancel; then what it was done on, or why not.
void draw_runs_scoring(ui::Ui& ui, RunsForm& form, const Rect& area);
// Which pairs all runs of the table are to be scored on.
void ask_test_set(ui::Ui& ui, RunsForm& form, const Rect& row);

// A line a run, or a line for all runs of one recipe. One that is clicked becomes the chosen one, with Ctrl
// it is seen beside it; a click on a heading sorts by it.
void draw_runs_table(ui::Ui& ui, RunsForm& form, const Rect& area);

// The validation loss of all, and the training loss of a chosen run that was never validated. The chosen one
// is named; the others where there are few, and each under the mouse. A click chooses. Where several are
// selected they are alone, each in its own colour and dash; of several seeds the mean, and a band of
// the deviation.
void draw_runs_curves(ui::Ui& ui, RunsForm& form, const Rect& area);

// Which of the lines are selected, the chosen one first; a single one is no selection.
std::vector<std::size_t> selected_rows(const RunsForm& form);
// The chart as a figure, whose points are the numbers of its CSV; its size in effective pixels.
PlainFigure runs_figure(const RunsForm& form, const Theme& theme);
constexpr Point kRunsFigure{800, 420};

// The command that makes the chosen run again.
void draw_run_command(ui::Ui& ui, const RunsForm& form, const Rect& area);

// What can be done with the chosen run. True when the dialog is to be closed.
bool runs_foot(ui::Ui& ui, const Session& session, RunsForm& form, const Rect& body);

}  // namespace glassformer
