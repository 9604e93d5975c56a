// The parts of the dialog of the kept runs.
#pragma once

#include "app/figure/figure.h"
#include "app/panels/dialogs.h"
#include "app/panels/runs_chart.h"

namespace glassformer {

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
// selected they stand alone, each in a colour and dash of its own; of several seeds the mean, and a band of
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
