#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "app/format/number_format.h"
#include "app/panels/new_model_form.h"
#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

constexpr float kRowHeight = 30, kTableHead = 30;

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

}  // namespace

void draw_runs_table(ui::Ui& ui, RunsForm& form, const Rect& area) {
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
    const bool chosen = i == chosen_run(form);
    const ui::Response response = ui.area(row, "run: " + runs[i].name, "item");
    if (chosen || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
    if (response.clicked) {
      form.choose(runs[i].folder);
    }
    if (chosen) ui.mark_selected("run: " + runs[i].name);
    ui.note(row, "run steps: " + runs[i].name, format_count(runs[i].record.last_step));
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

}  // namespace glassformer
