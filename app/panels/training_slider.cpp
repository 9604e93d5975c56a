#include "app/panels/training_slider.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

// What it goes over.
struct SteppedRun {
  bool recurrent = false;
  bool known = false;                    // the weights on screen are its own
  bool unrecorded = false;               // nobody knows how the model was trained
  long newest = 0, last = 1;             // the open weights' step, and that at the end of the track
  std::optional<long> back;              // the earlier step that is shown
  bool ends = false;                     // the track does where the run is to
  std::shared_ptr<const Curves> curves;  // null: not recorded
  std::vector<long> kept;
  std::string words, said, pace;  // the step, what is under way, how fast; may be empty
  std::string way_back;           // "Back to the newest step"

  long shown() const { return back.value_or(newest); }
};

namespace {

template <class Kept>
std::vector<long> steps_of(const Kept& kept) {
  std::vector<long> steps;
  for (const auto& each : kept) steps.push_back(each->step());
  return steps;
}

SteppedRun stepped(const RunState& run, bool known, long newest, std::optional<long> back) {
  SteppedRun all{.known = known, .newest = newest, .back = back, .curves = run.curves};
  all.last = std::max(chart_steps(run), newest);
  all.ends = run.planned_steps > 0 && all.last == run.planned_steps;
  if (run.tokens_per_second > 0 && run.phase == RunPhase::training) {
    all.pace = format_count(std::llround(run.tokens_per_second)) + " tokens/s";
    if (run.seconds_left > 0) all.pace += " · " + format_duration(run.seconds_left) + " left";
  }
  if (run.starved) all.pace = kStarvedWords;
  return all;
}

SteppedRun of_transformer(const Session& session) {
  const RunState& run = session.run();
  const Snapshot* const snapshot = session.snapshot();
  // While a run prepares its data, the weights on screen are not its own.
  const bool unrecorded = snapshot != nullptr && unknown_training(run) && run.history.empty();
  const bool known = snapshot != nullptr && run.phase != RunPhase::preparing && !unrecorded;
  SteppedRun all = stepped(run, known, known ? snapshot->step : run.step, session.looked_back());
  all.unrecorded = unrecorded;
  all.kept = steps_of(run.history);
  all.words = step_of_run_words(session, all.shown());
  all.said = train_words(session).said;
  all.way_back = run.phase != RunPhase::none ? "Back to the newest step" : "Back to the model";
  return all;
}

SteppedRun of_recurrent(const RecurrentRunState& state) {
  const RunState run{.phase = state.running ? RunPhase::training : RunPhase::stopped,
                     .curves = state.curves,
                     .step = state.step,
                     .planned_steps = state.planned,
                     .tokens_per_second = state.tokens_per_s};
  const auto back = state.looked_at ? std::optional(state.looked_at->step()) : std::nullopt;
  const bool there = state.model && !state.preparing;
  SteppedRun all = stepped(run, there && state.curves, state.of_step, back);
  all.recurrent = true;
  all.unrecorded = there && !state.curves;
  all.kept = steps_of(state.history);
  const bool best = !state.running && !back && state.of_step < state.step;
  all.words =
      format_count(all.shown()) + (best ? ", the best of " + format_count(state.step) : std::string());
  all.said = state.preparing      ? "Preparing the data."
             : state.running      ? "Training now."
             : state.can_resume() ? "Stopped: it can go on."
             : state.curves       ? "It has learned."
                                  : "";
  all.way_back = state.running ? "Back to the newest step" : "Back to the model";
  return all;
}

SteppedRun stepped_run(const PanelInput& in) {
  return slides_recurrent(in) ? of_recurrent(*in.session.recurrent_run()) : of_transformer(in.session);
}

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

bool slides_recurrent(const PanelInput& in) {
  const RecurrentLook& look = in.session.recurrent();
  return in.view && in.view->traits().of_recurrent && in.session.recurrent_run() && (look.own || !look.scene);
}

void TrainingSlider::draw(ui::Ui& ui, const PanelInput& in) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const Rect bar = in.layout.slider;
  if (in.layout.hidden.slider) return;
  const SteppedRun run = stepped_run(in);
  if (std::exchange(recurrent_, run.recurrent) != run.recurrent) replay_from_.reset();
  const bool full = in.layout.bottom == BottomSize::full, one_row = in.layout.bottom == BottomSize::one_row;
  if (!one_row)
    canvas.line({bar.x, bar.y + 0.5f}, {bar.right(), bar.y + 0.5f}, {.color = t.border});
  else
    canvas.line({bar.x + 0.5f, bar.y}, {bar.x + 0.5f, bar.bottom()}, {.color = t.border});

  const bool known = run.known;
  const long newest = run.newest, shown = run.shown();
  StepTrack track{.rect = {}, .last = run.last};
  const std::string at = format_count(shown), of = format_count(track.last);
  const std::string title = run.recurrent ? "Recurrent" : "Training";

  if (full) {
    canvas.line({in.layout.left - 0.5f, bar.y}, {in.layout.left - 0.5f, bar.bottom()}, {.color = t.border});
    canvas.text({kPadding, bar.y + 31}, title, styles::heading(t));
    float x = kPadding;
    canvas.text({x, bar.y + 55}, "step", styles::caption(t));
    x += ui.text_width("step ", 12) + 4;
    const std::string step = known ? run.words : "–";
    const std::string words = run.ends && step == at ? at + " of " + of : step;
    ui.note({x, bar.y + 45, in.layout.left - x - 8, 20}, "step of the run", words);
    canvas.text({x, bar.y + 55}, elided(canvas, words, styles::number(t), in.layout.left - x - 8),
                styles::number(t));
    track.rect = {in.layout.left + kPadding, bar.y + 49, in.layout.right - in.layout.left - 2 * kPadding, 4};
    if (in.layout.inspector_place == InspectorPlace::column && !in.layout.hidden.decoding) {
      canvas.line({in.layout.right + 0.5f, bar.y}, {in.layout.right + 0.5f, bar.bottom()},
                  {.color = t.border});
      if (in.session.snapshot() || run.recurrent)
        side(ui, in, run,
             {in.layout.right + kPadding, bar.y, bar.right() - in.layout.right - 2 * kPadding, bar.height});
    }
  } else if (!one_row) {
    canvas.text({kPadding, bar.y + 24}, title, styles::heading(t));
    float x = kPadding + ui.text_width(title, 14, Font::semibold) + 12;
    const std::string words = known ? at : "–";
    if (x + ui.text_width("step ", 12) + canvas.measure(words, styles::number(t)).x + 4 <
        in.layout.left - 8) {
      canvas.text({x, bar.y + 24}, "step", styles::caption(t));
      canvas.text({x + ui.text_width("step ", 12) + 4, bar.y + 24}, words, styles::number(t));
    }
    const float right = buttons(ui, in, run, {bar.right() - kPadding, bar.y + 24});
    track.rect = {in.layout.left, bar.y + 22, right - in.layout.left, 4};
  } else {
    const std::string words = known ? at : "–";
    const float right = buttons(ui, in, run, {bar.right() - 16, bar.y + 20}),
                left = bar.x + 16 + canvas.measure(words, styles::number(t)).x + 16;
    canvas.text({bar.x + 16, bar.y + 20}, words, styles::number(t));
    track.rect = {left, bar.y + 18, std::max(40.0f, right - left - 4), 4};
  }

  if (run.unrecorded) {
    const char* const words = "How this model was trained is not known.";
    const TextStyle style = styles::caption(t);
    canvas.text({track.rect.x, track.rect.center().y}, elided(canvas, words, style, track.rect.width), style);
    return ui.note(track.rect, "training not known", words);
  }
  if (full && run.curves && run.curves->validations.size() >= 2) draw_backdrop(ui, track, *run.curves, bar);
  const ui::Response hand = known ? slide(ui, in, run, track) : ui::Response{};
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
  ui.note({line.x, line.y - 8, line.width, 20}, run.recurrent ? "recurrent step" : "training step",
          std::to_string(shown));
  ui.note({line.right() - 1, line.y - 8, 1, 20}, "last step of the slider", std::to_string(track.last));
}

// Dragging, the arrow keys while it has the focus, and playing.
ui::Response TrainingSlider::slide(ui::Ui& ui, const PanelInput& in, const SteppedRun& run,
                                   const StepTrack& track) {
  const Rect reach{track.rect.x - 8, track.rect.y - 14, track.rect.width + 16, 32};
  if (run.kept.empty()) {
    replay_from_.reset();
    ui.tooltip(reach, run.recurrent ? "No earlier step of the recurrent model is kept"
                                    : "Train, and drag here: every view goes back to any step of the run");
    return {};
  }
  const ui::Response response = ui.area(reach, "training slider", "slider");
  if (response.held && ui.mouse()) {
    replay_from_.reset();
    const float x = ui.mouse()->x;
    // Of a model that is the best of its run later steps were kept, too.
    const bool last = run.kept.back() <= run.newest;
    const bool at_end = last && x > track.place(static_cast<double>(run.newest)) - kReach;
    ui.push(ShowStep{at_end ? std::nullopt : std::optional(track.step_at(x)), run.recurrent});
    ui.ask_frame(0);
  }
  if (response.focused && ui.pressed(ui::Key::left)) show_next_kept(ui, in, -1);
  if (response.focused && ui.pressed(ui::Key::right)) show_next_kept(ui, in, 1);

  if (replay_from_) {
    const double share = (in.time - *replay_from_) / kReplaySeconds;
    const bool over = share >= 1;
    if (over) replay_from_.reset();
    const auto step = std::lround(share * share * static_cast<double>(run.newest));
    ui.push(ShowStep{over ? std::nullopt : std::optional(step), run.recurrent});
    if (!over) ui.ask_frame(1.0 / 30);
  }
  return response;
}

// The kept step before or behind the one shown; the open weights are among them at their own step.
void TrainingSlider::show_next_kept(ui::Ui& ui, const PanelInput& in, int by) {
  const SteppedRun run = stepped_run(in);
  if (run.kept.empty() || !run.known) return;
  replay_from_.reset();
  std::vector<long> steps = run.kept;
  steps.push_back(run.newest);
  std::ranges::sort(steps);
  const auto next =
      by > 0 ? std::ranges::upper_bound(steps, run.shown()) : std::ranges::lower_bound(steps, run.shown());
  if (next == (by > 0 ? steps.end() : steps.begin())) return;
  const long step = by > 0 ? *next : *std::prev(next);
  ui.push(ShowStep{step == run.newest ? std::nullopt : std::optional(step), run.recurrent});
}

// Of a low bar, from its right end on: playing, and the way back where one looks back. Returns where the
// track may end.
float TrainingSlider::buttons(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, Point right_end) {
  if (run.kept.empty()) return right_end.x;
  float right = right_end.x;
  const auto place = [&] {
    right -= 32;
    return Rect{right, right_end.y - 16, 32, 32};
  };
  play_button(ui, in, run, place());
  if (run.back && IconButton(ui, place(), ui::Icon::close, "Back to the newest step",
                             {.tooltip = run.way_back + " (Esc)"})) {
    replay_from_.reset();
    ui.push(ShowStep{{}, run.recurrent});
  }
  return right - 12;
}

void TrainingSlider::play_button(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, const Rect& rect) {
  const bool playing = replay_from_.has_value();
  if (IconButton(ui, rect, playing ? ui::Icon::pause : ui::Icon::play, "Play the training",
                 {.tooltip = playing         ? "Stop here"
                             : run.recurrent ? "The recurrent model, from step 0 to the newest"
                                             : "Every view, from step 0 to the newest"}))
    replay_from_ = playing ? std::nullopt : std::optional(in.time);
}

// What is under way, and the buttons of the way back.
void TrainingSlider::side(ui::Ui& ui, const PanelInput& in, const SteppedRun& run, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  float right = rect.right();
  if (!run.kept.empty()) {
    const Rect button{right - 32, rect.y + 27, 32, 32};
    play_button(ui, in, run, button);
    right = button.x - 12;
  }
  const std::string first = run.back ? "As it was at step " + format_count(*run.back) + "." : run.said;
  canvas.text({rect.x, rect.y + 31}, elided(canvas, first, styles::caption(t), right - rect.x),
              styles::caption(t));
  if (run.back) {
    if (LinkButton(ui, {rect.x, rect.y + 46}, run.way_back,
                   {.id = "Back to the newest step", .tooltip = "Esc does it, too"})) {
      replay_from_.reset();
      ui.push(ShowStep{{}, run.recurrent});
    }
  } else if (!run.pace.empty()) {
    canvas.text({rect.x, rect.y + 55}, elided(canvas, run.pace, styles::faint_number(t), right - rect.x),
                styles::faint_number(t));
    ui.note({rect.x, rect.y + 45, right - rect.x, 20}, "training pace", run.pace);
  } else if (run.kept.size() > 1) {
    canvas.text({rect.x, rect.y + 55},
                elided(canvas, "Drag to see any earlier step.", styles::caption(t), right - rect.x),
                styles::caption(t));
  }
}

}  // namespace glassformer
