#include <algorithm>
#include <optional>

#include "app/fonts/font_files.h"
#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

// Of a chosen run without a validation curve the training loss.
RunCurves curves_of(const RunsForm& form, float width) {
  RunCurves curves;
  const std::vector<KeptRun>& runs = form.read.runs;
  const std::vector<std::size_t> selected = selected_rows(form);
  for (std::size_t i = 0; i < form.rows.size(); ++i) {
    if (selected.size() > 1 && std::ranges::find(selected, i) == selected.end()) continue;
    LossBand band = loss_band(runs, form.rows[i]);
    if (band.step.size() < 2) continue;
    curves.last = std::max(curves.last, band.step.back());
    curves.all.push_back({.row = i, .points = {std::move(band.step), std::move(band.mean)}});
    if (form.rows[i].runs.size() > 1) curves.all.back().deviation = std::move(band.deviation);
    curves.all.back().validated = std::ranges::any_of(form.rows[i].runs, [&](std::size_t run) {
      const auto& known = runs[run].record.curves;
      return known && has_held_out_pairs(*known);
    });
  }
  if (selected.empty()) return curves;
  const std::size_t at = selected.front();
  const auto& chosen = runs[chosen_run(form)].record.curves;
  if (!chosen || std::ranges::find(curves.all, at, &RunCurve::row) != curves.all.end() ||
      chosen->steps.empty())
    return curves;
  curves.last = std::max(curves.last, static_cast<double>(chosen->steps.size()));
  curves.all.push_back({.row = at,
                        .points = step_curve(chosen->steps, &StepPoint::loss, step_axis(0, curves.last),
                                             static_cast<int>(std::max(1.0f, width))),
                        .validated = false});
  return curves;
}

// Whose loss it is: of held-out sentences, or of those learned from.
std::string title_of(const RunsForm& form, const RunCurves& curves) {
  std::size_t trained = 0;
  std::string name;
  for (const RunCurve& curve : curves.all)
    if (!curve.validated) ++trained, name = form.rows[curve.row].name;
  if (trained == 0) return "Validation loss";
  if (trained == curves.all.size()) return "Training loss";
  return "Validation loss; the training loss of " + (trained == 1 ? name : std::to_string(trained) + " runs");
}

// All of it, as the dialog shows it.
RunCurves chart_of(const RunsForm& form, float width) {
  RunCurves curves = curves_of(form, width);
  const std::vector<std::size_t> selected = selected_rows(form);
  for (RunCurve& curve : curves.all) {
    curve.name = form.rows[curve.row].name;
    curve.seeds = form.rows[curve.row].runs.size();
    const auto place = std::ranges::find(selected, curve.row);
    if (place != selected.end()) curve.selected = static_cast<std::size_t>(place - selected.begin());
  }
  curves.several = selected.size() > 1;
  curves.log = form.scale == 1;
  curves.title = title_of(form, curves);
  return curves;
}

// The points of every curve: step, loss, and the deviation over seeds.
std::vector<NumberTable> points_of(const RunCurves& curves) {
  std::vector<NumberTable> tables;
  for (const RunCurve& curve : curves.all) {
    NumberTable& table = tables.emplace_back();
    table.title = curve.name;
    table.columns = {"step", curve.validated ? "validation loss" : "training loss"};
    if (!curve.deviation.empty()) table.columns.emplace_back("deviation");
    for (std::size_t k = 0; k < curve.points.x.size(); ++k) {
      table.values.push_back({curve.points.x[k], curve.points.y[k]});
      if (!curve.deviation.empty()) table.values.back().push_back(curve.deviation[k]);
    }
  }
  return tables;
}

}  // namespace

PlainFigure runs_figure(const RunsForm& form, const Theme& theme) {
  RunCurves curves = chart_of(form, kRunsFigure.x);
  std::string caption = curves.title + (curves.log ? ", logarithmic" : "") + ", over the training steps:";
  for (const RunCurve& curve : curves.all)
    caption += (&curve == &curves.all.front() ? " " : ", ") + curve.name;
  caption += ".";
  if (std::ranges::any_of(curves.all, [](const RunCurve& curve) { return !curve.deviation.empty(); }))
    caption += " Of several seeds the mean, and a band of the deviation.";
  std::vector<NumberTable> tables = points_of(curves);
  return {
      .draw =
          [curves = std::move(curves)](Canvas& canvas, const Rect& area) {
            const TextStyle style = styles::section(canvas.theme());
            canvas.text({area.x + 16, area.y + 20}, elided(canvas, curves.title, style, area.width - 32),
                        style);
            RunsChart(canvas, {area.x + 16, area.y + 36, area.width - 32, area.height - 48}, curves).draw();
          },
      .caption = std::move(caption),
      .tables = std::move(tables),
      .theme = theme,
      .fonts = {}};
}

void draw_runs_curves(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const Theme& t = ui.theme();
  const RunCurves curves = chart_of(form, area.width);
  constexpr float kControls = 240;
  ui.canvas().text({area.x, area.y + 8},
                   elided(ui.canvas(), curves.title, styles::section(t), area.width - kControls),
                   styles::section(t));
  ui.note({area.x, area.y, area.width - kControls, 16}, "runs chart title", curves.title);
  if (curves.all.empty()) {
    ui.canvas().text({area.x, area.y + 40}, "No run was validated twice yet.", styles::caption(t));
    return;
  }
  const std::string save = "Save figure…";
  if (ui.LinkButton({area.right() - 146 - ui.text_width(save, 12), area.y + 1}, save,
                    {.id = "Save the chart", .tooltip = "As PNG, SVG or PDF; its points as CSV"}))
    ui.push(OpenDialog{"save runs figure"});
  ui.Segmented({area.right() - 130, area.y - 4, 130, 24}, "Scale", {"linear", "log"}, form.scale);
  RunsChart chart(ui.canvas(), {area.x, area.y + 20, area.width, area.height - 20}, curves,
                  [&](const Rect& place, const std::string& label, const std::string& words) {
                    ui.note(place, label, words);
                  });
  const ui::Response response = ui.area(chart.plot(), "runs chart", "picture", false);
  const auto mouse = ui.mouse();
  const auto under = response.hovered && mouse ? chart.curve_under(*mouse) : std::nullopt;
  chart.draw(under, mouse.value_or(Point{}));
  if (!under || !response.clicked || curves.several || curves.all[*under].selected == 0) return;
  form.choose(form.read.runs[form.rows[curves.all[*under].row].runs.front()].folder);
}

}  // namespace glassformer
