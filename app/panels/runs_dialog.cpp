#include "app/panels/runs_dialog.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr float kRunsChart = 210, kFootHeight = 44, kCommandHeight = 24;
constexpr std::chrono::seconds kReadEvery{1};  // a run that trains is saved now and then

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

// The chosen run stays the chosen one wherever it is now; of one that is gone the next in the table.
void accept(RunsForm& form, RunsForm::Read read) {
  const std::size_t at = chosen_run(form);
  form.read = std::move(read);
  form.read_once = true;
  form.make_rows();
  const std::vector<KeptRun>& runs = form.read.runs;
  std::erase_if(form.selected, [&](const std::string& folder) {
    return std::ranges::find(runs, folder, &KeptRun::folder) == runs.end();
  });
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
  if (is_ready(form.noting)) after_change(form, form.noting.get());
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
  form.make_rows();
  after_change(form, change->problem);
}

// Reads the runs when the table is out of date, and again now and then: some may be training.
void keep_reading(ui::Ui& ui, RunsForm& form) {
  if (form.changing) return ui.ask_frame(0.05);  // half a run would be read
  if (is_ready(form.reading)) {
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

// What can be done is done with a run that the table shows.
void choose_what_is_seen(RunsForm& form) {
  const std::size_t chosen = chosen_run(form);
  const auto holds = [&](const RunRow& row) { return std::ranges::find(row.runs, chosen) != row.runs.end(); };
  if (form.rows.empty() || std::ranges::any_of(form.rows, holds)) return;
  form.choose(form.read.runs[form.rows.front().runs.front()].folder);
}

}  // namespace

std::size_t chosen_run(const RunsForm& form) {
  const auto found = std::ranges::find(form.read.runs, form.chosen, &KeptRun::folder);
  if (found != form.read.runs.end()) return static_cast<std::size_t>(found - form.read.runs.begin());
  return form.rows.empty() ? 0 : form.rows.front().runs.front();
}

std::vector<std::size_t> selected_rows(const RunsForm& form) {
  std::vector<std::size_t> rows;
  const std::size_t chosen = chosen_run(form);
  const auto holds_chosen = [&](const RunRow& row) {
    return std::ranges::find(row.runs, chosen) != row.runs.end();
  };
  for (std::size_t i = 0; i < form.rows.size(); ++i) {
    const RunRow& row = form.rows[i];
    if (holds_chosen(row))
      rows.insert(rows.begin(), i);
    else if (std::ranges::any_of(row.runs, [&](std::size_t run) {
               return form.selected.contains(form.read.runs[run].folder);
             }))
      rows.push_back(i);
  }
  if (rows.size() > kMostSelected) rows.resize(kMostSelected);
  return rows;
}

void draw_run_command(ui::Ui& ui, const RunsForm& form, const Rect& area) {
  const KeptRun& run = form.read.runs[chosen_run(form)];
  const std::string command = command_of(run);
  const TextStyle style = styles::faint_number(ui.theme());
  const std::string copy = "Copy the command";
  const float right = area.right() - ui.text_width(copy, 12);
  if (LinkButton(ui, {right, area.y + 4}, copy,
                 {.enabled = !command.empty(), .tooltip = "It makes this run again, from its first step"}))
    ui.push(CopyText{command});
  const Rect place{area.x, area.y, right - area.x - 16, area.height};
  const std::string words = command.empty() ? "It is not recorded what the run learned from." : command;
  ui.canvas().text({place.x, place.center().y}, elided(ui.canvas(), words, style, place.width), style);
  ui.note(place, "run command", words);
  ui.tooltip(place, words + (changed_on_the_way(run) ? "\nWithout what was changed on the way." : ""));
}

void RunsForm::start() {
  choose({});
  again = true;
}

void RunsForm::make_rows() {
  rows = run_rows(read.runs, filter, grouped == 1);
}

void RunsForm::choose(const std::string& folder) {
  chosen = folder;
  asking = Asking::nothing;
  error.clear();
}

bool runs_dialog(ui::Ui& ui, Session& session, RunsForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Runs", {1080, 700});
  const Rect body = dialog.body;
  take_changes(session, form);
  keep_reading(ui, form);
  form.progress = form.scoring->progress();
  form.scores = form.scoring->scores(form.read.runs);
  const bool scored = !form.scores.test.empty() || form.progress.all > 0;
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
    const float head = runs_head_height(body.width), said = scored ? kCommandHeight : 0;
    const float below = kFootHeight + kCommandHeight + said + (chart ? kRunsChart + 12 : 0);
    draw_runs_head(ui, form, {body.x, body.y, body.width, head});
    choose_what_is_seen(form);
    const Rect table{body.x, body.y + head, body.width, body.height - head - below};
    if (form.rows.empty()) {
      paragraph(ui.canvas(), {body.x, table.y + 8}, body.width, "No run has all of these words.",
                styles::body_second(ui.theme()));
    } else {
      draw_runs_table(ui, form, table);
      if (chart) draw_runs_curves(ui, form, {body.x, table.bottom() + 12, body.width, kRunsChart});
      if (scored)
        draw_runs_scoring(
            ui, form, {body.x, body.bottom() - kFootHeight - 2 * kCommandHeight, body.width, kCommandHeight});
      draw_run_command(ui, form,
                       {body.x, body.bottom() - kFootHeight - kCommandHeight, body.width, kCommandHeight});
      close = runs_foot(ui, session, form, body) || close;
    }
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
