#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

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
  std::size_t run = 0;  // its place in the table
  CurveColumns points;
  bool validated = true;  // else it is the training loss
};

struct RunCurves {
  std::vector<RunCurve> all;
  double last = 1;  // step
};

bool validated_twice(const KeptRun& run) {
  return run.record.curves && run.record.curves->validations.size() > 1;
}

// Of a chosen run without a validation curve the training loss.
RunCurves curves_of(const RunsForm& form, float width) {
  RunCurves curves;
  const std::vector<KeptRun>& runs = form.read.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!validated_twice(runs[i])) continue;
    curves.all.push_back({i, validation_curve(runs[i].record.curves->validations,
                                              [](const ValidationPoint& p) { return p.loss; })});
    if (!curves.all.back().points.x.empty())
      curves.last = std::max(curves.last, curves.all.back().points.x.back());
  }
  const std::size_t at = chosen_run(form);
  const auto& chosen = runs[at].record.curves;
  if (!chosen || validated_twice(runs[at]) || chosen->steps.empty()) return curves;
  curves.last = std::max(curves.last, static_cast<double>(chosen->steps.size()));
  curves.all.push_back({at,
                        step_curve(chosen->steps, &StepPoint::loss, step_axis(0, curves.last),
                                   static_cast<int>(std::max(1.0f, width))),
                        false});
  return curves;
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

// Beside the curve where no other is in the way; where there is no such place, in the middle over it.
Rect name_place(const ChartLayout& chart, const std::vector<Series>& series, std::size_t which, float width) {
  const Rect& plot = chart.plot;
  LabelSpace space(plot);
  for (const Series& one : series) {
    std::vector<Point> line;
    for (float px = plot.x; px <= plot.right(); px += 3)
      if (const auto y = curve_at(one, chart.x_at(px))) line.push_back({px, chart.to_y(*y)});
    space.keep_off(line);
  }
  std::vector<Rect> wishes;
  for (const float share : {0.5f, 0.4f, 0.6f, 0.3f, 0.7f, 0.2f, 0.8f, 0.9f, 0.1f, 0.02f}) {
    const float x = plot.x + plot.width * share;
    const auto y = curve_at(series[which], chart.x_at(x));
    if (!y) continue;
    const float left = std::clamp(x - width / 2, plot.x, std::max(plot.x, plot.right() - width));
    for (const float away : {-kNameHeight - 5, 5.0f, -kNameHeight - 14, 14.0f}) {
      const float top =
          std::clamp(chart.to_y(*y) + away, plot.y, std::max(plot.y, plot.bottom() - kNameHeight));
      wishes.push_back({left, top, width, kNameHeight});
    }
  }
  if (const auto place = space.first_free(wishes)) return *place;
  return wishes.empty() ? Rect{plot.x, plot.y, width, kNameHeight} : wishes.front();
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

class RunsChart {
 public:
  RunsChart(ui::Ui& ui, RunsForm& form, const Rect& area, const RunCurves& curves)
      : ui_(ui), form_(form), area_(area), curves_(curves) {
    for (const RunCurve& curve : curves.all) add(curve);
    options_ = {.x = step_axis(0, curves.last), .y = fit_axis(series_)};
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
    draw_line_chart(ui_.canvas(), area_, series_, options_);
    if (chosen_) draw_name(ui_, name, words_of(*chosen_), true);
    if (!under || under == chosen_) return;
    const float width = width_of(*under);
    draw_name(ui_,
              {std::clamp(mouse->x - width / 2, area_.x, std::max(area_.x, area_.right() - width)),
               std::max(area_.y, mouse->y - kNameHeight - 12), width, kNameHeight},
              words_of(*under), false);
    if (response.clicked) form_.choose(run_of(*under).folder);
  }

 private:
  void add(const RunCurve& curve) {
    constexpr std::array kLabelAt{0.3, 0.5, 0.7, 0.4, 0.6, 0.8};
    const bool chosen = curve.run == chosen_run(form_);
    if (chosen) chosen_ = series_.size();
    const bool named = !chosen && curves_.all.size() <= kNamed;
    series_.push_back({.label = named ? form_.read.runs[curve.run].name : "",
                       .x = curve.points.x,
                       .y = curve.points.y,
                       .kind = chosen ? CurveKind::run : CurveKind::other,
                       .color = chosen ? Color{} : ui_.theme().faint_text,
                       .width = chosen ? 2.0f : 1.0f,
                       .label_at = kLabelAt[series_.size() % kLabelAt.size()]});
  }
  const KeptRun& run_of(std::size_t i) const { return form_.read.runs[curves_.all[i].run]; }
  std::string words_of(std::size_t i) const {
    const std::string words = run_of(i).name + (curves_.all[i].validated ? "" : ": training loss");
    return elided(ui_.canvas(), words, {.font = Font::semibold, .size = 12}, area_.width - 16);
  }
  float width_of(std::size_t i) const {
    return std::ceil(ui_.text_width(words_of(i), 12, Font::semibold)) + 12;
  }

  ui::Ui& ui_;
  RunsForm& form_;
  const Rect area_;
  const RunCurves& curves_;
  std::vector<Series> series_;
  std::optional<std::size_t> chosen_;  // of the curves
  ChartOptions options_;
  ChartLayout chart_;
};

}  // namespace

void draw_runs_curves(ui::Ui& ui, RunsForm& form, const Rect& area) {
  const Theme& t = ui.theme();
  const RunCurves curves = curves_of(form, area.width);
  ui.canvas().text({area.x, area.y + 8}, "Validation loss", styles::section(t));
  if (curves.all.empty()) {
    ui.canvas().text({area.x, area.y + 40}, "No run was validated twice yet.", styles::caption(t));
    return;
  }
  RunsChart(ui, form, {area.x, area.y + 20, area.width, area.height - 20}, curves).show();
}

}  // namespace glassformer
