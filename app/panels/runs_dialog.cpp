#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "app/panels/dialogs.h"
#include "app/panels/new_model_form.h"
#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/views/training_curves.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/number_format.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

using Asking = RunsForm::Asking;

constexpr float kRowHeight = 30, kTableHead = 30, kChart = 210, kFootHeight = 44;

// Does something to the kept runs and reads them anew, away from the screen.
void begin(RunsForm& form, const std::function<void()>& work) {
  form.error.clear();
  form.reading = std::async(std::launch::async, [work] {
    RunsForm::Read read;
    try {
      if (work) work();
    } catch (const Error& error) {
      read.problem = error.what();
      read.refused = true;
    }
    std::vector<std::string> unreadable;
    try {
      read.runs = kept_runs(runs_folder().string(), unreadable);
    } catch (const Error& error) {
      read.problem = error.what();
    }
    std::ranges::reverse(read.runs);  // the newest first
    read.different = differences(read.runs);
    if (read.problem.empty() && !unreadable.empty()) read.problem = unreadable.front();
    return read;
  });
}

void take(ui::Ui& ui, RunsForm& form) {
  if (!form.reading.valid()) return;
  if (form.reading.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return ui.ask_frame(0.05);
  form.read = form.reading.get();
  form.error = form.read.problem;
  // A name that was refused stays in its field.
  form.focus = form.read.refused;
  if (!form.read.refused) form.asking = Asking::nothing;
  const auto wanted = std::ranges::find(form.read.runs, form.choose, &KeptRun::folder);
  if (wanted != form.read.runs.end() && !form.read.refused)
    form.chosen = static_cast<int>(wanted - form.read.runs.begin());
  form.choose.clear();
  form.chosen = std::clamp(form.chosen, 0, std::max(0, static_cast<int>(form.read.runs.size()) - 1));
}

std::string loss_words(const KeptRun& run) {
  const ValidationPoint* best = run.record.curves ? best_validation(*run.record.curves) : nullptr;
  return best && std::isfinite(best->loss) ? format_loss(best->loss) : "–";
}

std::string right_words(const KeptRun& run) {
  const ValidationPoint* best = run.record.curves ? best_validation(*run.record.curves) : nullptr;
  return best && std::isfinite(best->token_accuracy) ? format_percent(best->token_accuracy) : "–";
}

// What the dialogs call a setting; other names stay.
std::string setting_words(const std::string& name) {
  constexpr std::array kOthers{NumberField{"rate_scale", "Learning rate ×"},
                               NumberField{"data", "Data"},
                               NumberField{"tokenizer", "Tokenizer"},
                               NumberField{"pairs", "Pairs"},
                               NumberField{"schedule", "Schedule"},
                               NumberField{"total_steps", "Rate ends at"},
                               NumberField{"mask_future", "Mask of the future"},
                               NumberField{"keep", "Weights kept"},
                               NumberField{"source_vocab", "Source words"},
                               NumberField{"target_vocab", "Target words"}};
  for (const NumberField& field : kOthers)
    if (name == field.name) return field.words;
  for (const NumberField& field : kSizes)
    if (name == field.name) return label_of(field);
  for (const NumberField& field : kTraining)
    if (name == field.name) return label_of(field);
  for (const ChoiceField& field : structure_choices())
    if (name == field.name) return field.words;
  return name;
}

std::string value_words(const std::string& value) {
  return value == "true" ? "yes" : value == "false" ? "no" : value;
}

// One column of the table: its heading, a text a run, numbers set in mono and to the right.
struct Column {
  std::string heading;
  std::function<std::string(size_t)> text;
  float width = 0;
  bool number = true;
};

// Each as wide as it needs; what is wider than the table together is scrolled to.
std::vector<Column> columns_of(ui::Ui& ui, const RunsForm& form, float width) {
  const std::vector<KeptRun>& runs = form.read.runs;
  std::vector<Column> columns{{"run", [&](size_t i) { return runs[i].name; }, 0, false},
                              {"steps", [&](size_t i) { return format_count(runs[i].record.last_step); }},
                              {"best loss", [&](size_t i) { return loss_words(runs[i]); }},
                              {"words right", [&](size_t i) { return right_words(runs[i]); }}};
  for (const RunDifference& difference : form.read.different)
    columns.push_back({setting_words(difference.name),
                       [&difference](size_t i) { return value_words(difference.values[i]); }});
  for (Column& column : columns) {
    column.width = ui.text_width(column.heading, 12) + 24;
    for (size_t i = 0; i < runs.size(); ++i)
      column.width = std::max(
          column.width, ui.text_width(column.text(i), 12, column.number ? Font::mono : Font::regular) + 24);
    column.width = std::min(column.width, column.number ? 150.0f : std::max(180.0f, width * 0.34f));
  }
  return columns;
}

void draw_table(ui::Ui& ui, RunsForm& form, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<KeptRun>& runs = form.read.runs;
  const std::vector<Column> columns = columns_of(ui, form, area.width - 20);
  canvas.rectangle(area, {.fill = t.paper, .outline = t.border, .radius = 6});
  float wide = 16;
  for (const Column& column : columns) wide += column.width;
  const Rect below{area.x + 1, area.y + kTableHead, area.width - 2, area.height - kTableHead - 1};
  const Rect rows = ui.begin_scroll(
      below, "runs", {std::max(below.width, wide), kRowHeight * static_cast<float>(runs.size())});
  for (size_t i = 0; i < runs.size(); ++i) {
    const Rect row{rows.x, rows.y + kRowHeight * static_cast<float>(i), rows.width, kRowHeight};
    const bool chosen = static_cast<int>(i) == form.chosen;
    const ui::Response response = ui.area(row, "run: " + runs[i].name, "item");
    if (chosen || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
    if (response.clicked) {
      form.chosen = static_cast<int>(i);
      form.error.clear();
      form.asking = Asking::nothing;
    }
    if (chosen) ui.mark_selected("run: " + runs[i].name);
    float left = row.x + 7;
    for (const Column& column : columns) {
      TextStyle style = column.number ? styles::number(t) : styles::caption(t);
      if (!column.number && chosen) style = {.font = Font::semibold, .size = 12, .color = t.ink};
      const std::string words = elided(canvas, column.text(i), style, column.width - 16);
      canvas.text({column.number ? left + column.width - 12 : left + 4, row.center().y}, words,
                  column.number ? styles::right(style) : style);
      left += column.width;
    }
  }
  ui.end_scroll();

  // The headings go along with what is scrolled sideways.
  const Rect head{below.x, area.y, below.width, kTableHead};
  canvas.push_clip(head);
  float x = rows.x + 7;
  for (const Column& column : columns) {
    const float at = column.number ? x + column.width - 12 : x + 4;
    canvas.text({at, area.y + kTableHead / 2},
                elided(canvas, column.heading, styles::section(t), column.width - 16),
                column.number ? styles::right(styles::section(t)) : styles::section(t));
    const float seen = std::min(x + column.width, head.right()) - std::max(x, head.x);
    if (seen > 0)
      ui.note({std::max(x, head.x), head.y, seen, head.height}, "column: " + column.heading, column.heading);
    x += column.width;
  }
  canvas.pop_clip();
  canvas.line({area.x, area.y + kTableHead}, {area.right(), area.y + kTableHead}, {.color = t.border});
}

// The validation loss of all, the chosen one in ink.
void draw_curves(Canvas& canvas, const RunsForm& form, const Rect& area) {
  const Theme& t = canvas.theme();
  std::vector<CurveColumns> curves;
  std::vector<size_t> whose;
  double last = 1;
  for (size_t i = 0; i < form.read.runs.size(); ++i) {
    const auto& run = form.read.runs[i].record.curves;
    if (!run || run->validations.size() < 2) continue;
    curves.push_back(validation_curve(run->validations, [](const ValidationPoint& p) { return p.loss; }));
    whose.push_back(i);
    last = std::max(last, curves.back().x.empty() ? 0 : curves.back().x.back());
  }
  canvas.text({area.x, area.y + 8}, "Validation loss", styles::section(t));
  if (curves.empty()) {
    canvas.text({area.x, area.y + 40}, "No run was validated twice yet.", styles::caption(t));
    return;
  }
  std::vector<Series> series;
  constexpr std::array kLabelAt{0.3, 0.5, 0.7, 0.4, 0.6, 0.8};
  std::optional<Series> chosen;
  for (size_t i = 0; i < curves.size(); ++i) {
    const bool is_chosen = static_cast<int>(whose[i]) == form.chosen;
    Series one{.label = is_chosen || curves.size() <= kLabelAt.size() ? form.read.runs[whose[i]].name : "",
               .x = curves[i].x,
               .y = curves[i].y,
               .kind = is_chosen ? CurveKind::run : CurveKind::other,
               .color = is_chosen ? Color{} : t.faint_text,
               .width = is_chosen ? 2.0f : 1.0f,
               .label_at = kLabelAt[i % kLabelAt.size()]};
    if (is_chosen)
      chosen = one;
    else
      series.push_back(one);
  }
  if (chosen) series.push_back(*chosen);  // over the others
  ChartOptions options{.x = step_axis(0, last), .y = fit_axis(series)};
  draw_line_chart(canvas, {area.x, area.y + 20, area.width, area.height - 20}, series, options);
}

// What can be done with the chosen run; what would destroy it is asked about in the same place. Buttons stand
// from right to left, words in what is left of them.
class Foot {
 public:
  Foot(ui::Ui& ui, Session& session, RunsForm& form, const Rect& body)
      : ui_(ui),
        session_(session),
        form_(form),
        run_(form.read.runs[static_cast<size_t>(form.chosen)]),
        row_{body.x, body.bottom() - 34, body.width, 32},
        right_(body.right()),
        busy_(form.reading.valid()) {}

  // True when the dialog is to be closed.
  bool show() {
    if (form_.asking == Asking::nothing) return choice();
    if (form_.asking == Asking::deletion) {
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
    return primary ? ui_.PrimaryButton(rect, words, options) : ui_.Button(rect, words, options);
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
  Session& session_;
  RunsForm& form_;
  const KeptRun& run_;
  Rect row_;
  float right_;  // where the words end
  bool busy_;
};

bool Foot::choice() {
  bool close = false;
  const bool open = session_.model() && session_.model()->folder == run_.folder;
  if (button("Open", {.enabled = !busy_ && !open, .id = "Open the run"}, true)) {
    ui_.push(OpenModel{run_.folder});
    close = true;
  }
  if (button("Go on with it",
             {.enabled = !busy_ && run_.record.resumable, .tooltip = "Exactly where it stopped"})) {
    ui_.push(ContinueRun{run_.folder});
    close = true;
  }
  if (button("Compare", {.enabled = !busy_ && !open,
                         .id = "Compare with the run",
                         .tooltip = "Beside the model that is open, on the same sentence"})) {
    ui_.push(Compare{OtherModel{run_.folder}});
    close = true;
  }
  const bool fixed = busy_ || open || run_.in_use;
  const char* why = run_.in_use ? "It is being trained: end it, or open another model, first"
                    : open      ? "It is open: open another model first"
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
  say(place, form_.error.empty() ? about : form_.error, !form_.error.empty());
  ui_.tooltip(place, form_.error.empty() ? run_.folder : form_.error);
  return close;
}

void Foot::deletion() {
  if (button("Delete it", {.enabled = !busy_, .id = "Delete the run for good"}, true)) {
    form_.asking = Asking::nothing;
    begin(form_, [folder = run_.folder] { delete_run(folder); });
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
  const auto event = ui_.TextField(field, naming ? "New name" : "Note", form_.typed,
                                   {.error = form_.error, .focus = std::exchange(form_.focus, false)});
  if (pressed || (event == ui::FieldEvent::entered && ready)) {
    const std::filesystem::path folder = run_.folder;
    form_.choose = naming ? (folder.parent_path() / form_.typed).string() : run_.folder;
    begin(form_, [naming, folder = run_.folder, typed = form_.typed] {
      naming ? rename_run(folder, typed) : write_note(folder, typed);
    });
  }
  // The run is the chosen one: its name need not be said.
  const std::string prefix = run_.name + ": ";
  const bool about_it = form_.error.starts_with(prefix);
  say({field.right() + 12, row_.y, right_ - field.right() - 12, 32},
      about_it ? form_.error.substr(prefix.size()) : form_.error, true);
}

}  // namespace

void RunsForm::start() {
  chosen = 0;
  asking = Asking::nothing;
  begin(*this, {});
}

bool runs_dialog(ui::Ui& ui, Session& session, RunsForm& form, Point window) {
  const DialogBox dialog = begin_dialog(ui, window, "Runs", {1080, 640});
  Canvas& canvas = ui.canvas();
  const Rect body = dialog.body;
  take(ui, form);
  bool close = dialog.closed;
  if (form.read.runs.empty()) {
    paragraph(canvas, {body.x, body.y + 8}, std::min(body.width, 560.0f),
              form.reading.valid() ? "Reading…"
                                   : "No run is kept yet. Press Train: every training is kept here with its "
                                     "configuration, its curves and the steps to look back at.",
              styles::body_second(ui.theme()));
  } else {
    const bool chart = body.height > 360;
    const Rect table{body.x, body.y, body.width, body.height - kFootHeight - (chart ? kChart + 16 : 0)};
    draw_table(ui, form, table);
    if (chart) draw_curves(canvas, form, {body.x, table.bottom() + 16, body.width, kChart});
    close = Foot(ui, session, form, body).show() || close;
  }
  end_dialog(ui);
  return close;
}

}  // namespace glassformer
