#include "app/views/common/step_transport.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

StageFoot::StageFoot(ui::Ui& ui, const Rect& area, float height) : ui_(ui) {
  const Rect seen = ui.scroll.seen(area);
  covers_ = seen.bottom() < area.bottom() - 0.5f;
  // Where the stage scrolls down alone its bar lies inside; where it scrolls both ways, beside.
  const bool bar_inside = covers_ && seen.width > area.width - 0.5f;
  const Rect strip{seen.x, seen.bottom() - height, seen.width - (bar_inside ? ui::kBesideScrollBars : 0),
                   height};
  inside_ = {strip.x + kStagePadding, strip.y, strip.width - 2 * kStagePadding, height};
  if (!covers_) return;
  ui.begin_layer(strip, false);
  ui.note(strip, kStageFoot, "");
  ui.canvas().rectangle(strip, {.fill = ui.theme().paper});
  ui.canvas().line({strip.x, strip.y + 0.5f}, {strip.right(), strip.y + 0.5f}, {.color = ui.theme().border});
}

StageFoot::~StageFoot() {
  if (covers_) ui_.end_layer();
}

bool StepTransport::advance(ui::Ui& ui, int count) {
  if (!playing_) return false;
  const auto now = std::chrono::steady_clock::now();
  bool moved = false;
  if (now >= next_) {
    moved = at < count - 1;
    at = std::min(at + 1, count - 1);
    if (at >= count - 1) playing_ = false;
    next_ = now + std::chrono::milliseconds(static_cast<int>(seconds * 1000));
  }
  if (playing_) ui.ask_frame(std::max(0.01, std::chrono::duration<double>(next_ - now).count()));
  return moved;
}

bool StepTransport::show(ui::Ui& ui, const Rect& rect, int count, const TransportOptions& options) {
  using ui::Key;
  const int before = at, last = std::max(0, count - 1);
  at = std::clamp(at, 0, last);
  const auto jump = [&](int to) {
    playing_ = false;
    at = std::clamp(to, 0, last);
  };
  const auto play = [&] {
    playing_ = !playing_;
    if (playing_ && at == last) at = 0;
    next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<int>(seconds * 1000));
  };
  if (!ui.field_active() && !ui.popup.is_open()) {
    if (ui.pressed(Key::right)) jump(at + 1);
    if (ui.pressed(Key::left)) jump(at - 1);
    if (ui.pressed(Key::home)) jump(0);
    if (ui.pressed(Key::end)) jump(last);
    if (ui.pressed(Key::space)) play();
  }
  advance(ui, count);

  float x = rect.x;
  if (Button(ui, {x, rect.y, 76, 32}, "Back",
             {.icon = ui::Icon::back, .enabled = at > 0, .id = options.name + " back"}))
    jump(at - 1);
  x += 84;
  if (IconButton(ui, {x, rect.y, 36, 32}, playing_ ? ui::Icon::pause : ui::Icon::play,
                 (playing_ ? "Pause: " : "Play: ") + options.name))
    play();
  x += 44;
  if (PrimaryButton(ui, {x, rect.y, 84, 32}, "Next",
                    {.icon = ui::Icon::next, .enabled = at < last, .id = options.name + " next"}))
    jump(at + 1);
  x += 108;

  // Count and hint right, the bar between.
  const float y = rect.center().y;
  float right = rect.right();
  if (!options.hint.empty() && rect.width > 860) {
    const TextStyle hint{.size = 12, .color = ui.theme().second_text, .x = AlignX::right};
    ui.canvas().text({right, y}, options.hint, hint);
    right -= ui.text_width(options.hint, 12) + 24;
  }
  const std::string text =
      options.word + " " + format_count(at + 1) + " of " + format_count(std::max(1, count));
  ui.canvas().text({right, y}, text, {.size = 14, .color = ui.theme().ink, .x = AlignX::right});
  right -= ui.text_width(options.word + " " + format_count(count) + " of " + format_count(count)) + 20;
  if (right - x >= 60 && last > 0) {
    const Rect bar{x, rect.y, right - x, 32};
    if (count <= 16) {
      for (int i = 0; i <= last; ++i) {
        const float tick = std::round(bar.x + bar.width * static_cast<float>(i) / static_cast<float>(last));
        ui.canvas().line({tick, y - 7}, {tick, y + 7}, {.color = ui.theme().control, .width = 1.5f});
      }
    }
    double value = at;
    if (Slider(ui, bar, options.name + " step", value,
               {.minimum = 0, .maximum = static_cast<double>(last), .step = 1}))
      jump(static_cast<int>(std::lround(value)));
  }
  if (at != before) ui.ask_frame(0);
  return at != before;
}

}  // namespace glassformer
