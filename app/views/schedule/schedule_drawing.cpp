#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/views/schedule/schedule_view.h"
#include "app/widgets/formula.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

namespace {

// The run in ink, the chosen variant in the colour of what is compared, the others quiet.
Stroke curve_stroke(const Theme& theme, bool chosen) {
  return {.color = chosen ? theme.reference : theme.faint_text, .width = chosen ? 2.0f : 1.5f};
}

}  // namespace

void ScheduleView::draw_chart(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  const Rect below = draw_heading(canvas, part, "Learning rate", {.note = "by step"});
  const Schedule own = run_schedule(input.run, input.snapshot.config);
  const std::vector<Schedule> all = variants(input);
  const long last = last_step(input);

  // Curves, labelled where they lie apart.
  std::vector<RateCurve> curves;
  for (const Schedule& schedule : all) curves.push_back(rate_curve(schedule, last));
  curves.push_back(run_rate_curve(input.run, own, last));
  const bool marked = hovered_ || input.step() > 0;
  const long at = hovered_.value_or(std::max(input.step(), 0L));
  const Axis steps = step_axis(0, double(last), even_);
  constexpr std::array kLabelAt{0.62, 0.5, 0.74, 0.4};
  std::vector<Series> series;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Stroke stroke = curve_stroke(theme, i == chosen(input));
    series.push_back({.label = std::to_string(i + 1) + " " + schedule_name(all[i].kind),
                      .x = curves[i].steps,
                      .y = curves[i].rates,
                      .kind = CurveKind::other,
                      .color = stroke.color,
                      .width = stroke.width,
                      .label_at = kLabelAt[i % kLabelAt.size()]});
  }
  series.push_back({.label = "this run, " + schedule_name(own.kind),
                    .x = curves.back().steps,
                    .y = curves.back().rates,
                    .label_at = 0.72});

  ChartOptions options{.x = steps, .y = fit_axis(series)};
  if (marked) {
    options.cursor = double(at);
    options.cursor_flag = (hovered_ ? "step " : "You are here · step ") + format_count(at) + " · rate " +
                          format_short(run_rate(input.run, own, std::max(1L, at)));
  }
  options.bottom = 48;
  options.events = run_events(input.run);
  const Formula formula = schedule_formula(edited(input).kind);
  const FormulaStyle style{.size = 13, .color = theme.second_text};
  const float formula_height = measure_formula(canvas, formula, style).height() + 20;
  draw_line_chart(canvas, {below.x, below.y, below.width, below.height - formula_height}, series, options);

  // The formula of the curve at hand, and where the paper's differs from it.
  canvas.push_clip(below);
  const float y = below.bottom() - formula_height / 2;
  const TextStyle caption = caption_style(canvas);
  const std::string lead = all.empty() ? "this run = " : std::to_string(chosen(input) + 1) + " = ";
  canvas.text({below.x, y}, lead, caption);
  draw_formula(canvas, {below.x + canvas.measure(lead, caption).x + 6, y}, formula, style);
  canvas.pop_clip();
}

void ScheduleView::draw_list(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  const Rect below = draw_heading(canvas, part, "Curves");
  const std::vector<Schedule> all = variants(input);
  float y = below.y + kListRow / 2;
  const auto row = [&](const Stroke& stroke, const std::string& name, const std::string& words, bool open,
                       bool removable) {
    if (open)
      canvas.rectangle(
          {part.x - 8, y - kListRow / 2 + 1, part.width + (canvas.is_file() ? 16.0f : -28.0f), kListRow - 2},
          {.fill = theme.panel, .outline = theme.ink, .outline_width = 2, .radius = 6});
    canvas.line({part.x, y}, {part.x + 20, y}, stroke);
    const TextStyle style{.font = open ? Font::semibold : Font::regular, .size = 13, .color = theme.ink};
    canvas.text({part.x + 28, y}, name, style);
    const float x = part.x + 28 + canvas.measure(name, style).x + 8;
    const TextStyle caption = caption_style(canvas);
    // A cross removes a curve; the run's own has none.
    const float reserved = removable && !canvas.is_file() ? 44.0f : 0.0f;
    canvas.text({x, y}, elided(canvas, words, caption, part.right() - reserved - x), caption);
    y += kListRow;
  };
  row({.color = theme.ink, .width = 2}, "this run", run_schedule_words(input.run, input.snapshot.config),
      false, false);
  for (std::size_t i = 0; i < all.size(); ++i)
    row(curve_stroke(theme, i == chosen(input)), std::to_string(i + 1), schedule_words(all[i]),
        i == chosen(input), true);
}

void ScheduleView::draw_editor(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const std::vector<Schedule> all = variants(input);
  if (all.empty()) {
    draw_heading(canvas, part, "Shape");
    paragraph(canvas, {part.x, part.y + kHeadingHeight}, part.width,
              "Add a curve to shape one beside the run's own.",
              {.size = 12, .color = canvas.theme().second_text, .y = AlignY::top});
    return;
  }
  draw_heading(canvas, part, "Shape of curve " + std::to_string(chosen(input) + 1));
  if (canvas.is_file())
    canvas.text({part.x, part.y + kHeadingHeight + 16}, schedule_name(edited(input).kind),
                {.size = 14, .color = canvas.theme().ink});
  float y = part.y + kHeadingHeight + 44;
  for (const Knob& knob : knobs(input)) {
    canvas.text({part.x, y + 10}, knob.label, caption_style(canvas));
    if (canvas.is_file())  // on screen a field holds it
      canvas.text({part.right(), y + 10},
                  knob.whole ? format_count(std::lround(knob.at)) : format_short(knob.at),
                  {.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right});
    y += kKnobRow;
  }
}

}  // namespace glassformer
