#include "app/panels/watch_attempts.h"

#include <algorithm>
#include <string>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/text/unicode.h"

namespace glassformer {

namespace {

constexpr std::size_t kMostSigns = 16;  // of a word

std::string shown_word(const AttemptWord& word) {
  std::string text;
  std::size_t signs = 0;
  for (std::size_t at = 0; at < word.text.size() && signs <= kMostSigns; ++signs) {
    const std::size_t begin = at;
    next_code_point(word.text, at);
    text += signs == kMostSigns ? "…" : word.text.substr(begin, at - begin);
  }
  return text;
}

}  // namespace

float draw_attempt(Canvas& canvas, Point at, const Attempt& attempt, float size, float right) {
  const Theme& t = canvas.theme();
  float x = at.x;
  for (const AttemptWord& word : attempt.words) {
    const TextStyle style{.size = size, .color = word.right ? t.ink : t.wrong};
    const std::string text = shown_word(word);
    const float width = text.empty() ? 3 * size : canvas.measure(text, style).x;
    if (x + width > right && x == at.x) {
      canvas.text({x, at.y}, elided(canvas, text, style, right - x), style);
      return right;
    }
    if (x + width > right) {
      canvas.text({x, at.y}, "…", {.size = size, .color = t.ink});
      return x + size;
    }
    if (word.text.empty()) {
      canvas.rectangle({x + 2, at.y - size * 0.75f, width - 4, size * 1.5f},
                       {.outline = t.wrong, .outline_width = 1.5f, .radius = 4, .dashed = true});
    } else {
      canvas.text({x, at.y}, text, style);
      if (!word.right) canvas.line({x, at.y + size * 0.7f}, {x + width, at.y + size * 0.7f}, {t.wrong, 1.5f});
    }
    x += width + size * 0.3f;
    if (word.times > 1) {
      const TextStyle times{.size = 12, .color = t.second_text};
      const std::string count = std::to_string(word.times) + " times";
      canvas.text({x + 2, at.y}, count, times);
      x += canvas.measure(count, times).x + size * 0.6f;
    }
  }
  if (attempt.cut) canvas.text({x, at.y}, "…", {.size = size, .color = t.ink}), x += size;
  return x;
}

namespace {

constexpr float kLabel = 136, kScore = 148;  // left of the words, and right of them

void draw_line(ui::Ui& ui, const std::string& name, const std::string& text, const Rect& line, bool now,
               const std::string& goal) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  const float y = line.center().y, size = now ? 20.0f : 16.0f, words = line.right() - kScore;
  canvas.text({line.x, y}, name, now ? styles::heading(t) : styles::caption(t));
  const Attempt attempt = attempt_of(text, goal);
  if (attempt.writes_nothing())
    canvas.text({line.x + kLabel, y}, attempt.says(), {.size = size, .color = t.second_text});
  else
    draw_attempt(canvas, {line.x + kLabel, y}, attempt, size, words - 32);
  const std::size_t wanted = split_words(goal).size();
  if (wanted == 0) return;  // a trained model that writes nothing sets no goal
  draw_share_bar(canvas, {words, y - 3, 72, 6},
                 static_cast<double>(attempt.hits) / static_cast<double>(wanted),
                 now ? t.ink : t.second_text);
  const std::string score = std::to_string(attempt.hits) + " of " + std::to_string(wanted);
  canvas.text({line.right(), y}, score, styles::right(styles::number(t, now ? 14 : 12)));
  ui.note(line, "watched " + name, attempt.words.empty() ? attempt.says() : text + ": " + score);
}

}  // namespace

void draw_attempts(ui::Ui& ui, const WatchState& state, const WatchScene& scene, const std::string& language,
                   const Rect& area) {
  Canvas& canvas = ui.canvas();
  const Theme& t = canvas.theme();
  float y = area.y;
  const auto line = [&](float height) {
    y += height;
    return Rect{area.x, y - height, area.width, height};
  };
  const auto titled = [&](const std::string& name, const std::string& text, Color color) {
    const Rect at = line(36);
    const TextStyle style{.size = 20, .color = color};
    canvas.text({at.x, at.center().y}, elided(canvas, name, styles::caption(t), kLabel - 8),
                styles::caption(t));
    canvas.text({at.x + kLabel, at.center().y}, elided(canvas, text, style, at.width - kLabel), style);
    return at;
  };
  titled(language, state.sentence.source, t.second_text);
  ui.tooltip(titled("Goal", scene.right, t.ink), "The goal is " + goal_words(state) + ".");
  y += 12;
  const Rect head = line(24);
  canvas.text({head.x + kLabel, head.center().y}, "What it writes", styles::heading(t));
  if (area.width > 800)
    canvas.text({head.x + kLabel + ui.text_width("What it writes", 14, Font::semibold) + 12, head.center().y},
                "line by line, after more and more steps; each changes all its numbers a little",
                styles::caption(t));
  canvas.text({head.right(), head.center().y}, "words of the goal", styles::right(styles::caption(t)));
  const long step = state.result->snapshot->step;
  constexpr float kNow = 44, kLine = 32;
  const auto room =
      std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>((area.bottom() - y - kNow) / kLine));
  auto earlier = std::span(state.attempts);
  while (!earlier.empty() && earlier.back().step >= step) earlier = earlier.first(earlier.size() - 1);
  if (std::ssize(earlier) > room) earlier = earlier.last(static_cast<std::size_t>(room));
  for (const WatchedAttempt& each : earlier)
    draw_line(ui, "step " + format_count(each.step), each.written, line(kLine), false, scene.right);
  if (!earlier.empty()) canvas.line({area.x, y + 2}, {area.right(), y + 2}, {t.border, 1});
  draw_line(ui, "now, step " + format_count(step), state.result->translation, line(kNow), true, scene.right);
}

}  // namespace glassformer
