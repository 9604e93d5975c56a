#include "app/panels/runs_dialog.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr float kChart = 210, kFootHeight = 44;
constexpr std::chrono::seconds kReadEvery{1};  // a run that trains is saved now and then

template <class Value>
bool ready(const std::future<Value>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

// The kept runs, away from the screen; those that did not change since are not read again.
RunsForm::Read read_runs(const std::vector<KeptRun>& before) {
  RunsForm::Read read;
  try {
    std::vector<std::string> unreadable;
    read.runs = kept_runs(runs_folder().string(), unreadable, before);
    std::ranges::reverse(read.runs);  // the newest first
    read.different = differences(read.runs);
    if (!unreadable.empty()) read.problem = unreadable.front();
  } catch (const std::exception& error) {
    read.problem = failure_words(error);
  }
  return read;
}

// The chosen run stays the chosen one wherever it stands now; of one that is gone the next in the table.
void accept(RunsForm& form, RunsForm::Read read) {
  const std::size_t at = chosen_run(form);
  form.read = std::move(read);
  form.read_once = true;
  const std::vector<KeptRun>& runs = form.read.runs;
  if (std::ranges::find(runs, form.chosen, &KeptRun::folder) != runs.end()) return;
  if (!form.chosen.empty()) form.asking = RunsForm::Asking::nothing;
  form.chosen = runs.empty() ? std::string() : runs[std::min(at, runs.size() - 1)].folder;
}

// A name or a note that was refused stays in its field.
void after_change(RunsForm& form, const std::string& problem) {
  form.error = problem;
  form.focus = !problem.empty();
  form.again = true;
  if (problem.empty()) form.asking = RunsForm::Asking::nothing;
}

void take_changes(const Session& session, RunsForm& form) {
  if (ready(form.noting)) after_change(form, form.noting.get());
  const RunFolderChange* change = session.run_folder_change();
  if (!form.changing || (change && change->under_way)) return;
  form.changing = false;
  if (!change) return;
  // Under its new name at once, until all are read again.
  const bool renamed = change->problem.empty() && !change->to.empty();
  for (KeptRun& run : form.read.runs) {
    if (!renamed || run.folder != change->folder) continue;
    run.folder = change->to;
    run.name = std::filesystem::path(change->to).filename().string();
    form.chosen = run.folder;
  }
  after_change(form, change->problem);
}

// Reads the runs when the table is out of date, and again now and then: some may be training.
void keep_reading(ui::Ui& ui, RunsForm& form) {
  if (form.changing) return ui.ask_frame(0.05);  // half a run would be read
  if (ready(form.reading)) {
    RunsForm::Read read = form.reading.get();
    if (!form.again) accept(form, std::move(read));
  }
  const bool due = form.again || Clock::now() - form.read_at > kReadEvery;
  if (!form.reading.valid() && due) {
    form.again = false;
    form.read_at = Clock::now();
    form.reading = std::async(std::launch::async, [before = form.read.runs] { return read_runs(before); });
  }
  const bool soon = form.reading.valid() || form.noting.valid();
  ui.ask_frame(soon ? 0.05 : std::chrono::duration<double>(kReadEvery).count());
}

}  // namespace

std::size_t chosen_run(const RunsForm& form) {
  const auto found = std::ranges::find(form.read.runs, form.chosen, &KeptRun::folder);
  return found == form.read.runs.end() ? 0 : static_cast<std::size_t>(found - form.read.runs.begin());
}

void RunsForm::start() {
  choose({});
  again = true;
}

void RunsForm::choose(const std::string& folder) {
  chosen = folder;
  asking = Asking::nothing;
  error.clear();
}

bool runs_dialog(ui::Ui& ui, Session& session, RunsForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Runs", {1080, 640});
  const Rect body = dialog.body;
  take_changes(session, form);
  keep_reading(ui, form);
  bool close = dialog.closed;
  if (form.read.runs.empty()) {
    const std::string words = !form.read.problem.empty() ? form.read.problem
                              : form.read_once
                                  ? "No run is kept yet. Press Train: every training is kept here with its "
                                    "configuration, its curves and the steps to look back at."
                                  : "Reading…";
    paragraph(ui.canvas(), {body.x, body.y + 8}, std::min(body.width, 560.0f), words,
              styles::body_second(ui.theme()));
    ui.note({body.x, body.y, body.width, 48}, "no runs", words);
  } else {
    const bool chart = body.height > 360;
    const Rect table{body.x, body.y, body.width, body.height - kFootHeight - (chart ? kChart + 16 : 0)};
    draw_runs_table(ui, form, table);
    if (chart) draw_runs_curves(ui, form, {body.x, table.bottom() + 16, body.width, kChart});
    close = runs_foot(ui, session, form, body) || close;
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
