#include "app/panels/watch_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/panels/watch_attempts.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kWatchChart = 200;  // height of the loss

struct LossCurve {
  std::vector<double> steps, losses;
};

// The mean of the steps that share a column of the chart: the ends of a noisy line reach beyond its points,
// and none of those lies below the lowest loss possible.
LossCurve mean_losses(const StepSeries& steps, double last, float width) {
  constexpr float kColumn = 2;  // px
  const AxisScale axis(step_axis(0, last));
  LossCurve curve;
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto column = [&](std::size_t step) {
      return std::floor(axis.share(static_cast<double>(step)) * width / kColumn);
    };
    sum += static_cast<double>(steps[i].loss), ++count;
    if (i + 1 < steps.size() && column(i + 1) == column(i + 2)) continue;
    curve.steps.push_back(static_cast<double>(i + 1)), curve.losses.push_back(sum / count);
    sum = count = 0;
  }
  return curve;
}

std::string limit_words(const WatchState& state) {
  return std::string(
             "Upper line: every word as likely as another; fresh numbers can do worse.\nLower line: ") +
         (state.run.options.smoothing > 0
              ? "the right word always likeliest, and never quite sure of it, as it is asked "
                "to be (label smoothing)."
              : "certain of every right word.") +
         "\nEarly steps are drawn wider.";
}

void draw_loss(ui::Ui& ui, const WatchState& state, const Rect& area, bool small) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  canvas.text({area.x, area.y + 10}, "Loss", styles::heading(t));
  if (!small)
    canvas.text({area.x + ui.text_width("Loss", 14, Font::semibold) + 12, area.y + 10},
                "how much the right words surprise it", styles::caption(t));
  ui.tooltip(area, std::string(explained("loss")) + "\n" + limit_words(state));
  if (!state.result) return;
  const Config& config = state.result->snapshot->config;
  const double high = even_guess(config), low = lowest_possible(config, state.run.options.smoothing);
  const double last = static_cast<double>(std::max<long>({state.run.planned_steps, state.run.step, 1}));
  const auto [x, y] = state.run.curves ? mean_losses(state.run.curves->steps, last, area.width) : LossCurve();
  const std::array<double, 2> ends{0, last}, highest{high, high}, lowest{low, low};
  ChartOptions options{.x = step_axis(0, last), .y = {.low = low - 0.06 * (high - low), .high = high * 1.06}};
  options.y.grid = false;
  options.y.ticks = {{low, ""}, {high, ""}};
  options.bottom = small ? 24 : kTitleBottom;
  options.x.title = small ? "" : "training step: one small change of all its numbers";
  std::vector<Series> series{{.label = "blind guess " + format_fixed(high, 2),
                              .x = ends,
                              .y = highest,
                              .kind = CurveKind::reference,
                              .label_at = 1},
                             {.label = (small ? "lowest " : "lowest possible ") + format_fixed(low, 2),
                              .x = ends,
                              .y = lowest,
                              .kind = CurveKind::reference,
                              .label_at = 1}};
  if (!x.empty()) series.push_back({.x = x, .y = y});
  const Rect plot{area.x, area.y + 32, area.width, area.height - 32};
  const ChartLayout chart = draw_line_chart(canvas, plot, series, options);
  if (x.empty()) return;
  const Point end = chart.to_point(x.back(), y.back());
  canvas.circle(end, 5, t.panel, {.color = t.ink, .width = 2});
  const std::string value = format_fixed(y.back(), 2);
  // Above the words of the lower limit where it has come near, and on neither side of the upper one.
  const float upper = chart.to_point(x.back(), high).y;
  float at = end.y - (chart.to_point(x.back(), low).y - end.y < 24 ? 26.0f : 10.0f);
  if (std::abs(at - upper) < 12) at = end.y < upper ? upper - 12 : upper + 12;
  canvas.text({std::min(end.x + 12, area.right() - 32), at}, value, styles::number(t, 14));
  ui.note({end.x, end.y - 10, 32, 16}, "watched loss", value);
}

void draw_held_out(ui::Ui& ui, const WatchState& state, const Rect& area, bool small) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  if (area.height < (small ? 84 : 104)) return;  // no room for one
  const char* const title = small ? "Never seen" : "Sentences it has never seen";
  canvas.text({area.x, area.y + 10}, title, styles::heading(t));
  ui.tooltip(
      {area.x, area.y, area.width, 20},
      "Sentences that it never learns from, and what it makes of them.\nUnderlined words are wrong; an "
      "empty box is a word that is missing.");
  long at = 0;
  for (const HeldOutSentence& each : state.run.held_out)
    if (!each.attempts.empty()) at = std::max(at, each.attempts.back().step);
  if (at > 0) {
    std::string words = (small ? "step " : "as of step ") + format_count(at);
    const std::string counted = counted_right(state.run, at), both = words + ": " + counted;
    const float room = area.width - ui.text_width(title, 14, Font::semibold) - 16;
    if (!small && !counted.empty() && ui.text_width(both, 12) < room) words = both;
    canvas.text({area.right(), area.y + 10}, words, styles::right(styles::caption(t)));
    ui.note({area.right() - 80, area.y, 80, 20}, "held out as of", words);
  }
  const float row = small ? 64.0f : 84.0f, label = small ? 0.0f : 44.0f;
  float y = area.y + 40;
  for (const HeldOutSentence& each : state.run.held_out) {
    if (y + row - 20 > area.bottom()) break;
    const float right = area.right();
    const auto line = [&](float line_y, const std::string& text, Color color) {
      const TextStyle style{.size = 14, .color = color};
      canvas.text({area.x + label, line_y}, elided(canvas, text, style, right - area.x - label), style);
    };
    const TextStyle plain{.size = 14, .color = t.second_text};
    canvas.text({area.x, y}, elided(canvas, each.pair.source, plain, area.width), plain);
    float now = y + 22;
    if (!small) {
      canvas.text({area.x, y + 22}, "right", styles::caption(t));
      line(y + 22, each.pair.target, t.second_text);
      canvas.text({area.x, y + 44}, "now", styles::caption(t));
      now = y + 44;
    }
    if (each.attempts.empty()) {
      line(now, "not asked yet", t.faint_text);
    } else {
      const Attempt attempt = attempt_of(each.attempts.back().translation, each.pair.target);
      const std::string says = attempt.says();
      if (says.starts_with("nothing")) {
        line(now, says, t.second_text);
      } else {
        const float end = draw_attempt(canvas, {area.x + label, now}, attempt, 14, right - 40);
        if (says.empty()) draw_mark(canvas, {std::min(end + 8, right - 8), now}, Mark::tick, t.ink);
      }
    }
    y += row;
    if (!small) canvas.line({area.x, y - 18}, {right, y - 18}, {t.border, 1});
  }
}

}  // namespace

void draw_watch_column(ui::Ui& ui, const WatchState& state, const Rect& area, bool small) {
  draw_loss(ui, state, {area.x, area.y, area.width, kWatchChart + (small ? 24 : 56)}, small);
  const float held = area.y + kWatchChart + (small ? 60 : 84);
  draw_held_out(ui, state, {area.x, held, area.width, area.bottom() - held}, small);
}

void draw_watch_measures(ui::Ui& ui, const WatchState& state, const Rect& area) {
  const float gap = area.width < 900 ? 36.0f : 64.0f, half = std::floor((area.width - gap) / 2);
  const float words = area.height > 320 ? 72.0f : 0.0f, chart = std::min(360.0f, area.height - words);
  draw_loss(ui, state, {area.x, area.y, half, chart}, false);
  if (words > 0)
    paragraph(ui.canvas(), {area.x, area.y + chart + 20}, half, limit_words(state),
              styles::caption(ui.theme()));
  draw_held_out(ui, state, {area.right() - half, area.y, half, area.height}, false);
}

}  // namespace glassformer
