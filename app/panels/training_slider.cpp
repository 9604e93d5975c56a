#include "app/panels/training_slider.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/panels/train_words.h"
#include "app/reading/run_schedule.h"
#include "app/widgets/label_place.h"

namespace glassformer {

// Steps are on the slider at the square root of their number, so that early ones have room.
struct StepTrack {
  Rect rect;
  long last = 1;

  float place(double step) const {
    return rect.x +
           static_cast<float>(std::sqrt(std::clamp(step / static_cast<double>(last), 0.0, 1.0))) * rect.width;
  }
  long step_at(float x) const {
    const double share = std::clamp(static_cast<double>((x - rect.x) / rect.width), 0.0, 1.0);
    return std::lround(share * share * static_cast<double>(last));
  }
};

namespace {

constexpr double kReplaySeconds = 8;
constexpr float kReach = 6;  // pixels: dropped so near to the newest step, the slider follows it again

// The loss of the looks from the start to here, each of its improvements a dot, and its name where there is
// room.
void draw_backdrop(ui::Ui& ui, const StepTrack& track, const Curves& curves, const Rect& bar) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  double high = 0;
  for (const ValidationPoint& p : curves.validations)
    if (std::isfinite(p.loss)) high = std::max(high, p.loss);
  if (high <= 0) return;
  const float top = bar.y + 10, floor = track.rect.y - 3;
  std::vector<Point> line, better;
  for (const ValidationPoint& p : curves.validations) {
    if (!std::isfinite(p.loss)) continue;
    const Point next{track.place(static_cast<double>(p.step)),
                     floor - static_cast<float>(p.loss / high) * (floor - top)};
    if (p.best && (better.empty() || next.x - better.back().x >= 8)) better.push_back(next);
    // Points nearer than a pixel add nothing.
    if (!line.empty() && next.x - line.back().x < 1 && &p != &curves.validations.back()) continue;
    line.push_back(next);
  }
  for (size_t i = 1; i < line.size(); ++i)
    canvas.polygon(std::array{line[i - 1], line[i], Point{line[i].x, floor}, Point{line[i - 1].x, floor}},
                   t.sunken);
  canvas.polyline(line, {.color = t.faint_text, .width = 1});
  for (const Point& at : better) canvas.circle(at, 2, t.second_text, {});

  LabelSpace space({track.rect.x, bar.y + 2, track.rect.width, floor - bar.y - 2});
  space.keep_off(line);
  for (const Point& at : better) space.keep_off(Rect{at.x - 2, at.y - 2, 4, 4});
  const char* const name = loss_name(has_held_out_pairs(curves));
  const Point size{ui.text_width(name, 12), 16};
  std::vector<Rect> wishes;
  for (const float share : {0.36f, 0.5f, 0.64f, 0.2f, 0.04f})
    for (const float y : {bar.y + 12, bar.y + 4, floor - size.y - 1})
      wishes.push_back({track.rect.x + track.rect.width * share, y, size.x, size.y});
  if (const auto spot = space.first_free(wishes))
    canvas.text({spot->x, spot->center().y}, name, styles::caption(t));
}

// Ticks at 0, N/64, N/16, N/4, N, as far as their numbers keep apart.
void draw_ticks(Canvas& canvas, const StepTrack& track, float y) {
  const Theme& t = canvas.theme();
  const TextStyle style = styles::faint_number(t);
  float free_from = track.rect.x - 100;
  const float last_width = canvas.measure(format_count(track.last), style).x;
  for (const long part : {0L, 64L, 16L, 4L, 1L}) {
    if (part > 1 && track.last < 2 * part) continue;
    const long value =
        part == 0 ? 0 : std::lround(static_cast<double>(track.last) / static_cast<double>(part));
    const std::string words = format_count(value);
    const float width = canvas.measure(words, style).x, x = track.place(static_cast<double>(value));
    const float left = part == 0 ? x : part == 1 ? x - width : x - width / 2;
    if (left < free_from || (part != 1 && left + width + 12 > track.rect.right() - last_width)) continue;
    canvas.line({std::round(x) + 0.5f, track.rect.y + 5}, {std::round(x) + 0.5f, track.rect.y + 11},
                {.color = t.control});
    canvas.text({left, y}, words, style);
    free_from = left + width + 12;
  }
}

}  // namespace

void TrainingSlider::draw(ui::Ui& ui, const PanelInput& in) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const Rect bar = in.layout.slider;
  if (in.layout.hidden.slider) return;
  const RunState& run = in.session.run();
  const Snapshot* snapshot = in.session.snapshot();
  const bool full = in.layout.bottom == BottomSize::full, one_row = in.layout.bottom == BottomSize::one_row;
  if (!one_row)
    canvas.line({bar.x, bar.y + 0.5f}, {bar.right(), bar.y + 0.5f}, {.color = t.border});
  else
    canvas.line({bar.x + 0.5f, bar.y}, {bar.x + 0.5f, bar.bottom()}, {.color = t.border});

  // While a run prepares its data, the weights on screen are not its own.
  const bool unknown = snapshot != nullptr && unknown_training(run) && run.history.empty();
  const bool known = snapshot != nullptr && run.phase != RunPhase::preparing && !unknown;
  const long newest = known ? snapshot->step : run.step;
  const long shown = in.session.looked_back().value_or(newest);
  StepTrack track{.rect = {}, .last = std::max(chart_steps(run), newest)};
  const std::string at = format_count(shown), of = format_count(track.last);
  const bool ends = run.planned_steps > 0 && track.last == run.planned_steps;

  if (full) {
    canvas.line({in.layout.left - 0.5f, bar.y}, {in.layout.left - 0.5f, bar.bottom()}, {.color = t.border});
    canvas.text({kPadding, bar.y + 31}, "Training", styles::heading(t));
    float x = kPadding;
    canvas.text({x, bar.y + 55}, "step", styles::caption(t));
    x += ui.text_width("step ", 12) + 4;
    const std::string step = known ? step_of_run_words(in.session, shown) : "–";
    const std::string words = ends && step == at ? at + " of " + of : step;
    ui.note({x, bar.y + 45, in.layout.left - x - 8, 20}, "step of the run", words);
    canvas.text({x, bar.y + 55}, elided(canvas, words, styles::number(t), in.layout.left - x - 8),
                styles::number(t));
    track.rect = {in.layout.left + kPadding, bar.y + 49, in.layout.right - in.layout.left - 2 * kPadding, 4};
    if (in.layout.inspector_place == InspectorPlace::column && !in.layout.hidden.decoding) {
      canvas.line({in.layout.right + 0.5f, bar.y}, {in.layout.right + 0.5f, bar.bottom()},
                  {.color = t.border});
      if (snapshot)
        side(ui, in,
             {in.layout.right + kPadding, bar.y, bar.right() - in.layout.right - 2 * kPadding, bar.height});
    }
  } else if (!one_row) {
    canvas.text({kPadding, bar.y + 24}, "Training", styles::heading(t));
    float x = kPadding + ui.text_width("Training", 14, Font::semibold) + 12;
    const std::string words = known ? at : "–";
    if (x + ui.text_width("step ", 12) + canvas.measure(words, styles::number(t)).x + 4 <
        in.layout.left - 8) {
      canvas.text({x, bar.y + 24}, "step", styles::caption(t));
      canvas.text({x + ui.text_width("step ", 12) + 4, bar.y + 24}, words, styles::number(t));
    }
    const float right = buttons(ui, in, {bar.right() - kPadding, bar.y + 24});
    track.rect = {in.layout.left, bar.y + 22, right - in.layout.left, 4};
  } else {
    const std::string words = known ? at : "–";
    const float right = buttons(ui, in, {bar.right() - 16, bar.y + 20}),
                left = bar.x + 16 + canvas.measure(words, styles::number(t)).x + 16;
    canvas.text({bar.x + 16, bar.y + 20}, words, styles::number(t));
    track.rect = {left, bar.y + 18, std::max(40.0f, right - left - 4), 4};
  }

  if (unknown) {
    const char* const words = "How this model was trained is not known.";
    const TextStyle style = styles::caption(t);
    canvas.text({track.rect.x, track.rect.center().y}, elided(canvas, words, style, track.rect.width), style);
    return ui.note(track.rect, "training not known", words);
  }
  if (full && run.curves && run.curves->validations.size() >= 2) draw_backdrop(ui, track, *run.curves, bar);
  const ui::Response hand = known ? slide(ui, in, track, newest) : ui::Response{};
  const Rect& line = track.rect;
  canvas.rectangle(line, {.fill = t.control, .radius = 2});
  if (known) {
    const float now = track.place(static_cast<double>(newest)),
                thumb = track.place(static_cast<double>(shown));
    if (shown < newest)
      canvas.rectangle({line.x, line.y, now - line.x, 4}, {.fill = t.faint_text, .radius = 2});
    if (shown < newest) canvas.circle({now, line.y + 2}, 4, t.faint_text, {});
    canvas.rectangle({line.x, line.y, thumb - line.x, 4}, {.fill = t.ink, .radius = 2});
    canvas.circle({thumb, line.y + 2}, 8, hand.held ? t.hover : t.panel, {.color = t.ink, .width = 2});
    if (hand.focused)
      canvas.rectangle({thumb - 12, line.y - 10, 24, 24},
                       {.outline = t.ink, .outline_width = 2, .radius = 8});
    draw_ticks(canvas, track, line.y + (full ? 21.0f : 20.0f));
  }
  ui.note({line.x, line.y - 8, line.width, 20}, "training step", std::to_string(shown));
  ui.note({line.right() - 1, line.y - 8, 1, 20}, "last step of the slider", std::to_string(track.last));
}

// Dragging, the arrow keys while it has the focus, and playing.
ui::Response TrainingSlider::slide(ui::Ui& ui, const PanelInput& in, const StepTrack& track, long newest) {
  const History::Kept& kept = in.session.run().history;
  const Rect reach{track.rect.x - 8, track.rect.y - 14, track.rect.width + 16, 32};
  if (kept.empty()) {
    replay_from_.reset();
    ui.tooltip(reach, "Train, and drag here: every view goes back to any step of the run");
    return {};
  }
  const ui::Response response = ui.area(reach, "training slider", "slider");
  if (response.held && ui.mouse()) {
    replay_from_.reset();
    const float x = ui.mouse()->x;
    // Of a model that is the best of its run later steps were kept, too.
    const bool last = kept.back()->step() <= newest;
    const bool at_end = last && x > track.place(static_cast<double>(newest)) - kReach;
    ui.push(ShowStep{at_end ? std::nullopt : std::optional(track.step_at(x))});
    ui.ask_frame(0);
  }
  if (response.focused && ui.pressed(ui::Key::left)) show_next_kept(ui, in, -1);
  if (response.focused && ui.pressed(ui::Key::right)) show_next_kept(ui, in, 1);

  if (replay_from_) {
    const double share = (in.time - *replay_from_) / kReplaySeconds;
    const bool over = share >= 1;
    if (over) replay_from_.reset();
    const auto step = std::lround(share * share * static_cast<double>(newest));
    ui.push(ShowStep{over ? std::nullopt : std::optional(step)});
    if (!over) ui.ask_frame(1.0 / 30);
  }
  return response;
}

// The kept step before or behind the one shown; the open weights are among them at their own step.
void TrainingSlider::show_next_kept(ui::Ui& ui, const PanelInput& in, int by) {
  const History::Kept& kept = in.session.run().history;
  if (kept.empty() || !in.session.snapshot()) return;
  replay_from_.reset();
  const long own = in.session.snapshot()->step, shown = in.session.looked_back().value_or(own);
  std::vector<long> steps{own};
  for (const auto& each : kept) steps.push_back(each->step());
  std::ranges::sort(steps);
  const auto next = by > 0 ? std::ranges::upper_bound(steps, shown) : std::ranges::lower_bound(steps, shown);
  if (next == (by > 0 ? steps.end() : steps.begin())) return;
  const long step = by > 0 ? *next : *std::prev(next);
  ui.push(ShowStep{step == own ? std::nullopt : std::optional(step)});
}

// Of a low bar, from its right end on: playing, and the way back where one looks back. Returns where the
// track may end.
float TrainingSlider::buttons(ui::Ui& ui, const PanelInput& in, Point right_end) {
  if (in.session.run().history.empty()) return right_end.x;
  float right = right_end.x;
  const auto place = [&] {
    right -= 32;
    return Rect{right, right_end.y - 16, 32, 32};
  };
  play_button(ui, in, place());
  if (in.session.looked_back() && IconButton(ui, place(), ui::Icon::close, "Back to the newest step",
                                             {.tooltip = "Back to the newest step (Esc)"})) {
    replay_from_.reset();
    ui.push(ShowStep{});
  }
  return right - 12;
}

void TrainingSlider::play_button(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  const bool playing = replay_from_.has_value();
  if (IconButton(ui, rect, playing ? ui::Icon::pause : ui::Icon::play, "Play the training",
                 {.tooltip = playing ? "Stop here" : "Every view, from step 0 to the newest"}))
    replay_from_ = playing ? std::nullopt : std::optional(in.time);
}

// What goes on, and the buttons of the way back.
void TrainingSlider::side(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const RunState& run = in.session.run();
  const std::optional<long> back = in.session.looked_back();
  float right = rect.right();
  if (!run.history.empty()) {
    const Rect button{right - 32, rect.y + 27, 32, 32};
    play_button(ui, in, button);
    right = button.x - 12;
  }
  const std::string first =
      back ? "As it was at step " + format_count(*back) + "." : train_words(in.session).said;
  canvas.text({rect.x, rect.y + 31}, elided(canvas, first, styles::caption(t), right - rect.x),
              styles::caption(t));
  if (back) {
    const bool begun = run.phase != RunPhase::none;
    if (LinkButton(ui, {rect.x, rect.y + 46}, begun ? "Back to the newest step" : "Back to the model",
                   {.id = "Back to the newest step", .tooltip = "Esc does it, too"})) {
      replay_from_.reset();
      ui.push(ShowStep{});
    }
  } else if (run.tokens_per_second > 0 && run.phase == RunPhase::training) {
    std::string pace = format_count(std::llround(run.tokens_per_second)) + " tokens/s";
    if (run.seconds_left > 0) pace += " · " + format_duration(run.seconds_left) + " left";
    canvas.text({rect.x, rect.y + 55}, elided(canvas, pace, styles::faint_number(t), right - rect.x),
                styles::faint_number(t));
  } else if (run.history.size() > 1) {
    canvas.text({rect.x, rect.y + 55},
                elided(canvas, "Drag to see any earlier step.", styles::caption(t), right - rect.x),
                styles::caption(t));
  }
}

}  // namespace glassformer
