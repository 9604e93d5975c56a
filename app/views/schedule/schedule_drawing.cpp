#include <algorithm>
#include <array>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/run_schedule.h"
#include "app/ui/ui.h"
#include "app/views/common/run_events.h"
#include "app/views/common/stage_text.h"
#include "app/views/schedule/schedule_view.h"
#include "app/widgets/formula.h"
#include "app/widgets/line_chart.h"
#include "engine/math/typed_number.h"

namespace glassformer {

namespace {

// The run in ink, the chosen variant in the colour of what is compared, the others quiet.
Stroke curve_stroke(const Theme& theme, bool chosen) {
  return {.color = chosen ? theme.reference : theme.faint_text, .width = chosen ? 2.0f : 1.5f};
}

// Why a typed number cannot be taken; empty: it can.
std::string wrong_with(const std::string& text, bool whole) {
  constexpr double kMost = 1e9;
  const std::optional<double> typed = typed_number(text);
  if (!typed) return "not a number";
  if (*typed <= 0) return "not above 0";
  if (*typed > kMost) return "at most 10⁹";
  return whole && *typed != std::floor(*typed) ? "not whole" : "";
}

}  // namespace

void ScheduleView::draw_chart(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Rect below = draw_heading(canvas, part, "Learning rate", {.note = "by step"});
  const std::vector<Schedule> all = variants(input);
  const Formula formula = schedule_formula(edited(input).kind);
  const FormulaStyle style{.size = 13, .color = canvas.theme().second_text};
  const float formula_height = measure_formula(canvas, formula, style).height() + 20;
  draw_curves(canvas, {below.x, below.y, below.width, below.height - formula_height}, input, all, true);

  // The formula of the curve at hand, and where the paper's differs from it.
  canvas.push_clip(below);
  const float y = below.bottom() - formula_height / 2;
  const TextStyle caption = caption_style(canvas);
  const std::string lead = all.empty() ? "this run = " : std::to_string(chosen(input) + 1) + " = ";
  canvas.text({below.x, y}, lead, caption);
  draw_formula(canvas, {below.x + canvas.measure(lead, caption).x + 6, y}, formula, style);
  canvas.pop_clip();
}

// The run's own curve, and beside it only what somebody has shaped: not what is proposed.
void ScheduleView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Rect below = draw_heading(canvas, area.inset(kStagePadding), "Learning rate", {.note = "by step"});
  draw_curves(canvas, below, input, shaped(), false);
}

// Curves, labelled where they lie apart; `here`: with the place where the run is.
void ScheduleView::draw_curves(Canvas& canvas, const Rect& below, const ViewInput& input,
                               const std::vector<Schedule>& all, bool here) const {
  const Theme& theme = canvas.theme();
  const Schedule own = run_schedule(input.run, input.snapshot.config);
  const long last = last_step(input);
  std::vector<RateCurve> curves;
  for (const Schedule& schedule : all) curves.push_back(rate_curve(schedule, last));
  curves.push_back(run_rate_curve(input.run, own, last));
  const bool marked = here && (hovered_ || (input.step() > 0 && input.step() <= last));
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
  std::erase_if(options.events, [&](const ChartMarker& event) { return event.x > double(last); });
  draw_line_chart(canvas, below, series, options);
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

bool ScheduleView::draw_knob(ui::Ui& ui, const Rect& place, std::size_t index, const Knob& knob,
                             Schedule& schedule) {
  bool changed = false;
  double value = knob.at;
  if (Slider(ui, {place.x, place.y + 22, place.width, 32}, knob.label, value,
             {.minimum = knob.minimum, .maximum = knob.maximum, .logarithmic = true})) {
    // Two significant digits are enough for a hand.
    const double digits = std::pow(10.0, std::floor(std::log10(std::max(value, 1e-12))) - 1);
    const double unit = knob.unit > 0 ? knob.unit : digits;
    turn(schedule, index, std::max(knob.minimum, std::round(value / unit) * unit));
    changed = true;
  }

  // Any other number can be typed, and is used as soon as it is one.
  const bool typing = typing_ && typing_->knob == index && typing_->value == knob.value;
  std::string text = typing ? typing_->text : knob.value;
  const Rect field{place.right() - 88, place.y - 4, 88, 26};
  const std::string wrong = wrong_with(text, knob.whole);
  const auto event = TextField(ui, field, knob.label + ", typed", text, {.error = wrong, .mono = true});
  if (!wrong.empty()) {
    ui.canvas().text({field.x - 8, place.y + 10}, wrong,
                     {.size = 12, .color = ui.theme().wrong, .x = AlignX::right});
    ui.note({place.x, place.y, place.width, 22}, knob.label + ", refused", wrong);
  }
  if (event == ui::FieldEvent::changed) {
    typing_ = Typing{index, text, knob.value};
    if (wrong_with(text, knob.whole).empty()) {
      const double typed = *typed_number(text);
      turn(schedule, index, typed);
      typing_->value = knob.whole ? std::to_string(std::lround(typed)) : format_file(typed);
      changed = true;
    }
  }
  if (event == ui::FieldEvent::entered || event == ui::FieldEvent::left) typing_.reset();
  return changed;
}

// The chart ends where the curves have shown their shapes, or at the step that is typed.
void ScheduleView::show_axis_end(ui::Ui& ui, const ViewInput& input, const Rect& place) {
  ui.canvas().text({place.x, place.y + 13}, "Ends at", caption_style(ui.canvas()));
  std::string text = typed_end_.value_or(std::to_string(last_step(input)));
  const std::string wrong = text.empty() ? "" : wrong_with(text, true);
  const auto event = TextField(ui, {place.x + 56, place.y, 72, 26}, "axis ends at step", text,
                               {.error = wrong, .mono = true});
  if (event == ui::FieldEvent::changed) {
    typed_end_ = text;
    if (text.empty()) asked_end_ = 0;
    if (!text.empty() && wrong_with(text, true).empty()) asked_end_ = std::lround(*typed_number(text));
  }
  if (event == ui::FieldEvent::entered || event == ui::FieldEvent::left) typed_end_.reset();
}

}  // namespace glassformer
