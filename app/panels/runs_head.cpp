// The head of the dialog of the kept runs, and the scoring of all that its table shows.
#include <algorithm>
#include <utility>

#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/session/run_copies.h"
#include "engine/train/bleu.h"

namespace glassformer {

namespace {

constexpr float kOneLine = 820;  // px that filter, lines and copies need beside each other

void begin_scoring(RunsForm& form) {
  RunScoring::Request request;
  for (const RunRow& row : form.rows)
    for (const std::size_t run : row.runs) request.runs.push_back(form.read.runs[run]);
  if (form.test_of == 1)
    request.file = expanded(form.test_file);
  else
    request.held_out = form.read.runs[chosen_run(form)];
  form.scoring->start(std::move(request));
}

}  // namespace

float runs_head_height(float width) {
  return width < kOneLine ? 68 : 40;
}

void draw_runs_head(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const Rect field{area.x, area.y, std::min(260.0f, area.width * 0.3f), 32};
  const std::string before = form.filter;
  ui.TextField(field, "Filter", form.filter, {.hint = "Filter: name, note, setting"});
  int grouped = form.grouped;
  ui.Segmented({field.right() + 12, area.y, 230, 32}, "Lines", {"Each run", "Seeds together"}, grouped);
  if (form.filter != before || grouped != form.grouped) {
    form.grouped = grouped;
    form.make_rows();
  }

  // From right to left; in a narrow window on a line of their own.
  const bool own_line = area.width < kOneLine;
  const float y = area.y + (own_line ? 42.0f : 9.0f);
  float right = area.right();
  const auto link = [&](const char* words, const ui::ButtonOptions& options) {
    right -= ui.text_width(words, 12);
    const bool pressed = ui.LinkButton({right, y}, words, options);
    right -= 16;
    return pressed;
  };
  const bool any = !form.rows.empty();
  if (link("Copy as LaTeX", {.enabled = any, .tooltip = "The same table, for a report (booktabs)"}))
    ui.push(CopyText{tex_of(form.read.runs, form.rows, form.read.different, form.scores)});
  if (link("Copy as CSV", {.enabled = any, .tooltip = "What the table shows, mean and deviation"}))
    ui.push(CopyText{csv_of(form.read.runs, form.rows, form.read.different, form.scores)});
  if (link("Score…", {.enabled = any && !form.scoring->progress().running,
                      .tooltip = "Every run of the table on the same pairs: exact match and BLEU"}))
    form.asking = RunsForm::Asking::test_set, form.error.clear();
  const float left = own_line ? area.x : field.right() + 254;
  if (right - left < 80) return;
  const TextStyle style = styles::caption(ui.theme());
  ui.canvas().text({left, y + 7}, elided(ui.canvas(), "Ctrl+click: curves side by side", style, right - left),
                   style);
}

void draw_runs_scoring(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const RunScoring::Progress progress = form.scoring->progress();
  float right = area.right();
  std::string words = "Scored on " + form.scores.test + ", greedy search.";
  if (progress.running) {
    ui.ask_frame(0.1);
    words = "Scoring: " + std::to_string(progress.done) + " of " + std::to_string(progress.all) + " runs";
    right -= ui.text_width("Cancel", 12);
    if (ui.LinkButton({right, area.y + 4}, "Cancel", {.id = "Cancel the scoring"})) form.scoring->cancel();
    right -= 16;
  } else if (!progress.problem.empty()) {
    words = progress.problem;
  } else if (progress.stopped) {
    words = "The scoring was stopped after " + std::to_string(progress.done) + " of " +
            std::to_string(progress.all) + " runs; what is known stays.";
  } else if (!progress.note.empty()) {
    words += " " + progress.note + ".";
  }
  if (!progress.running && progress.problem.empty() && bleu_left_out(form.scores))
    words += " " + std::string(kBleuLeftOut) + ".";
  const Theme& t = ui.theme();
  const TextStyle style =
      progress.problem.empty() ? styles::caption(t) : TextStyle{.size = 12, .color = t.wrong};
  const Rect place{area.x, area.y, right - area.x, area.height};
  ui.canvas().text({place.x, place.center().y}, elided(ui.canvas(), words, style, place.width), style);
  ui.note(place, "runs scoring", words);
  ui.tooltip(place, words);
}

void ask_test_set(ui::Ui& ui, RunsForm& form, const Rect& row) {
  const bool file = form.test_of == 1;
  const float score = ui.button_width("Score"), leave = ui.button_width("Leave it");
  const float choices = std::min(330.0f, row.width * 0.4f);
  const Rect place{row.x + choices + 12, row.y, row.width - choices - score - leave - 32, 32};
  ui.Segmented({row.x, row.y, choices, 32}, "Score on", {"Held-out pairs", "A file of pairs"}, form.test_of);
  bool go = false;
  if (file) {
    go = ui.TextField({place.x, place.y - 2, place.width, 36}, "Test file", form.test_file,
                      {.hint = "~/pairs.tsv: source, tab, translation"}) == ui::FieldEvent::entered;
  } else {
    const std::string words =
        "of " + form.read.runs[chosen_run(form)].name + "; runs of other data may have learned from them";
    const TextStyle style = styles::caption(ui.theme());
    ui.canvas().text({place.x, place.center().y}, elided(ui.canvas(), words, style, place.width), style);
    ui.tooltip(place, words);
  }
  if (!file && !ui.field_active() && ui.pressed(ui::Key::enter)) go = true;
  const bool ready = !file || !form.test_file.empty();
  const bool pressed = ui.PrimaryButton({row.right() - score, row.y, score, 32}, "Score",
                                        {.enabled = ready, .id = "Score the runs"});
  if (ui.Button({row.right() - score - leave - 8, row.y, leave, 32}, "Leave it"))
    form.asking = RunsForm::Asking::nothing;
  if (!pressed && !(go && ready)) return;
  form.asking = RunsForm::Asking::nothing;
  begin_scoring(form);
}

}  // namespace glassformer
