// The curves of the models that a page of a lesson trains, on its card.
#include <algorithm>
#include <numeric>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/lesson_card_parts.h"
#include "app/panels/styles.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

float lesson_trainings(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect) {
  constexpr float kChart = 150;
  // What is to be predicted is not given away.
  const auto& asked = lesson.page().question;
  const bool predicts = asked && !asked->does && !lesson.may_go_on();
  if (lesson.ready() && predicts) return 0;
  const std::vector<LessonCurve> curves = lesson.trainings();
  if (curves.empty()) return 0;
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const Saying say{lesson.language()};
  float y = rect.y + 8;
  if (!lesson.ready()) {
    const LessonCurve& now = curves.front();
    const std::string far = now.run + ": " + say("step ") + format_count(std::ssize(now.losses)) +
                            say(" of ") + format_count(now.steps);
    canvas.text({rect.x, y}, elided(canvas, far, styles::caption(t), rect.width), styles::caption(t));
    ui.note({rect.x, y - 8, rect.width, 16}, "lesson training", far);
    y += 20;
    ui.ask_frame(0.1);
    if (predicts) return y - rect.y;
  }
  canvas.text({rect.x, y}, say("Loss of each step"), styles::section(t));
  y += 12;
  long last = 1;
  for (const LessonCurve& curve : curves) last = std::max(last, curve.steps);
  std::vector<double> steps(static_cast<std::size_t>(last));
  std::iota(steps.begin(), steps.end(), 1);
  std::vector<Series> series;
  for (const LessonCurve& curve : curves)
    series.push_back({.label = curve.run,
                      .x = std::span(steps).first(curve.losses.size()),
                      .y = curve.losses,
                      .width = 1,
                      .label_at = 0.9 * static_cast<double>(curve.steps) / static_cast<double>(last)});
  ChartOptions options;
  options.x = step_axis(0, static_cast<double>(last), true);
  options.y = fit_axis(series);
  draw_line_chart(canvas, {rect.x, y, rect.width, kChart}, series, options);
  ui.note({rect.x, y, rect.width, kChart}, "lesson curves", std::to_string(curves.size()));
  return y + kChart + 14 - rect.y;
}

}  // namespace glassformer
