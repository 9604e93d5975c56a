#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/views/run_schedule.h"
#include "app/widgets/label_place.h"
#include "app/widgets/number_format.h"

namespace glassformer {

// How far training is, on the square root of the step, so that early steps have room. The validation loss is
// its backdrop.
void Shell::training_slider() {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  const Rect bar = layout_.slider;
  const RunState& run = session_.run();
  const Snapshot* snapshot = session_.snapshot();
  const bool full = layout_.bottom == BottomSize::full, one_row = layout_.bottom == BottomSize::one_row;
  if (!one_row)
    canvas.line({bar.x, bar.y + 0.5f}, {bar.right(), bar.y + 0.5f}, {.color = t.border});
  else
    canvas.line({bar.x + 0.5f, bar.y}, {bar.x + 0.5f, bar.bottom()}, {.color = t.border});

  // While a run prepares its data, the weights on screen are not its own.
  const bool preparing = run.phase == RunPhase::preparing;
  const long step = std::max(run.step, snapshot && !preparing ? snapshot->step : 0L);
  const long last = std::max(chart_steps(run), step);
  const bool known = snapshot != nullptr && !preparing;
  const std::string at = format_count(step), of = format_count(last);
  const bool ends = run.planned_steps > 0 && last == run.planned_steps;

  Rect track{};
  if (full) {
    canvas.line({layout_.left - 0.5f, bar.y}, {layout_.left - 0.5f, bar.bottom()}, {.color = t.border});
    canvas.text({kPadding, bar.y + 31}, "Training", styles::heading(t));
    float x = kPadding;
    canvas.text({x, bar.y + 55}, "step", styles::caption(t));
    x += ui.text_width("step ", 12) + 4;
    const bool best = ends && run.phase == RunPhase::none && step < last;
    const std::string words = !known ? "–" : best ? at + ", the best of " + of : ends ? at + " of " + of : at;
    canvas.text({x, bar.y + 55}, elided(canvas, words, styles::number(t), layout_.left - x - 8),
                styles::number(t));
    track = {layout_.left + kPadding, bar.y + 49, layout_.right - layout_.left - 2 * kPadding, 4};
    if (layout_.inspector_place == InspectorPlace::column) {
      canvas.line({layout_.right + 0.5f, bar.y}, {layout_.right + 0.5f, bar.bottom()}, {.color = t.border});
      const char* phase = run.phase == RunPhase::training    ? "Training now."
                          : run.phase == RunPhase::preparing ? "Preparing the data."
                          : run.phase == RunPhase::paused    ? "Paused: T goes on."
                          : run.phase == RunPhase::stopped   ? "Training has ended."
                          : session_.learns_on()             ? "T trains a fresh one."
                                                             : "T trains it on.";
      const float right = layout_.right + kPadding;
      canvas.text({right, bar.y + 31}, snapshot ? phase : "", styles::caption(t));
      if (run.tokens_per_second > 0) {
        const std::string speed = format_count(std::llround(run.tokens_per_second)) + " tokens/s";
        canvas.text({right, bar.y + 55}, speed, styles::faint_number(t));
      }
    }
  } else if (!one_row) {
    canvas.text({kPadding, bar.y + 24}, "Training", styles::heading(t));
    float x = kPadding + ui.text_width("Training", 14, Font::semibold) + 12;
    const std::string words = known ? at : "–";
    if (x + ui.text_width("step ", 12) + canvas.measure(words, styles::number(t)).x + 4 < layout_.left - 8) {
      canvas.text({x, bar.y + 24}, "step", styles::caption(t));
      canvas.text({x + ui.text_width("step ", 12) + 4, bar.y + 24}, words, styles::number(t));
    }
    track = {layout_.left, bar.y + 22, bar.right() - kPadding - layout_.left, 4};
  } else {
    track = {bar.x + 20, bar.y + 18, bar.width - 40, 4};
  }
  const auto place = [&](double s) {
    return track.x +
           static_cast<float>(std::sqrt(std::clamp(s / static_cast<double>(last), 0.0, 1.0))) * track.width;
  };

  // The backdrop: validation loss from the start to here.
  if (full && run.curves && run.curves->validations.size() >= 2) {
    const auto& points = run.curves->validations;
    double high = 0;
    for (const ValidationPoint& p : points)
      if (std::isfinite(p.loss)) high = std::max(high, p.loss);
    const float top = bar.y + 10, floor = track.y - 3;
    std::vector<Point> line;
    for (const ValidationPoint& p : points) {
      if (!std::isfinite(p.loss) || high <= 0) continue;
      const Point next{place(static_cast<double>(p.step)),
                       floor - static_cast<float>(p.loss / high) * (floor - top)};
      // Points nearer than a pixel add nothing.
      if (!line.empty() && next.x - line.back().x < 1 && &p != &points.back()) continue;
      line.push_back(next);
    }
    for (size_t i = 1; i < line.size(); ++i)
      canvas.polygon(std::array{line[i - 1], line[i], Point{line[i].x, floor}, Point{line[i - 1].x, floor}},
                     t.sunken);
    canvas.polyline(line, {.color = t.faint_text, .width = 1});

    // Its name, beside the curve wherever it runs.
    LabelSpace space({track.x, bar.y + 2, track.width, floor - bar.y - 2});
    space.keep_off(line);
    const Point size{ui.text_width("validation loss", 12), 16};
    std::vector<Rect> wishes;
    for (const float share : {0.36f, 0.5f, 0.64f, 0.2f, 0.04f})
      for (const float y : {bar.y + 12, bar.y + 4, floor - size.y - 1})
        wishes.push_back({track.x + track.width * share, y, size.x, size.y});
    if (const auto spot = space.first_free(wishes))
      canvas.text({spot->x, spot->center().y}, "validation loss", styles::caption(t));
  }

  canvas.rectangle(track, {.fill = t.control, .radius = 2});
  if (known) {
    const float now = place(static_cast<double>(step));
    canvas.rectangle({track.x, track.y, now - track.x, 4}, {.fill = t.ink, .radius = 2});
    canvas.circle({now, track.y + 2}, 8, t.panel, {.color = t.ink, .width = 2});
  }
  ui.note({track.x, track.y - 8, track.width, 20}, "training step", std::to_string(step));
  ui.note({track.right() - 1, track.y - 8, 1, 20}, "last step of the slider", std::to_string(last));

  // Ticks at 0, N/64, N/16, N/4, N, as far as their numbers keep apart.
  if (!known) return;
  const float y = track.y + (full ? 21.0f : 20.0f);
  float free_from = track.x - 100;
  const float last_width = canvas.measure(of, styles::faint_number(t)).x;
  for (const long part : {0L, 64L, 16L, 4L, 1L}) {
    if (part > 1 && last < 2 * part) continue;
    const long value = part == 0 ? 0 : last / part;
    const std::string words = format_count(value);
    const float width = canvas.measure(words, styles::faint_number(t)).x,
                x = place(static_cast<double>(value));
    const float left = part == 0 ? x : part == 1 ? x - width : x - width / 2;
    if (left < free_from || (part != 1 && left + width + 12 > track.right() - last_width)) continue;
    canvas.line({std::round(x) + 0.5f, track.y + 5}, {std::round(x) + 0.5f, track.y + 11},
                {.color = t.control});
    canvas.text({left, y}, words, styles::faint_number(t));
    free_from = left + width + 12;
  }
}

}  // namespace glassformer
