// The names of the runs that the charts hold: one list for all of them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/views/common/chart_height.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/label_place.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

// Of four runs, as the charts name them over their curves.
struct NamesGrid {
  std::size_t columns = 1, rows = 0;
};
NamesGrid names_grid(const ViewInput& input, float width) {
  constexpr float kNarrowest = 220;
  if (input.beside.size() < 2) return {};  // the one has its name at its curve
  const std::size_t count = input.beside.size() + 1;
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, width / kNarrowest));
  const std::size_t rows = (count + fitting - 1) / fitting;
  return {(count + rows - 1) / rows, rows};
}

}  // namespace

Stroke beside_stroke(const Theme& theme, const RunBeside& run) {
  switch (run.place) {
    case 0:
      return {.color = theme.reference, .width = 2, .dashed = true, .dash = 18};
    case 1:
      return {.color = theme.query, .width = 2, .dashed = true, .dash = 7};
    default:
      return {.color = theme.value, .width = 2, .dashed = true, .dash = 2};
  }
}

float names_height(const ViewInput& input, float width) {
  const std::size_t rows = names_grid(input, width).rows;
  return rows > 0 ? kNameRow * static_cast<float>(rows) + 4 : 0;
}

// One list for all charts: so many names have no room at the curves.
void draw_names(Canvas& canvas, const ViewInput& input, const Rect& area) {
  constexpr float kSample = 24;
  const NamesGrid grid = names_grid(input, area.width);
  if (grid.rows == 0) return;
  constexpr float kAround = kSample + 24;  // the sample, and room to the next name
  const TextStyle style = caption_style(canvas);
  // Columns as wide as their names, where all of those fit; else equally wide.
  std::vector<float> widths(grid.columns, 0);
  const auto widen = [&](std::size_t i, const std::string& words) {
    float& width = widths[i % grid.columns];
    width = std::max(width, std::ceil(canvas.measure(words, style).x) + kAround);
  };
  widen(0, "this run");
  for (std::size_t i = 0; i < input.beside.size(); ++i) widen(i + 1, input.beside[i]->title());
  const float equal = std::floor(area.width / static_cast<float>(grid.columns));
  if (std::accumulate(widths.begin(), widths.end(), 0.0f) > area.width) widths.assign(grid.columns, equal);
  std::size_t at = 0;
  const auto name = [&](const std::string& words, const Stroke& stroke) {
    const std::size_t column = at % grid.columns;
    const float x =
        std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(column), area.x);
    const float y = area.y + kNameRow * (static_cast<float>(at / grid.columns) + 0.5f);
    canvas.line({x, y}, {x + kSample, y}, stroke);
    canvas.text({x + kSample + 8, y}, elided(canvas, words, style, widths[column] - kSample - 24), style);
    ++at;
  };
  name("this run", {.color = canvas.theme().ink, .width = 2});
  for (const RunBeside* const each : input.beside) name(each->title(), beside_stroke(canvas.theme(), *each));
}

// The box with the numbers at the cursor's step.
namespace {

constexpr float kReadingRow = 19;

// Where the box with the numbers under the cursor is: right or left of it, high or low, where it hides
// least of the curve.
Rect readings_place(const Rect& plot, float cursor, Point size, const std::vector<Point>& curve) {
  const auto [width, height] = size;
  const float low = std::max(plot.y, plot.bottom() - height);
  std::vector<Rect> places;
  for (const float x : {cursor + 12, cursor - 12 - width})
    for (const float y : {plot.y, low})
      if (x >= plot.x && x + width <= plot.right()) places.push_back({x, y, width, height});
  if (places.empty()) return {std::max(plot.x, cursor - 12 - width), plot.y, width, height};
  const auto hidden = [&](const Rect& box) {
    int count = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) count += crosses(box, curve[i - 1], curve[i]);
    return count;
  };
  return *std::ranges::min_element(places, {}, hidden);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> readings(const TrainingCharts& charts) {
  const Curves& curves = *charts.input.run.curves;
  const long step = charts.cursor;
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t own_loss = 0;  // rows up to the run's own loss
  if (const ValidationPoint* point = validation_at(curves, step)) {
    const bool held_out = has_held_out_pairs(*point);
    if (point->step != step)
      rows.emplace_back(held_out ? "last validation" : "last mean", "step " + format_count(point->step));
    rows.emplace_back(held_out ? "validation loss" : "mean loss", format_loss(point->loss));
    own_loss = rows.size();
    if (const StepPoint* own = step_at(curves, step))
      rows.emplace_back("training loss", format_loss(double(own->loss)));
    if (held_out) rows.emplace_back("words right", format_percent(point->token_accuracy));
    if (point->exact_match >= 0) rows.emplace_back("whole sentences", format_percent(point->exact_match));
  } else if (const StepPoint* own = step_at(curves, step)) {
    rows.emplace_back("training loss", format_loss(double(own->loss)));
  }
  if (const StepPoint* own = step_at(curves, step)) {
    rows.emplace_back("gradient norm", format_short(double(own->gradient_norm)));
    rows.emplace_back("learning rate", format_short(double(own->learning_rate)));
    rows.emplace_back("tokens/s", format_count(std::lround(own->tokens_per_s)));
  }
  // Several are where they can be held against the run's own, which is the last of `own_loss`.
  const bool several = charts.input.beside.size() > 1;
  std::size_t at = several ? own_loss : rows.size();
  for (const RunBeside* const each : charts.input.beside) {
    if (!has_curves(each->run)) continue;
    const ValidationPoint* const other = validation_at(*each->run.curves, step);
    if (!other) continue;
    rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(at++),
                {several ? each->title() : "variant: validation", format_loss(other->loss)});
  }
  // Where there is room for few, they come first.
  if (several && own_loss > 1)
    std::rotate(rows.begin(), rows.begin() + 1, rows.begin() + static_cast<std::ptrdiff_t>(at));
  return rows;
}

Rect readings_box(const TrainingCharts& charts, const Rect& plot) {
  const float x =
      std::round(plot.x + plot.width * static_cast<float>(charts.axis.share(double(charts.cursor))));
  // As many rows as leave the foot of the chart free, for the name of the dashed line.
  const auto fitting = static_cast<std::size_t>(std::max(1.0f, (plot.height - 34 - 14) / kReadingRow));
  const std::size_t several = charts.input.beside.size() > 1 ? charts.input.beside.size() : 0;
  const std::size_t rows = std::min({readings(charts).size(), fitting,
                                     plot.width < 640 ? std::size_t{4} + several : std::size_t{9} + several});
  const float height = rows == 0 ? 0 : kReadingRow * static_cast<float>(rows) + 14;
  const CurveColumns training = charts.curve(CurveOf::loss, plot.width),
                     validation = charts.curve(CurveOf::validated_loss, plot.width);
  const ChartLayout chart{.plot = {plot.x, plot.y + kTickRow, plot.width, plot.height - kTickRow},
                          .x = charts.axis,
                          .y = loss_axis(charts, training, validation)};
  std::vector<Point> curve;
  for (std::size_t i = 0; i < validation.x.size(); ++i)
    if (std::isfinite(validation.y[i])) curve.push_back(chart.to_point(validation.x[i], validation.y[i]));
  // The names of variants are long.
  const float width = several > 0 && plot.width > 800 ? 280 : 190;
  return readings_place(plot, x, {width, height}, curve);
}

void draw_readings(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel) {
  const Theme& theme = canvas.theme();
  const Rect box = readings_box(charts, panel.plot());
  if (box.height <= 0) return;
  canvas.rectangle(box, {.fill = theme.panel, .outline = theme.control, .radius = 6});
  float y = box.y + 7 + kReadingRow / 2;
  for (const auto& [label, value] : readings(charts)) {
    if (y > box.bottom() - 7) break;
    const TextStyle caption = caption_style(canvas),
                    number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
    const float room = box.width - 24 - 8 - canvas.measure(value, number).x;
    canvas.text({box.x + 12, y}, elided(canvas, label, caption, room), caption);
    canvas.text({box.right() - 12, y}, value, number);
    y += kReadingRow;
  }
}

}  // namespace glassformer
