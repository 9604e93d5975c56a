#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "app/format/number_format.h"
#include "app/panels/new_model_form.h"
#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

constexpr float kRowHeight = 30, kTableHead = 30;

// "0.412 ± 0.013" over several runs
std::string loss_words(const MeanAndDeviation& loss) {
  if (loss.count == 0) return "–";
  return format_loss(loss.mean) + (loss.count > 1 ? " ± " + format_loss(loss.deviation) : "");
}

std::string right_words(const MeanAndDeviation& right) {
  if (right.count == 0) return "–";
  return format_percent(right.mean, right.count > 1 ? 1 : 0) +
         (right.count > 1 ? " ± " + format_fixed(100 * right.deviation, 1) : "");
}

constexpr const char* kExact = "exact";
constexpr const char* kBleu = "BLEU";

std::string bleu_words(const MeanAndDeviation& bleu) {
  if (bleu.count == 0) return "–";
  return format_fixed(bleu.mean, 1) + (bleu.count > 1 ? " ± " + format_fixed(bleu.deviation, 1) : "");
}

// What the dialogs call a setting; other names stay.
std::string setting_words(const std::string& name) {
  constexpr std::array kOthers{
      NumberField{"architecture", "Architecture"}, NumberField{"width", "Width"},
      NumberField{"recurrent_attention", "Attention"}, NumberField{"rate_scale", "Learning rate ×"},
      NumberField{"data", "Data"}, NumberField{"tokenizer", "Tokenizer"}, NumberField{"pairs", "Pairs"},
      NumberField{"schedule", "Schedule"},
      // "steps" are those that were trained.
      NumberField{"steps", "Planned steps"}, NumberField{"total_steps", "Rate ends at"},
      NumberField{"mask_future", "Mask of the future"}, NumberField{"keep", "Weights kept"},
      NumberField{"source_vocab", "Source words"}, NumberField{"target_vocab", "Target words"}};
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

// One column of the table: its heading, a text a line, numbers set in mono and to the right.
struct Column {
  std::string heading;
  std::function<std::string(const RunRow&)> text;
  std::function<double(const RunRow&)> number_of =
      {};  // what it is sorted by; none: the number or text typed
  float width = 0;
  bool number = true;
};

// Lines without a number come last, both ways.
bool comes_before(const Column& column, const RunRow& a, const RunRow& b, bool falling) {
  const auto number = [&](const RunRow& row) {
    if (column.number_of) return column.number_of(row);
    return column.number ? typed_number(column.text(row)).value_or(std::nan("")) : std::nan("");
  };
  const double first = number(a), second = number(b);
  if (std::isnan(first) && std::isnan(second))
    return falling ? column.text(b) < column.text(a) : column.text(a) < column.text(b);
  if (std::isnan(first) || std::isnan(second)) return std::isnan(second);
  return falling ? second < first : first < second;
}

// Each as wide as it needs; what is wider than the table together is scrolled to.
std::vector<Column> columns_of(ui::Ui& ui, const RunsForm& form, float width) {
  const std::vector<KeptRun>& runs = form.read.runs;
  const auto steps = [&](const RunRow& row) { return runs[row.runs.front()].record.last_step; };
  std::vector<Column> columns{{.heading = form.grouped == 1 ? "recipe" : "run",
                               .text = [](const RunRow& row) { return row.name; },
                               .number = false}};
  if (form.grouped == 1)
    columns.push_back(
        {.heading = "seeds", .text = [](const RunRow& row) { return std::to_string(row.runs.size()); }});
  columns.push_back({.heading = "steps",
                     .text = [=](const RunRow& row) { return format_count(steps(row)); },
                     .number_of = [=](const RunRow& row) { return static_cast<double>(steps(row)); }});
  // The step of the weights that it opens with.
  const auto best_step = [&](const RunRow& row) {
    const auto& curves = runs[row.runs.front()].record.curves;
    const ValidationPoint* const best = curves && row.runs.size() == 1 ? best_validation(*curves) : nullptr;
    return best ? std::optional(best->step) : std::nullopt;
  };
  columns.push_back({.heading = "best at",
                     .text =
                         [=](const RunRow& row) {
                           const auto step = best_step(row);
                           return step ? format_count(*step) : "–";
                         },
                     .number_of =
                         [=](const RunRow& row) {
                           const auto step = best_step(row);
                           return step ? static_cast<double>(*step) : std::nan("");
                         }});
  columns.push_back({.heading = "best loss",
                     .text = [&](const RunRow& row) { return loss_words(best_losses(runs, row)); },
                     .number_of = [&](const RunRow& row) { return best_losses(runs, row).mean; }});
  columns.push_back({.heading = "words right",
                     .text = [&](const RunRow& row) { return right_words(best_accuracies(runs, row)); },
                     .number_of = [&](const RunRow& row) { return best_accuracies(runs, row).mean; }});
  if (!form.scores.test.empty()) {
    columns.push_back(
        {.heading = kExact,
         .text = [&](const RunRow& row) { return right_words(exact_matches(form.scores, row)); },
         .number_of = [&](const RunRow& row) { return exact_matches(form.scores, row).mean; }});
    if (!bleu_left_out(form.scores))
      columns.push_back({.heading = kBleu,
                         .text = [&](const RunRow& row) { return bleu_words(bleus(form.scores, row)); },
                         .number_of = [&](const RunRow& row) { return bleus(form.scores, row).mean; }});
  }
  for (const RunDifference& difference : form.read.different) {
    if (form.grouped == 1 && difference.name == "seed") continue;
    columns.push_back({.heading = setting_words(difference.name), .text = [&difference](const RunRow& row) {
                         return value_words(value_in(difference, row));
                       }});
  }
  for (Column& column : columns) {
    column.width = ui.text_width(column.heading + " ↓", 12) + 24;
    for (const RunRow& row : form.rows)
      column.width = std::max(
          column.width, ui.text_width(column.text(row), 12, column.number ? Font::mono : Font::regular) + 24);
    column.width = std::min(column.width, column.number ? 150.0f : std::max(180.0f, width * 0.34f));
  }
  return columns;
}

std::vector<size_t> sorted_rows(const RunsForm& form, const std::vector<Column>& columns) {
  std::vector<size_t> order(form.rows.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto by = std::ranges::find(columns, form.sorted_by, &Column::heading);
  if (by == columns.end()) return order;
  std::ranges::stable_sort(
      order, [&](size_t a, size_t b) { return comes_before(*by, form.rows[a], form.rows[b], form.falling); });
  return order;
}

// The smallest first, then the largest, then as they came.
void sort_by(RunsForm& form, const std::string& heading) {
  if (form.sorted_by != heading)
    form.sorted_by = heading, form.falling = false;
  else if (!form.falling)
    form.falling = true;
  else
    form.sorted_by.clear(), form.falling = false;
}

// Its curve beside that of the chosen one, or no more. When the chosen one itself goes, another takes its
// place.
void select_beside(RunsForm& form, const RunRow& row, bool chosen) {
  const auto folder = [&](size_t run) { return form.read.runs[run].folder; };
  if (chosen) {
    if (form.selected.empty()) return;
    const std::string next = *form.selected.begin();
    form.selected.erase(next);
    return form.choose(next);
  }
  size_t before = 0;
  for (const size_t run : row.runs) before += form.selected.erase(folder(run));
  if (before == 0 && form.selected.size() + 1 < kMostSelected) form.selected.insert(folder(row.runs.front()));
  if (form.chosen.empty()) form.chosen = folder(chosen_run(form));
}

}  // namespace

void draw_runs_table(ui::Ui& ui, RunsForm& form, const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<KeptRun>& runs = form.read.runs;
  const std::vector<Column> columns = columns_of(ui, form, area.width - 20);
  const std::vector<size_t> order = sorted_rows(form, columns);
  const std::vector<size_t> selected = selected_rows(form);
  canvas.rectangle(area, {.fill = t.paper, .outline = t.border, .radius = 6});
  float wide = 16;
  for (const Column& column : columns) wide += column.width;
  const Rect below{area.x + 1, area.y + kTableHead, area.width - 2, area.height - kTableHead - 1};
  const Rect rows = ui.scroll.begin(
      below, "runs", {std::max(below.width, wide), kRowHeight * static_cast<float>(order.size())});
  for (size_t line = 0; line < order.size(); ++line) {
    const RunRow& shown = form.rows[order[line]];
    const std::string& folder = runs[shown.runs.front()].folder;
    const Rect row{rows.x, rows.y + kRowHeight * static_cast<float>(line), rows.width, kRowHeight};
    const auto place = std::ranges::find(selected, order[line]);
    const bool chosen = !selected.empty() && place == selected.begin();
    const bool beside = place != selected.end();
    const std::string name = "run: " + shown.name;
    const ui::Response response = ui.area(row, name, "item");
    if (beside || response.hovered) canvas.rectangle(row.inset(1), {.fill = t.hover, .radius = 4});
    if (response.clicked && response.control) {
      select_beside(form, shown, chosen);
    } else if (response.clicked) {
      form.selected.clear();
      form.choose(folder);
    }
    if (beside) ui.mark_selected(name);
    if (beside && selected.size() > 1)
      canvas.line({row.x + 2, row.center().y}, {row.x + 20, row.center().y},
                  selected_stroke(t, static_cast<size_t>(place - selected.begin())));
    ui.note(row, "run steps: " + shown.name, format_count(runs[shown.runs.front()].record.last_step));
    if (const std::string words = score_words(form.scores, shown); !words.empty()) {
      ui.tooltip(row, words);
      ui.note(row, "run scores: " + shown.name, words);
    }
    float left = row.x + (selected.size() > 1 ? 23.0f : 7.0f);
    for (const Column& column : columns) {
      TextStyle style = column.number ? styles::number(t) : styles::caption(t);
      if (!column.number && chosen) style = {.font = Font::semibold, .size = 12, .color = t.ink};
      const std::string words = elided(canvas, column.text(shown), style, column.width - 16);
      if (column.heading == kExact || column.heading == kBleu)
        ui.note({left, row.y, column.width, row.height}, "run " + column.heading + ": " + shown.name, words);
      canvas.text({column.number ? left + column.width - 12 : left + 4, row.center().y}, words,
                  column.number ? styles::right(style) : style);
      left += column.width;
    }
  }
  ui.scroll.end();

  // The headings go along with what is scrolled sideways.
  const Rect head{below.x, area.y, below.width, kTableHead};
  canvas.push_clip(head);
  float x = rows.x + (selected.size() > 1 ? 23.0f : 7.0f);
  for (const Column& column : columns) {
    const float at = column.number ? x + column.width - 12 : x + 4;
    const bool sorts = form.sorted_by == column.heading;
    TextStyle style = styles::section(t);
    if (sorts) style.color = t.ink;
    canvas.text(
        {at, area.y + kTableHead / 2},
        elided(canvas, column.heading + (sorts ? form.falling ? " ↓" : " ↑" : ""), style, column.width - 14),
        column.number ? styles::right(style) : style);
    const float seen = std::min(x + column.width, head.right()) - std::max(x, head.x);
    if (seen > 0) {
      const Rect place{std::max(x, head.x), head.y, seen, head.height};
      if (ui.area(place, "sort: " + column.heading, "button").clicked) sort_by(form, column.heading);
      ui.note(place, "column: " + column.heading, column.heading);
    }
    x += column.width;
  }
  canvas.pop_clip();
  canvas.line({area.x, area.y + kTableHead}, {area.right(), area.y + kTableHead}, {.color = t.border});
}

}  // namespace glassformer
