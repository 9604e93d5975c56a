// The head of the dialog of the kept runs, and the scoring of all that its table shows.
#include <algorithm>
#include <exception>
#include <utility>

#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/session/run_copies.h"
#include "engine/math/error.h"
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
  TextField(ui, field, "Filter", form.filter, {.hint = "Filter: name, note, setting"});
  int grouped = form.grouped;
  Segmented(ui, {field.right() + 12, area.y, 230, 32}, "Lines", {"Each run", "Seeds together"}, grouped);
  if (form.filter != before || grouped != form.grouped) {
    form.grouped = grouped;
    form.make_rows();
  }

  // From right to left; in a narrow window on their own line.
  const bool own_line = area.width < kOneLine;
  const float y = area.y + (own_line ? 42.0f : 9.0f);
  float right = area.right();
  const auto link = [&](const char* words, const ui::ButtonOptions& options) {
    right -= ui.text_width(words, 12);
    const bool pressed = LinkButton(ui, {right, y}, words, options);
    right -= 16;
    return pressed;
  };
  const bool any = !form.rows.empty();
  if (link("Copy as LaTeX", {.enabled = any, .tooltip = "The same table, for a report (booktabs)"}))
    ui.push(CopyText{tex_of(form.read.runs, form.rows, form.read.different, form.scores)});
  if (link("Copy as CSV", {.enabled = any, .tooltip = "What the table shows, mean and deviation"}))
    ui.push(CopyText{csv_of(form.read.runs, form.rows, form.read.different, form.scores)});
  if (link("Score…", {.enabled = any && !form.progress.running,
                      .tooltip = "Every run of the table on the same pairs: exact match and BLEU"}))
    form.asking = RunsForm::Asking::test_set, form.error.clear();
  const float left = own_line ? area.x : field.right() + 254;
  if (right - left < 80) return;
  const TextStyle style = styles::caption(ui.theme());
  ui.canvas().text({left, y + 7}, elided(ui.canvas(), "Ctrl+click: curves side by side", style, right - left),
                   style);
}

void draw_runs_scoring(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const RunScoring::Progress& progress = form.progress;
  float right = area.right();
  std::string words = "Scored on " + form.scores.test + ", greedy search.";
  if (progress.running) {
    ui.ask_frame(0.1);
    words = "Scoring: " + std::to_string(progress.done) + " of " + std::to_string(progress.all) + " runs";
    right -= ui.text_width("Cancel", 12);
    if (LinkButton(ui, {right, area.y + 4}, "Cancel", {.id = "Cancel the scoring"})) form.scoring->cancel();
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
  Segmented(ui, {row.x, row.y, choices, 32}, "Score on", {"Held-out pairs", "A file of pairs"}, form.test_of);
  bool go = false;
  if (file) {
    go = TextField(ui, {place.x, place.y - 2, place.width, 36}, "Test file", form.test_file,
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
  const bool pressed = PrimaryButton(ui, {row.right() - score, row.y, score, 32}, "Score",
                                     {.enabled = ready, .id = "Score the runs"});
  if (Button(ui, {row.right() - score - leave - 8, row.y, leave, 32}, "Leave it"))
    form.asking = RunsForm::Asking::nothing;
  if (!pressed && !(go && ready)) return;
  form.asking = RunsForm::Asking::nothing;
  begin_scoring(form);
  ui.ask_frame(0);
}

namespace {

using Asking = RunsForm::Asking;

constexpr const char* kOwnModel = "A recurrent model opens in Before attention, Own model";

// Written away from the screen.
void keep_note(RunsForm& form, const std::string& folder) {
  form.noting = std::async(std::launch::async, [folder, note = form.typed]() -> std::string {
    try {
      write_note(folder, note);
    } catch (const std::exception& error) {
      return failure_words(error);
    }
    return {};
  });
}

// What can be done with the chosen run; what would destroy it is asked about in the same place. Buttons are
// from right to left, words in what is left of them.
class Foot {
 public:
  Foot(ui::Ui& ui, const Session& session, RunsForm& form, const Rect& body)
      : ui_(ui),
        session_(session),
        form_(form),
        run_(form.read.runs[chosen_run(form)]),
        row_{body.x, body.bottom() - 34, body.width, 32},
        right_(body.right()),
        busy_(form.changing || form.noting.valid()) {}

  // True when the dialog is to be closed.
  bool show() {
    if (form_.asking == Asking::nothing) return choice();
    if (form_.asking == Asking::test_set) {
      ask_test_set(ui_, form_, row_);
    } else if (form_.asking == Asking::deletion) {
      deletion();
    } else {
      typing();
    }
    return false;
  }

 private:
  bool button(const char* words, const ui::ButtonOptions& options, bool primary = false) {
    const float width = ui_.button_width(words);
    right_ -= width + 8;
    const Rect rect{right_ + 8, row_.y, width, 32};
    return primary ? PrimaryButton(ui_, rect, words, options) : Button(ui_, rect, words, options);
  }
  void say(const Rect& place, const std::string& words, bool wrong) {
    const Theme& t = ui_.theme();
    const TextStyle style = wrong ? TextStyle{.size = 12, .color = t.wrong} : styles::caption(t);
    ui_.canvas().text({place.x, place.center().y}, elided(ui_.canvas(), words, style, place.width), style);
    ui_.note(place, "runs note", words);
  }
  bool choice();
  void deletion();
  void typing();

  ui::Ui& ui_;
  const Session& session_;
  RunsForm& form_;
  const KeptRun& run_;
  Rect row_;
  float right_;  // where the words end
  bool busy_;
};

bool Foot::choice() {
  bool close = false;
  const auto beside = session_.recurrent_run();
  const bool open =
      (run_.recurrent() ? (beside ? beside->folder : "") : session_.open_folder()) == run_.folder;
  if (button("Open", {.enabled = !busy_ && !open, .id = "Open the run", .tooltip = open ? "It is open" : ""},
             true)) {
    ui_.push(OpenModel{run_.folder});
    close = true;
  }
  if (button("Go on with it", {.enabled = !busy_ && run_.record.resumable && !run_.recurrent(),
                               .tooltip = run_.recurrent() ? kOwnModel : "Exactly where it stopped"})) {
    ui_.push(ContinueRun{run_.folder});
    close = true;
  }
  if (button("Compare", {.enabled = !busy_ && !open && !run_.recurrent(),
                         .id = "Compare with the run",
                         .tooltip = run_.recurrent() ? kOwnModel
                                    : open ? "It is the one that is open: choose another to compare it with"
                                           : "Beside the model that is open, on the same sentence"})) {
    ui_.push(Compare{OtherModel{run_.folder}});
    close = true;
  }
  const bool fixed = busy_ || open || run_.in_use;
  const char* why = run_.in_use ? "It is being trained: end it, or open another model, first"
                    : open      ? "It is open: open another model of its kind first"
                                : "";
  if (button("Delete…", {.enabled = !fixed, .tooltip = why})) form_.asking = Asking::deletion;
  const auto ask = [&](Asking what, const std::string& typed) {
    form_.asking = what;
    form_.focus = true;
    form_.typed = typed;
  };
  if (button("Rename…", {.enabled = !fixed, .tooltip = why})) ask(Asking::name, run_.name);
  if (button("Note…", {.enabled = !busy_})) ask(Asking::note, run_.note);
  const Rect place{row_.x, row_.y, right_ - row_.x, 32};
  const std::string& about = !run_.note.empty() ? run_.note : run_.folder;
  const std::string& wrong = !form_.error.empty() ? form_.error : form_.read.problem;
  say(place, wrong.empty() ? about : wrong, !wrong.empty());
  ui_.tooltip(place, wrong.empty() ? run_.folder : wrong);
  return close;
}

void Foot::deletion() {
  if (button("Delete it", {.enabled = !busy_, .id = "Delete the run for good"}, true)) {
    form_.asking = Asking::nothing;
    form_.changing = true;
    ui_.push(DeleteRun{run_.folder});
  }
  if (button("Keep it", {})) form_.asking = Asking::nothing;
  say({row_.x, row_.y, right_ - row_.x, 32},
      "“" + run_.name + "” goes for good, with its curves and its steps.", false);
}

// A new name, or a note.
void Foot::typing() {
  const bool naming = form_.asking == Asking::name;
  const bool ready = !busy_ && (!naming || !form_.typed.empty());
  const bool pressed = naming ? button("Rename", {.enabled = ready, .id = "Rename the run"}, true)
                              : button("Keep the note", {.enabled = ready}, true);
  if (button("Leave it", {})) form_.asking = Asking::nothing, form_.error.clear();
  const Rect field{row_.x, row_.y - 2, std::min(naming ? 360.0f : 620.0f, right_ - row_.x), 36};
  const auto event = TextField(ui_, field, naming ? "New name" : "Note", form_.typed,
                               {.error = form_.error, .focus = std::exchange(form_.focus, false)});
  if (pressed || (event == ui::FieldEvent::entered && ready)) {
    form_.error.clear();
    form_.changing = naming;
    if (naming)
      ui_.push(RenameRun{run_.folder, form_.typed});
    else
      keep_note(form_, run_.folder);
  }
  // The run is the chosen one: its name need not be said.
  const std::string prefix = run_.name + ": ";
  const bool about_it = form_.error.starts_with(prefix);
  say({field.right() + 12, row_.y, right_ - field.right() - 12, 32},
      about_it ? form_.error.substr(prefix.size()) : form_.error, true);
}

}  // namespace

bool runs_foot(ui::Ui& ui, const Session& session, RunsForm& form, const Rect& body) {
  return Foot(ui, session, form, body).show();
}

}  // namespace glassformer
