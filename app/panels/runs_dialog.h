// The parts of the dialog of the kept runs.
#pragma once

#include "app/panels/dialogs.h"

namespace glassformer {

// The place of the chosen run in the table; the first while none was chosen.
std::size_t chosen_run(const RunsForm& form);

// A line a run; one that is clicked becomes the chosen one.
void draw_runs_table(ui::Ui& ui, RunsForm& form, const Rect& area);

// The validation loss of all, and the training loss of a chosen run that was never validated. The chosen one
// is named; the others where there are few, and each under the mouse. A click chooses.
void draw_runs_curves(ui::Ui& ui, RunsForm& form, const Rect& area);

// What can be done with the chosen run. True when the dialog is to be closed.
bool runs_foot(ui::Ui& ui, const Session& session, RunsForm& form, const Rect& body);

}  // namespace glassformer
