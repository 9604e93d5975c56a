#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/views/common/chart_height.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kFromCursor = 10;  // words at the right end keep off a cursor that is there

// At every step of its way.
bool always_drops(const RunState& run) {
  const auto drops = [](const RunMark& mark) {
    return !mark.change || (mark.change->before.dropout > 0 && mark.change->after.dropout > 0);
  };
  return run.live.dropout > 0 && std::ranges::all_of(run.curves->marks, drops);
}

// Variants that train beside the run, as curves over the same steps; those that have something to draw.
struct CurveBeside {
  const RunBeside* run = nullptr;
  CurveColumns curve;
};
using CurvesBeside = std::vector<CurveBeside>;

CurvesBeside curves_beside(const TrainingCharts& charts, CurveOf which, float width) {
  CurvesBeside all;
  for (const RunBeside* const run : charts.input.beside) {
    if (!has_curves(run->run)) continue;
    CurveColumns curve = charts.curves.get(run->run.curves, which, charts.axis, width);
    if (!curve.x.empty()) all.push_back({run, std::move(curve)});
  }
  return all;
}

ChartHeight height_with(std::vector<const CurveColumns*> curves,
                        std::initializer_list<const CurvesBeside*> beside, double held = 0) {
  for (const CurvesBeside* const some : beside)
    for (const CurveBeside& each : *some) curves.push_back(&each.curve);
  return chart_height(curves, held);
}

// They lie over the run's own curve, which shows between their dashes: where the two are one, both are seen.
void add_beside(std::vector<Series>& series, const Canvas& canvas, const CurvesBeside& beside, float width) {
  for (Series& own : series)
    if (own.kind == CurveKind::run && !beside.empty())
      own.kind = CurveKind::other, own.color = canvas.theme().ink, own.width = 2;
  for (const CurveBeside& each : beside) {
    const Stroke stroke = beside_stroke(canvas.theme(), *each.run);
    series.push_back({.x = each.curve.x,
                      .y = each.curve.y,
                      .kind = CurveKind::other,
                      .color = stroke.color,
                      .width = width,
                      .dash = stroke.dashed ? stroke.dash : 0});
  }
}

// What the lines of a panel mean, at the right end of its heading.
void draw_legend(Canvas& canvas, const Rect& plot, std::span<const std::pair<std::string, Stroke>> lines) {
  float x = plot.right() - kFromCursor;
  const float y = plot.y - kChartHeading + 10;
  TextStyle style = caption_style(canvas);
  style.x = AlignX::right;
  for (const auto& [words, stroke] : lines) {
    const float width = canvas.measure(words, style).x;
    canvas.rectangle({x - width - 32, y - 8, width + 34, 16}, {.fill = canvas.theme().paper});
    canvas.text({x, y}, words, style);
    canvas.line({x - width - 28, y}, {x - width - 8, y}, stroke);
    x -= width + 52;
  }
}

ChartOptions options_of(const TrainingCharts& charts, const TrainingPanel& panel) {
  ChartOptions options{.x = charts.axis};
  options.x_labels = panel.alone;
  options.bottom = panel.alone ? 46 : 0;
  options.cursor = double(charts.cursor);
  return options;
}

void draw_loss(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel) {
  const Curves& curves = *charts.input.run.curves;
  const Rect rect = panel.plot();
  ChartOptions options = options_of(charts, panel);

  // Training faint, validation in ink, the floor dashed.
  const CurveColumns training = charts.curve(CurveOf::loss, rect.width);
  const CurveColumns validation = charts.curve(CurveOf::validated_loss, rect.width);
  options.y = loss_axis(charts, training, validation);
  const double floor = lowest_loss(charts.input);
  const std::vector<double> floor_x{0, options.x.high}, floor_y{floor, floor};
  const long every = validation_interval(curves);
  const bool narrow = rect.width < 640;
  options.keep_free.push_back(readings_box(charts, rect));
  std::vector<Series> series;
  series.push_back({.label = narrow                           ? ""
                             : always_drops(charts.input.run) ? "training, with dropout"
                                                              : "training",
                    .x = training.x,
                    .y = training.y,
                    .kind = CurveKind::raw,
                    .label_at = 0.16});
  const std::string lowest = narrow ? "lowest possible: "
                                    : "lowest possible with label smoothing " +
                                          format_short(charts.input.run.options.smoothing) + ": ";
  if (floor > 0)
    series.push_back({.label = lowest + format_loss(floor),
                      .x = floor_x,
                      .y = floor_y,
                      .kind = CurveKind::reference,
                      .label_at = 1.0,
                      .label_below = true});

  std::string looked_at = held_out(charts.input.run) ? "validation" : "mean of the training steps";
  if (held_out(charts.input.run) && charts.input.run.options.average > 1)
    looked_at += " of the mean of the last " + std::to_string(charts.input.run.options.average);
  if (every > 0) looked_at += ", every " + format_count(every) + " steps";
  series.push_back({.label = !narrow                      ? looked_at
                             : held_out(charts.input.run) ? "validation"
                                                          : "mean",
                    .x = validation.x,
                    .y = validation.y,
                    .label_at = 0.45});
  const CurvesBeside beside = curves_beside(charts, CurveOf::validated_loss, rect.width),
                     beside_training = curves_beside(charts, CurveOf::loss, rect.width);
  // One variant's name is at its validations, once there are any.
  const bool one = charts.input.beside.size() == 1;
  const std::string variant =
      one ? elided(canvas, charts.input.beside.front()->title(), caption_style(canvas), rect.width * 0.4f)
          : "";
  // Where there is nothing else to see of a variant, its training loss has the variant's line; else it is so
  // faint that the dashes over it stay dashes.
  std::vector<Series> faint;
  for (const CurveBeside& each : beside_training) {
    const Stroke stroke = beside_stroke(canvas.theme(), *each.run);
    const bool validated =
        std::ranges::any_of(beside, [&](const CurveBeside& other) { return other.run == each.run; });
    faint.push_back({.label = beside.empty() ? variant : "",
                     .x = each.curve.x,
                     .y = each.curve.y,
                     .kind = CurveKind::raw,
                     .color = validated ? stroke.color.with_alpha(0.25f) : stroke.color,
                     .dash = validated ? 0 : stroke.dash,
                     .label_at = 0.3});
  }
  series.insert(series.begin(), faint.begin(), faint.end());
  add_beside(series, canvas, beside, 2);
  if (!beside.empty()) {
    series.back().label = variant;
    series.back().label_at = 0.7;
  }
  draw_line_chart(canvas, rect, series, options);
  if (const double highest = chart_height({&training, &validation}).highest; highest > options.y.high) {
    TextStyle beyond = caption_style(canvas);
    beyond.x = AlignX::right;
    canvas.text({rect.right() - kFromCursor, rect.y - kChartHeading + 10},
                "leaves the chart: up to " + format_short(highest), beyond);
  }
}

void draw_right(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel) {
  const Rect rect = panel.plot();
  ChartOptions options = options_of(charts, panel);
  options.y = {.low = 0, .high = 1.02, .ticks = {{0, ""}, {0.5, "50 %"}, {1, "100 %"}}};
  if (rect.height < 56) options.y.ticks = {{0, ""}, {1, "100 %"}};

  const CurveColumns right = charts.curve(CurveOf::words_right, rect.width),
                     exact = charts.curve(CurveOf::sentences_right, rect.width);
  const Stroke ink{.color = canvas.theme().ink, .width = 2},
      quiet{.color = canvas.theme().faint_text, .width = 1.5f};
  std::vector<Series> series{{.x = right.x, .y = right.y}};
  if (!exact.x.empty())
    series.push_back(
        {.x = exact.x, .y = exact.y, .kind = CurveKind::other, .color = quiet.color, .width = quiet.width});
  const CurvesBeside beside = curves_beside(charts, CurveOf::words_right, rect.width);
  add_beside(series, canvas, beside, 2);
  draw_line_chart(canvas, rect, series, options);
  const bool narrow = rect.width < 640;
  const char* next = narrow ? "next word" : "next word, the right ones given";
  const char* whole = narrow ? "whole sentence" : "whole sentence, on its own";
  std::vector<std::pair<std::string, Stroke>> lines;
  if (!beside.empty() && charts.input.beside.size() == 1)
    lines.emplace_back(rect.width < 500 ? "variant"
                       : narrow         ? "the variant's next word"
                                        : "next word of the variant",
                       beside_stroke(canvas.theme(), *charts.input.beside.front()));
  if (!exact.x.empty()) lines.emplace_back(whole, quiet);
  lines.emplace_back(next, ink);
  draw_legend(canvas, rect, lines);
}

void draw_steps(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel, CurveOf which) {
  const Rect rect = panel.plot();
  ChartOptions options = options_of(charts, panel);
  const CurveColumns curve = charts.curve(which, rect.width);
  const CurvesBeside beside = curves_beside(charts, which, rect.width);
  const ChartHeight height = height_with({&curve}, {&beside});
  options.y = close_axis(height.top, 1);
  std::vector<Series> series{
      {.x = curve.x, .y = curve.y, .kind = CurveKind::other, .color = canvas.theme().faint_text, .width = 1}};
  add_beside(series, canvas, beside, 1);

  // The height of so low a strip is beside its heading, so that the plot gets the room of the label.
  TextStyle scale = index_style(canvas);
  scale.x = AlignX::right;
  std::string words = "0 to " + std::exchange(options.y.ticks.back().label, "");
  if (height.leaves()) words += ", at most " + format_short(height.highest);
  canvas.text({rect.right() - kFromCursor, rect.y - kChartHeading + 10}, words, scale);
  draw_line_chart(canvas, {rect.x, rect.y - kTickRow + 6, rect.width, rect.height + kTickRow - 6}, series,
                  options);
}

void draw_rate(Canvas& canvas, const TrainingCharts& charts, const Rect& rect) {
  const Schedule schedule = run_schedule(charts.input.run, charts.input.snapshot.config);
  ChartOptions options{.x = charts.axis};
  options.cursor = double(charts.cursor);
  options.cursor_flag = (charts.hovered ? "step " : "You are here · step ") + format_count(charts.cursor);
  options.bottom = 46;
  options.events = run_events(charts.input.run);

  // As planned, and as it was where someone turned it while running.
  const RateCurve planned = rate_curve(schedule, chart_steps(charts.input.run));
  const CurveColumns real = charts.curve(CurveOf::learning_rate, rect.width);
  bool changed = false;
  for (std::size_t i = 0; i < real.x.size() && !changed; ++i)
    changed =
        std::abs(real.y[i] - schedule.rate(std::lround(real.x[i]))) > 1e-3 * std::abs(real.y[i]) + 1e-12;
  std::vector<Series> series{{.x = planned.steps, .y = planned.rates}};
  if (changed) {
    series[0].kind = CurveKind::reference;
    series[0].color = canvas.theme().second_text;
    series[0].label = "as planned";
    series[0].label_at = 0.8;
    series.push_back({.x = real.x, .y = real.y});
  }
  const CurvesBeside beside = curves_beside(charts, CurveOf::learning_rate, rect.width);
  add_beside(series, canvas, beside, 2);
  const CurveColumns as_planned{planned.steps, planned.rates};
  const double plan = height_with({&as_planned}, {&beside}).highest;
  options.y = close_axis(height_with({&as_planned, &real}, {&beside}, plan).top, 2);
  if (schedule.kind != ScheduleKind::constant && schedule.warmup > 1 &&
      schedule.warmup < chart_steps(charts.input.run))
    options.markers.push_back(
        {double(schedule.warmup), "warm-up ends, step " + format_count(schedule.warmup)});
  draw_line_chart(canvas, {rect.x, rect.y, rect.width, rect.height + 6}, series, options);

  // The formula at the heading's right end, when there is room.
  const Formula formula = schedule_formula(schedule.kind);
  const FormulaStyle style{.size = 12, .color = canvas.theme().second_text};
  const float width = measure_formula(canvas, formula, style).width;
  if (width < rect.width - 140)
    draw_formula(canvas, {rect.right() - kFromCursor - width, rect.y - kChartHeading + 10}, formula, style);
}

// A line over every chart, but not through the headings between them.
void draw_through(Canvas& canvas, const TrainingCharts& charts, const std::vector<TrainingPanel>& all,
                  double step, const Stroke& stroke) {
  for (const TrainingPanel& panel : all) {
    const Rect plot = panel.plot();
    const float x = std::round(plot.x + plot.width * static_cast<float>(charts.axis.share(step)));
    canvas.line({x, plot.y}, {x, std::min(plot.bottom(), all.back().rect.bottom() - 52)}, stroke);
  }
}

}  // namespace

Axis loss_axis(const TrainingCharts& charts, const CurveColumns& training, const CurveColumns& validation) {
  const double floor = lowest_loss(charts.input);
  const CurvesBeside beside = curves_beside(charts, CurveOf::validated_loss, 400);
  const CurvesBeside beside_training = curves_beside(charts, CurveOf::loss, 400);
  if (!charts.log) {
    const ChartHeight height = height_with({&training, &validation}, {&beside, &beside_training});
    return close_axis(std::max(floor * 1.5, height.top), 4);
  }
  const std::vector<double> at{0}, height{floor};
  std::vector<Series> all{{.x = training.x, .y = training.y}, {.x = validation.x, .y = validation.y}};
  for (const CurvesBeside* const some : {&beside, &beside_training})
    for (const CurveBeside& each : *some) all.push_back({.x = each.curve.x, .y = each.curve.y});
  if (floor > 0) all.push_back({.x = at, .y = height});
  return fit_axis(all, AxisKind::log, false);
}

void draw_panel(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel) {
  using Kind = TrainingPanel::Kind;
  TextStyle heading{.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
  const auto kind = static_cast<std::size_t>(panel.kind);
  const std::array<const char*, 5>& words = kChartNames;
  const float width = canvas.measure(words[kind], heading).x;
  canvas.rectangle({panel.rect.x, panel.rect.y, width + 4, 20}, {.fill = canvas.theme().paper});
  canvas.text({panel.rect.x, panel.rect.y + 10}, words[kind], heading);
  switch (panel.kind) {
    case Kind::loss:
      return draw_loss(canvas, charts, panel);
    case Kind::right:
      return draw_right(canvas, charts, panel);
    case Kind::gradient:
      return draw_steps(canvas, charts, panel, CurveOf::gradient_norm);
    case Kind::speed:
      return draw_steps(canvas, charts, panel, CurveOf::tokens_per_s);
    case Kind::rate:
      return draw_rate(canvas, charts, panel.plot());
  }
}

void draw_cursor(Canvas& canvas, const TrainingCharts& charts, const std::vector<TrainingPanel>& all) {
  draw_through(canvas, charts, all, double(charts.cursor), {.color = canvas.theme().ink, .width = 1.5f});
}

void draw_events(Canvas& canvas, const TrainingCharts& charts, const std::vector<TrainingPanel>& all) {
  for (const ChartMarker& event : run_events(charts.input.run))
    draw_through(canvas, charts, all, event.x,
                 {.color = canvas.theme().faint_text.with_alpha(0.6f), .width = 1, .dashed = true});
}

void draw_empty(Canvas& canvas, const ViewInput& input, const Rect& area) {
  const RunState& run = input.run;
  const Rect inner = stage_inner(area);
  if (run.phase == RunPhase::preparing) {
    draw_nothing_yet(canvas, inner, "Preparing…",
                     run.message.empty() ? "The data are being read." : run.message);
    const float width = std::min(360.0f, inner.width - 32);
    draw_share_bar(canvas, {inner.center().x - width / 2, inner.center().y + 56, width, 4}, run.progress,
                   canvas.theme().ink);
    return;
  }
  if (run.phase == RunPhase::stopped && !run.message.empty())
    return draw_nothing_yet(canvas, inner, "Training stopped", run.message);
  if (unknown_training(run))
    return draw_nothing_yet(canvas, inner, "No training is recorded",
                            "What this model was trained on is not known. “glassformer train --fine-tune "
                            "FOLDER” tunes it on pairs of yours, and Model, New model… trains a fresh one.");
  draw_nothing_yet(canvas, inner, "No training yet",
                   "Press Train: the loss falls here step by step, over the learning rate that drives it. "
                   "Label smoothing " +
                       format_short(run.options.smoothing) + " keeps it above " +
                       format_loss(lowest_loss(input)) + ".");
}

}  // namespace glassformer
