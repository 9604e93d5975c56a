#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "app/format/number_format.h"
#include "app/panels/runs_dialog.h"
#include "app/panels/styles.h"
#include "app/views/common/training_curves.h"
#include "app/widgets/label_place.h"

namespace glassformer {

namespace {

constexpr std::size_t kNamed = 6;  // so many curves are all named
constexpr float kCurveReach = 10;  // px from the mouse to the curve that it means
constexpr float kNameHeight = 18;

struct RunCurve {
  std::size_t row = 0;  // of the table
  CurveColumns points;
  std::vector<double> deviation = {};  // over the seeds; empty: of one run
  bool validated = true;               // of held-out pairs; else it is the training loss
};

struct RunCurves {
  std::vector<RunCurve> all;
  double last = 1;  // step
};

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
    curves.all.push_back({i, {std::move(band.step), std::move(band.mean)}});
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

std::optional<std::size_t> curve_under(const ChartLayout& chart, const std::vector<Series>& series,
                                       Point mouse) {
  std::optional<std::size_t> found;
  float nearest = kCurveReach;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const float away = distance(chart, series[i], mouse);
    if (away >= nearest) continue;
    nearest = away;
    found = i;
  }
  return found;
}

// Beside the curve where none is in the way, else off all curves.
Rect name_place(const ChartLayout& chart, const std::vector<Series>& series, std::size_t which, float width) {
  constexpr float kOff = 4;  // of the curves
  const Rect& plot = chart.plot;
  LabelSpace space(plot.inset(-kOff));
  for (const Series& one : series) {
    std::vector<Point> line;
    for (std::size_t k = 0; k < one.x.size(); ++k)
      if (std::isfinite(one.y[k])) line.push_back(chart.to_point(one.x[k], one.y[k]));
    space.keep_off(line);
  }
  std::vector<Rect> wishes;
  for (const float share :
       {0.5f, 0.4f, 0.6f, 0.3f, 0.7f, 0.35f, 0.25f, 0.2f, 0.8f, 0.9f, 0.15f, 0.1f, 0.02f}) {
    const float x = plot.x + plot.width * share;
    const auto y = curve_at(series[which], chart.x_at(x));
    if (!y) continue;
    const float left = std::clamp(x - width / 2, plot.x, std::max(plot.x, plot.right() - width));
    for (const float away : {-kNameHeight - 5, 5.0f, -kNameHeight - 14, 14.0f, -kNameHeight - 28, 28.0f}) {
      const float top =
          std::clamp(chart.to_y(*y) + away, plot.y, std::max(plot.y, plot.bottom() - kNameHeight));
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

// A name on a ground of its own: it may lie over other curves.
void draw_name(ui::Ui& ui, const Rect& place, const std::string& words, bool chosen) {
  const Theme& t = ui.theme();
  ui.canvas().rectangle(
      place, {.fill = t.panel, .outline = chosen ? Color{} : t.border, .outline_width = 1, .radius = 4});
  ui.canvas().text(
      place.center(), words,
      {.font = chosen ? Font::semibold : Font::regular, .size = 12, .color = t.ink, .x = AlignX::center});
  ui.note(place, chosen ? "chosen curve" : "curve under the mouse", words);
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

class RunsChart {
 public:
  RunsChart(ui::Ui& ui, RunsForm& form, const Rect& area, const RunCurves& curves)
      : ui_(ui), form_(form), area_(area), curves_(curves), selected_(selected_rows(form)) {
    for (const RunCurve& curve : curves.all) add(curve);
    const bool log = form.scale == 1;
    options_ = {.x = step_axis(0, curves.last),
                .y = log ? close_log_axis(series_) : loss_axis_of(series_, curves)};
    chart_ = layout_line_chart(ui.canvas(), area, options_);
  }

  void show() {
    const ui::Response response = ui_.area(chart_.plot, "runs chart", "picture", false);
    const auto mouse = ui_.mouse();
    const auto under = response.hovered && mouse ? curve_under(chart_, series_, *mouse) : std::nullopt;
    if (under && under != chosen_) {
      series_[*under].color = ui_.theme().second_text;
      series_[*under].width = 2;
    }
    const Rect name = chosen_ ? name_place(chart_, series_, *chosen_, width_of(*chosen_)) : Rect{};
    if (chosen_) options_.keep_free.push_back(name);
    for (std::size_t i = 0; i < series_.size(); ++i) draw_band(i);
    draw_line_chart(ui_.canvas(), area_, series_, options_);
    if (chosen_) draw_name(ui_, name, words_of(*chosen_), true);
    if (!under || under == chosen_) return;
    const float width = width_of(*under);
    draw_name(ui_,
              {std::clamp(mouse->x - width / 2, area_.x, std::max(area_.x, area_.right() - width)),
               std::max(area_.y, mouse->y - kNameHeight - 12), width, kNameHeight},
              words_of(*under), false);
    const std::string& folder = form_.read.runs[row_of(*under).runs.front()].folder;
    if (response.clicked && !several()) form_.choose(folder);
  }

 private:
  void add(const RunCurve& curve) {
    constexpr std::array kLabelAt{0.3, 0.5, 0.7, 0.4, 0.6, 0.8};
    const auto place = std::ranges::find(selected_, curve.row);
    const std::string name = form_.rows[curve.row].name + (curve.validated ? "" : ": training loss");
    if (several()) {
      const Stroke stroke = selected_stroke(ui_.theme(), static_cast<std::size_t>(place - selected_.begin()));
      series_.push_back({.label = name,
                         .x = curve.points.x,
                         .y = curve.points.y,
                         .kind = CurveKind::other,
                         .color = stroke.color,
                         .width = stroke.width,
                         .dash = stroke.dashed ? stroke.dash : 0,
                         .label_at = kLabelAt[series_.size() % kLabelAt.size()]});
      return;
    }
    const bool chosen = !selected_.empty() && place == selected_.begin();
    if (chosen) chosen_ = series_.size();
    const bool named = !chosen && curves_.all.size() <= kNamed;
    series_.push_back({.label = named ? name : "",
                       .x = curve.points.x,
                       .y = curve.points.y,
                       .kind = chosen ? CurveKind::run : CurveKind::other,
                       .color = chosen ? Color{} : ui_.theme().faint_text,
                       .width = chosen ? 2.0f : 1.0f,
                       .label_at = kLabelAt[series_.size() % kLabelAt.size()]});
  }
  // Under curves and names: faint enough to see other curves through it, with an edge where it is
  // thin.
  void draw_band(std::size_t i) {
    const RunCurve& curve = curves_.all[i];
    const bool few = curves_.all.size() <= kNamed;
    if (curve.deviation.empty() || !(several() || few || i == chosen_)) return;
    const Color color = several()      ? series_[i].color
                        : i == chosen_ ? ui_.theme().ink
                                       : ui_.theme().faint_text;
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
      ui_.canvas().polygon(corners, color.with_alpha(0.16f));
    }
    for (const std::vector<Point>& edge : edges)
      ui_.canvas().polyline(edge, {.color = color.with_alpha(0.4f), .width = 1});
    ui_.note({edges[1].front().x, edges[1].front().y, 1, edges[0].front().y - edges[1].front().y},
             "band of " + row_of(i).name,
             "mean and deviation over " + std::to_string(row_of(i).runs.size()) + " seeds");
  }
  bool several() const { return selected_.size() > 1; }
  const RunRow& row_of(std::size_t i) const { return form_.rows[curves_.all[i].row]; }
  std::string words_of(std::size_t i) const {
    const std::string what = curves_.all[i].validated ? "" : ": training loss";
    return elided(ui_.canvas(), row_of(i).name, {.font = Font::semibold, .size = 12}, area_.width * 0.45f) +
           what;
  }
  float width_of(std::size_t i) const {
    return std::ceil(ui_.text_width(words_of(i), 12, Font::semibold)) + 12;
  }

  ui::Ui& ui_;
  RunsForm& form_;
  const Rect area_;
  const RunCurves& curves_;
  const std::vector<std::size_t> selected_;
  std::vector<Series> series_;
  std::optional<std::size_t> chosen_;  // of the curves
  ChartOptions options_;
  ChartLayout chart_;
};

}  // namespace

void draw_runs_curves(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const Theme& t = ui.theme();
  const RunCurves curves = curves_of(form, area.width);
  const std::string title = title_of(form, curves);
  ui.canvas().text({area.x, area.y + 8}, elided(ui.canvas(), title, styles::section(t), area.width - 150),
                   styles::section(t));
  ui.note({area.x, area.y, area.width - 150, 16}, "runs chart title", title);
  if (curves.all.empty()) {
    ui.canvas().text({area.x, area.y + 40}, "No run was validated twice yet.", styles::caption(t));
    return;
  }
  ui.Segmented({area.right() - 130, area.y - 4, 130, 24}, "Scale", {"linear", "log"}, form.scale);
  RunsChart(ui, form, {area.x, area.y + 20, area.width, area.height - 20}, curves).show();
}

}  // namespace glassformer
