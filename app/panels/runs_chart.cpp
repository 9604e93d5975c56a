#include "app/panels/runs_dialog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "app/fonts/font_files.h"
#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/widgets/label_place.h"

namespace glassformer {

namespace {

constexpr std::size_t kNamed = 6;  // so many curves are all named
constexpr float kCurveReach = 10;  // px from the mouse to the curve that it means
constexpr float kNameHeight = 18;

// What an axis has to hold: the means, and the bands round them.
std::vector<std::vector<double>> edges_of(const RunCurves& curves) {
  std::vector<std::vector<double>> all;
  for (const RunCurve& curve : curves.all) {
    if (curve.deviation.empty()) continue;
    for (const double side : {-1.0, 1.0}) {
      all.push_back(curve.points.y);
      for (std::size_t k = 0; k < all.back().size(); ++k) all.back()[k] += side * curve.deviation[k];
    }
  }
  return all;
}

// From 0, unless the curves lie so close together that it would hide how they differ.
Axis loss_axis_of(std::vector<Series> series, const RunCurves& curves) {
  const std::vector<std::vector<double>> edges = edges_of(curves);
  for (const std::vector<double>& edge : edges) series.push_back({.x = edge, .y = edge});
  double low = std::numeric_limits<double>::max(), high = 0;
  for (const Series& one : series)
    for (const double y : one.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  return fit_axis(series, AxisKind::linear, low < high / 2);
}

// Pixels from the point to the curve, looked at to both sides as far as counts.
float distance(const ChartLayout& chart, const Series& series, Point point) {
  float nearest = std::numeric_limits<float>::max();
  for (float dx = -kCurveReach; dx <= kCurveReach; dx += 1) {
    if (const auto y = curve_at(series, chart.x_at(point.x + dx)))
      nearest = std::min(nearest, std::hypot(dx, chart.to_y(*y) - point.y));
  }
  return nearest;
}

// From the smallest value to the largest and no further: losses differ by less than a power of ten.
Axis close_log_axis(const std::vector<Series>& series) {
  double low = std::numeric_limits<double>::max(), high = 0;
  for (const Series& one : series)
    for (const double y : one.y)
      if (std::isfinite(y) && y > 0) low = std::min(low, y), high = std::max(high, y);
  if (high <= 0) return fit_axis(series);
  Axis axis{.kind = AxisKind::log, .low = low / 1.1, .high = high * 1.1};
  for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10)
    for (const double step : {1.0, 2.0, 5.0})
      if (const double tick = step * power; tick >= axis.low && tick <= axis.high)
        axis.ticks.push_back({tick, format_file(std::round(tick * 1e6) / 1e6)});
  return axis;
}

}  // namespace

RunsChart::RunsChart(Canvas& canvas, const Rect& area, const RunCurves& curves, Note note)
    : canvas_(canvas), area_(area), curves_(curves), note_(std::move(note)) {
  for (const RunCurve& curve : curves.all) add(curve);
  options_ = {.x = step_axis(0, curves.last),
              .y = curves.log ? close_log_axis(series_) : loss_axis_of(series_, curves)};
  chart_ = layout_line_chart(canvas, area, options_);
}

std::optional<std::size_t> RunsChart::curve_under(Point mouse) const {
  std::optional<std::size_t> found;
  float nearest = kCurveReach;
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const float away = distance(chart_, series_[i], mouse);
    if (away >= nearest) continue;
    nearest = away;
    found = i;
  }
  return found;
}

void RunsChart::draw(std::optional<std::size_t> under, Point mouse) {
  if (under && under != chosen_) {
    series_[*under].color = canvas_.theme().second_text;
    series_[*under].width = 2;
  }
  const Rect name = chosen_ ? name_place(*chosen_, width_of(*chosen_)) : Rect{};
  if (chosen_) options_.keep_free.push_back(name);
  for (std::size_t i = 0; i < series_.size(); ++i) draw_band(i);
  draw_line_chart(canvas_, area_, series_, options_);
  if (chosen_) draw_name(name, words_of(*chosen_), true);
  if (!under || under == chosen_) return;
  const float width = width_of(*under);
  draw_name({std::clamp(mouse.x - width / 2, area_.x, std::max(area_.x, area_.right() - width)),
             std::max(area_.y, mouse.y - kNameHeight - 12), width, kNameHeight},
            words_of(*under), false);
}

void RunsChart::add(const RunCurve& curve) {
  constexpr std::array kLabelAt{0.3, 0.5, 0.7, 0.4, 0.6, 0.8};
  const std::string name = curve.name + (curve.validated ? "" : ": training loss");
  Series series{.label = name,
                .x = curve.points.x,
                .y = curve.points.y,
                .kind = CurveKind::other,
                .label_at = kLabelAt[series_.size() % kLabelAt.size()]};
  if (curves_.several) {
    const Stroke stroke = selected_stroke(canvas_.theme(), curve.selected.value_or(0));
    series.color = stroke.color;
    series.width = stroke.width;
    series.dash = stroke.dashed ? stroke.dash : 0;
  } else if (curve.selected == 0) {
    chosen_ = series_.size();
    series.label.clear();
    series.kind = CurveKind::run;
    series.width = 2;
  } else {
    if (curves_.all.size() > kNamed) series.label.clear();
    series.color = canvas_.theme().faint_text;
    series.width = 1;
  }
  series_.push_back(std::move(series));
}

// Under curves and names: faint enough to see other curves through it, with an edge where it is
// thin.
void RunsChart::draw_band(std::size_t i) {
  const RunCurve& curve = curves_.all[i];
  const bool few = curves_.all.size() <= kNamed;
  if (curve.deviation.empty() || !(curves_.several || few || i == chosen_)) return;
  const Color color = curves_.several ? series_[i].color
                      : i == chosen_  ? canvas_.theme().ink
                                      : canvas_.theme().faint_text;
  const double least = chart_.y.low;
  std::array<std::vector<Point>, 2> edges;  // below and above the mean
  for (std::size_t k = 0; k < curve.points.x.size(); ++k)
    for (const std::size_t side : {0, 1}) {
      const double value = curve.points.y[k] + (side == 0 ? -1 : 1) * curve.deviation[k];
      edges[side].push_back(
          chart_.to_point(curve.points.x[k], std::clamp(value, least, std::max(least, chart_.y.high))));
    }
  for (std::size_t k = 1; k < curve.points.x.size(); ++k) {
    const std::array corners{edges[1][k - 1], edges[1][k], edges[0][k], edges[0][k - 1]};
    canvas_.polygon(corners, color.with_alpha(0.16f));
  }
  for (const std::vector<Point>& edge : edges)
    canvas_.polyline(edge, {.color = color.with_alpha(0.4f), .width = 1});
  if (note_)
    note_({edges[1].front().x, edges[1].front().y, 1, edges[0].front().y - edges[1].front().y},
          "band of " + curve.name, "mean and deviation over " + std::to_string(curve.seeds) + " seeds");
}

// Beside the curve where none is in the way, else off all curves.
Rect RunsChart::name_place(std::size_t which, float width) const {
  constexpr float kOff = 4;  // of the curves
  const Rect& plot = chart_.plot;
  LabelSpace space(plot.inset(-kOff));
  for (const Series& one : series_) {
    std::vector<Point> line;
    for (std::size_t k = 0; k < one.x.size(); ++k)
      if (std::isfinite(one.y[k])) line.push_back(chart_.to_point(one.x[k], one.y[k]));
    space.keep_off(line);
  }
  std::vector<Rect> wishes;
  for (const float share :
       {0.5f, 0.4f, 0.6f, 0.3f, 0.7f, 0.35f, 0.25f, 0.2f, 0.8f, 0.9f, 0.15f, 0.1f, 0.02f}) {
    const float x = plot.x + plot.width * share;
    const auto y = curve_at(series_[which], chart_.x_at(x));
    if (!y) continue;
    const float left = std::clamp(x - width / 2, plot.x, std::max(plot.x, plot.right() - width));
    for (const float away : {-kNameHeight - 5, 5.0f, -kNameHeight - 14, 14.0f, -kNameHeight - 28, 28.0f}) {
      const float top =
          std::clamp(chart_.to_y(*y) + away, plot.y, std::max(plot.y, plot.bottom() - kNameHeight));
      wishes.push_back({left, top, width, kNameHeight});
    }
  }
  // Then where no curve is at all.
  for (const float x : {plot.right() - width, plot.x + 40})
    for (const float y : {plot.y, plot.bottom() - kNameHeight, plot.center().y})
      wishes.push_back({std::max(plot.x, x), y, width, kNameHeight});
  const auto free =
      std::ranges::find_if(wishes, [&](const Rect& wish) { return space.is_free(wish.inset(-kOff)); });
  return free != wishes.end() ? *free : wishes.front();
}

// On its own ground: it may lie over other curves.
void RunsChart::draw_name(const Rect& place, const std::string& words, bool chosen) {
  const Theme& t = canvas_.theme();
  canvas_.rectangle(
      place, {.fill = t.panel, .outline = chosen ? Color{} : t.border, .outline_width = 1, .radius = 4});
  canvas_.text(
      place.center(), words,
      {.font = chosen ? Font::semibold : Font::regular, .size = 12, .color = t.ink, .x = AlignX::center});
  if (note_) note_(place, chosen ? "chosen curve" : "curve under the mouse", words);
}

std::string RunsChart::words_of(std::size_t i) const {
  const RunCurve& curve = curves_.all[i];
  return elided(canvas_, curve.name, {.font = Font::semibold, .size = 12}, area_.width * 0.45f) +
         (curve.validated ? "" : ": training loss");
}

float RunsChart::width_of(std::size_t i) const {
  return std::ceil(canvas_.measure(words_of(i), {.font = Font::semibold, .size = 12}).x) + 12;
}

Stroke selected_stroke(const Theme& theme, std::size_t n) {
  const Color colors[] = {theme.ink, theme.query, theme.key, theme.value};
  // The second four are dotted: no two differ in their colour alone beyond it.
  constexpr float kDashes[] = {0, 9, 2, 5, 2, 2, 9, 0};
  const float dash = kDashes[n % kMostSelected];
  return {.color = colors[n % 4], .width = 2, .dashed = dash > 0, .dash = dash > 0 ? dash : 4};
}

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
  if (LinkButton(ui, {area.right() - 146 - ui.text_width(save, 12), area.y + 1}, save,
                 {.id = "Save the chart", .tooltip = "As PNG, SVG or PDF; its points as CSV"}))
    ui.push(OpenDialog{"save runs figure"});
  Segmented(ui, {area.right() - 130, area.y - 4, 130, 24}, "Scale", {"linear", "log"}, form.scale);
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
