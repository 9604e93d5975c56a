#include "app/panels/top_bar.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/stage.h"
#include "app/panels/styles.h"
#include "app/panels/train_words.h"
#include "app/views/common/training_curves.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/marks.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

constexpr const char* kPauses = "Pausing…";
constexpr double kPausing = 0.3;  // seconds of it that nobody notices

// What is being prepared, else step and validation loss at the step shown, or the last one with its step;
// before the first validation the training loss, by its name. Returns where the words begin.
float progress_in_bar(ui::Ui& ui, const PanelInput& in, float right, float y) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const RunState& run = in.session.run();
  const Snapshot* snapshot = in.session.snapshot();
  if (const std::optional<double> opened = in.session.opening()) {
    const std::string doing = "opening " + format_percent(*opened);
    const float width = ui.text_width("opening 100 %", 12), left = right - width;
    canvas.text({right, y - 3}, doing, styles::right(styles::caption(t)));
    canvas.rectangle({left, y + 9, width, 3}, {.fill = t.control, .radius = 1});
    canvas.rectangle({left, y + 9, width * static_cast<float>(*opened), 3}, {.fill = t.ink, .radius = 1});
    ui.note({left, y - 10, width, 20}, "opening", doing);
    ui.ask_frame(0.1);
    return left;
  }
  if (run.phase == RunPhase::preparing) {
    std::string doing = run.message.empty() ? "preparing" : run.message;
    doing += " " + format_percent(run.progress);
    canvas.text({right, y}, doing, styles::right(styles::caption(t)));
    ui.ask_frame(0.2);
    return right - ui.text_width(doing, 12);
  }
  if (!snapshot) return right;
  const std::optional<long> back = in.session.looked_back();
  const long at = back.value_or(snapshot->step);
  double validation = back ? std::nan("") : snapshot->validation_loss;
  long measured = at;  // the step whose loss it is
  if (const auto* point = run.curves ? validation_at(*run.curves, at) : nullptr;
      point && !std::isfinite(validation) && (!back || point->step == at))
    validation = point->loss, measured = point->step;
  const bool validated = std::isfinite(validation);
  const auto* step_point = run.curves ? step_at(*run.curves, at) : nullptr;
  const double trained = step_point ? step_point->loss : std::nan("");
  const std::string loss = validated                ? format_loss(validation)
                           : std::isfinite(trained) ? format_loss(trained)
                                                    : "–";
  const TextStyle number = styles::number(t, 14);
  const auto part = [&](const std::string& word, const std::string& value) {
    right -= canvas.measure(value, number).x;
    canvas.text({right, y}, value, number);
    right -= ui.text_width(word, 12) + 6;
    canvas.text({right, y}, word, styles::caption(t));
    ui.note({right, y - 10, 80, 20}, word, value);
    right -= 12;
  };
  const float loss_ends = right;
  part(measured != at                         ? "loss at step " + format_count(measured)
       : validated || !std::isfinite(trained) ? "loss"
                                              : "training loss",
       loss);
  const bool held_out = !run.curves || has_held_out_pairs(*run.curves);
  ui.tooltip({right, y - 10, loss_ends - right, 20},
             std::string(explained("loss")) + "\n" +
                 (!validated ? "Of the last batch learned from"
                  : held_out ? "Of the held-out sentences; that of the sentence shown stands in Output"
                             : "The mean of the steps before, as no sentences are held out; that of the "
                               "sentence shown stands in Output"));
  // In full where there is room.
  part("step", in.layout.top_bar.width < 1400 ? format_count(at) : step_of_run_words(in.session, at));
  return right;
}

}  // namespace

std::string TopBar::draw(ui::Ui& ui, const PanelInput& in) {
  chosen_.clear();
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const Rect bar = in.layout.top_bar;
  const float y = bar.center().y;
  const bool narrow = bar.width < 900, medium = bar.width < 1200;
  canvas.line({0, bar.bottom() - 0.5f}, {bar.right(), bar.bottom() - 0.5f}, {.color = t.border});
  float x = kPadding;
  if (bar.width >= 520) {
    canvas.text({x, y}, "Glassformer", styles::heading(t));
    x += std::ceil(ui.text_width("Glassformer", 14, Font::semibold)) + (medium ? 12 : 18);
  }
  if (narrow)
    one_menu(ui, in, bar.width < 520 ? 12.0f : x);
  else
    x = way_back(ui, in, menus(ui, in, x));
  const bool quiet = in.layout.panels.quiet;
  const bool busy =
      in.session.training() || in.session.opening() || in.session.run().phase == RunPhase::preparing;
  float right = quiet ? whole_button(ui, bar, narrow) : bar.right();
  if (!quiet || busy) right = train_buttons(ui, in, {bar.x, bar.y, right, bar.height}, narrow) - 24;
  const bool plain = quiet || in.layout.hidden.train;  // nobody asks how far the model is
  if (bar.width >= 700 && (!plain || busy)) right = progress_in_bar(ui, in, right, y);

  // What is open, in the middle when there is room.
  const ModelTitle& title = in.session.title();
  const Snapshot* const snapshot = in.session.snapshot();
  const std::string description =
      plain && snapshot
          ? "a Transformer of " + format_count(parameter_count(snapshot->config)) + " parameters"
          : title.description;
  if (const WatchState* const watched = in.session.watched())
    return watched_title(ui, in, *watched, x, right), chosen_;
  const float name = ui.text_width(title.name, 14, Font::semibold), more = ui.text_width(description, 12);
  const float start = std::max(std::round(bar.center().x - (name + 12 + more) / 2), x + 24);
  if (bar.width < 1100 || start + name + 8 >= right) return chosen_;
  canvas.text({start, y}, title.name, styles::heading(t));
  ui.note({start, y - 10, name, 20}, "model", title.name);
  if (!in.named.name.empty()) {
    named_session(ui, in, start + name + 16, right);
    return chosen_;
  }
  if (start + name + 12 + more >= right) return chosen_;
  canvas.text({start + name + 12, y}, description, styles::caption(t));
  if (quiet)
    ui.tooltip({start + name + 12, y - 10, more, 20},
               "A Transformer is the kind of network that is seen through here; its weights are the numbers "
               "that it learned");
  return chosen_;
}

void TopBar::watched_title(ui::Ui& ui, const PanelInput& in, const WatchState& watched, float x,
                           float right) {
  const std::string name = in.session.title().name + ", fresh", more = "it learns the same sentences";
  const float wide = ui.text_width(name, 14, Font::semibold), all = wide + 12 + ui.text_width(more, 12);
  const Rect bar = in.layout.top_bar;
  const float start = std::max(std::round(bar.center().x - all / 2), x + 24);
  if (bar.width < 1100 || start + all >= right) return;
  ui.canvas().text({start, bar.center().y}, name, styles::heading(in.theme));
  ui.note({start, bar.center().y - 10, wide, 20}, "model", name);
  ui.canvas().text({start + wide + 12, bar.center().y}, more, styles::caption(in.theme));
  ui.tooltip({start + wide + 12, bar.center().y - 10, all - wide - 12, 20},
             "The same data and sizes, seed " + std::to_string(watched.run.options.seed) + ", from step 0");
}

// From the first screen to everything. Returns where it begins.
float TopBar::whole_button(ui::Ui& ui, const Rect& bar, bool narrow) {
  const float width = ui.button_width("Whole window");
  const Rect button{bar.right() - (narrow ? 12 : kPadding) - width, bar.center().y - 16, width, 32};
  if (Button(ui, button, "Whole window", {.tooltip = "Map, inspector, training, every view (F2)"}))
    chosen_ = "Whole window";
  if (bar.width < 900) return button.x;
  const float key = ui.text_width("F2", 12) + 12;
  draw_keycap(ui.canvas(), {button.x - 12 - key, bar.center().y}, "F2");
  return button.x - 12 - key;
}

// And back. Returns where it ends.
float TopBar::way_back(ui::Ui& ui, const PanelInput& in, float x) {
  if (in.layout.panels.quiet || in.lessons.taken() || in.layout.top_bar.width < 960) return x;
  const float y = in.layout.top_bar.center().y;
  const Point at{x + 24 + draw_keycap(ui.canvas(), {x + 16, y}, "F2"), y - 10};
  if (LinkButton(ui, at, "First screen",
                 {.tooltip = "A sentence, what each word read, and the ways on (F2)"}))
    chosen_ = "First screen";
  return at.x + ui.text_width("First screen", 12);
}

// Its name, a dot while something differs from the file, and the way back.
void TopBar::named_session(ui::Ui& ui, const PanelInput& in, float x, float right) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const float y = in.layout.top_bar.center().y;
  const NamedSession& named = in.named;
  const float back = named.can_go_back ? ui.text_width("Back to what was", 12) + 16 : 0;
  const float dot = named.changed ? 16.0f : 0.0f;
  if (right - x - dot < 60) return;
  const bool fits_back = right - x - dot - back > 80;
  const float room = right - x - dot - (fits_back ? back : 0);
  const std::string shown = elided(canvas, named.name, styles::body(t), std::min(room, 240.0f));
  const float width = ui.text_width(shown, 14);
  canvas.text({x, y}, shown, styles::body(t));
  ui.note({x, y - 10, width, 20}, "session", named.name);
  ui.tooltip({x, y - 10, width + dot, 20}, named.changed
                                               ? "Something differs from the session; Ctrl+S saves it"
                                               : "The session that is open");
  x += width + 10;
  if (named.changed) {
    canvas.circle({x, y}, 4, t.ink, {});
    ui.note({x - 4, y - 4, 8, 8}, "session changed", "changed");
    x += 10;
  }
  const float words = ui.text_width("session", 12);
  if (fits_back && right - x - back > words + 8) {
    canvas.text({x, y}, named.changed ? "changed" : "session", styles::caption(t));
    x += ui.text_width(named.changed ? "changed" : "session", 12) + 14;
  }
  if (fits_back && named.can_go_back && x + back - 16 < right &&
      LinkButton(ui, {x, y - 10}, "Back to what was", {.tooltip = "As it was before the session was opened"}))
    chosen_ = "Back to what was";
}

// The button in use turns into its opposite without moving. Returns where they begin.
float TopBar::train_buttons(ui::Ui& ui, const PanelInput& in, const Rect& bar, bool narrow) {
  const float y = bar.center().y;
  // What is under way can always be stopped.
  if (in.layout.hidden.train && !in.session.training() && in.session.run().phase != RunPhase::preparing)
    return bar.right() - kPadding;
  const RunState& run = in.session.run();
  const bool training = in.session.training(), preparing = run.phase == RunPhase::preparing;
  // Whoever wants to pause a run that ends just then does not mean the button it has turned into.
  if (training) trained_at_ = in.time;
  const bool just_ended = !training && run.phase == RunPhase::stopped && in.time - trained_at_ < 0.6;
  if (just_ended) ui.ask_frame(0.6);
  const bool can_train =
      in.session.train_would() != TrainWould::nothing && in.session.snapshot() && !preparing && !just_ended;
  // A step of a large model takes a while to end.
  if (!in.session.pausing()) paused_at_ = in.time;
  const bool pausing = in.session.pausing() && in.time - paused_at_ > kPausing;
  if (in.session.pausing()) ui.ask_frame(kPausing);
  const float train_width = std::max({ui.button_width("Train", ui::Icon::play),
                                      ui.button_width("Pause", ui::Icon::pause), ui.button_width(kPauses)});
  const Rect train{bar.right() - (narrow ? 12 : kPadding) - train_width, y - 16, train_width, 32};
  const ui::Icon icon = pausing ? ui::Icon::none : training ? ui::Icon::pause : ui::Icon::play;
  if (PrimaryButton(
          ui, train,
          pausing    ? kPauses
          : training ? "Pause"
                     : "Train",
          {.icon = icon, .enabled = can_train && !pausing, .tooltip = train_words(in.session).tip})) {
    if (training)
      ui.push(PauseTraining{});
    else
      ui.push(Train{});
  }
  if (narrow) return train.x;
  const float step_width = ui.button_width("+1 step");
  const Rect one{train.x - 8 - step_width, y - 16, step_width, 32};
  if (in.session.opening()) {
    if (Button(ui, one, "Cancel", {.id = "Cancel opening", .tooltip = "The model before stays open"}))
      ui.push(CancelOpening{});
  } else if (preparing) {
    if (Button(ui, one, "Cancel", {.tooltip = "Give up preparing the data; the model before stays"}))
      ui.push(CancelPreparing{});
  } else if (Button(ui, one, "+1 step",
                    {.enabled = can_train && !training, .tooltip = one_step_words(in.session)})) {
    ui.push(TrainOneStep{});
  }
  return one.x;
}

namespace {

// Save figure is at the right end; a moment after copying or saving it says so there. Returns where the
// path must end.
float draw_right_end(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const float y = rect.center().y;
  float right = rect.right() - kPadding;
  if (in.input) {
    const float width = std::ceil(ui.text_width("Save figure", 12)) + 26;
    const Rect save{right - width, y - 16, width, 32};
    const ui::Response response = ui.area(save, "Save figure", "button");
    ui.tooltip(save, "PNG, SVG, PDF or CSV (S)");
    const Color color = response.hovered ? t.ink : t.second_text;
    canvas.text({save.x, y}, "Save figure", {.size = 12, .color = color});
    ui::draw_icon(canvas, ui::Icon::save, {right - 8, y}, color);
    if (response.clicked) ui.push(OpenDialog{"save figure"});
    right = save.x - 16;
  }
  // Where no line under the stage leads to the inspector, this does.
  if (in.input && in.layout.inspector_place == InspectorPlace::hidden) {
    const float width = ui.text_width("Inspector", 12);
    if (LinkButton(ui, {right - width, y - 10}, "Inspector",
                   {.tooltip = "What a number is and how it was computed (I)"}))
      in.opened.inspector = !in.opened.inspector;
    right -= width + 16;
  }
  const bool saving = in.said.saving;
  if (saving || in.time < in.said.until) {
    const std::string words =
        elided(canvas, saving ? "saving…" : in.said.text, styles::caption(t), rect.width * 0.5f);
    canvas.text({right, y}, words, styles::right(styles::caption(t)));
    ui.note({right - 80, y - 10, 80, 20}, "said", saving ? words : in.said.text);
    right -= ui.text_width(words, 12) + 16;
    ui.ask_frame(saving ? 0.2 : in.said.until - in.time);
  }
  return right;
}

}  // namespace

void draw_breadcrumb(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.line({rect.x, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  const float y = rect.center().y, right = draw_right_end(ui, in, rect);

  std::vector<std::string> parts{"Model"};
  if (in.input && in.view)
    for (std::string& part : in.view->place(*in.input).path) parts.push_back(std::move(part));
  // Too long a path loses its beginning.
  size_t first = 0;
  const auto width_from = [&](size_t from) {
    float width = 0;
    for (size_t i = from; i < parts.size(); ++i)
      width += ui.text_width(parts[i], 14, i + 1 == parts.size() ? Font::semibold : Font::regular) + 22;
    return width;
  };
  while (first + 1 < parts.size() && width_from(first) > right - rect.x - kPadding) ++first;
  float x = rect.x + kPadding;
  for (size_t i = first; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const float width = ui.text_width(parts[i], 14, last ? Font::semibold : Font::regular);
    if (last) {
      canvas.text({x, y}, elided(canvas, parts[i], styles::heading(t), right - x), styles::heading(t));
    } else {
      const ui::Response response =
          ui.area({x - 4, y - 14, width + 8, 28}, "breadcrumb: " + parts[i], "button");
      canvas.text({x, y}, parts[i], response.hovered ? styles::body(t) : styles::body_second(t));
      if (response.clicked) go_up(ui, in, static_cast<int>(parts.size() - 1 - i));
    }
    x += width + 11;
    if (!last) ui::draw_icon(canvas, ui::Icon::chevron, {x, y}, t.second_text);
    x += 11;
  }
  std::string whole;
  for (const std::string& part : parts) whole += (whole.empty() ? "" : " > ") + part;
  ui.note({rect.x, rect.y, right - rect.x, rect.height}, "breadcrumb", whole);
}

}  // namespace glassformer
