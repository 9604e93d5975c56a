#include <algorithm>
#include <cmath>
#include <limits>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/views/training/training.h"
#include "app/widgets/marks.h"
#include "engine/text/word_difference.h"

namespace glassformer {

namespace {

constexpr int kHistory = 8;  // boxes of a sentence's history

// The attempt at a step, and up to eight that show the progress.
const HeldOutSentence::Attempt* attempt_at(const HeldOutSentence& sentence, long step) {
  const HeldOutSentence::Attempt* found = sentence.attempts.empty() ? nullptr : &sentence.attempts.front();
  for (const auto& attempt : sentence.attempts)
    if (attempt.step <= step) found = &attempt;
  return found;
}

std::vector<const HeldOutSentence::Attempt*> history_of(const HeldOutSentence& sentence,
                                                        const HeldOutSentence::Attempt* shown) {
  std::vector<const HeldOutSentence::Attempt*> history;
  const int count = static_cast<int>(sentence.attempts.size());
  const int boxes = std::min(count, kHistory);
  for (int i = 0; i < boxes; ++i) {
    // Early attempts differ most: choose them by the square of the place, the newest always among them.
    const double share = boxes > 1 ? double(i) / (boxes - 1) : 1;
    const int place =
        count <= kHistory ? i : std::max(i, static_cast<int>(std::lround(share * share * (count - 1))));
    history.push_back(&sentence.attempts[static_cast<std::size_t>(place)]);
  }
  // The one whose words are above has its box: in place of the one before it.
  const auto at = std::ranges::upper_bound(history, shown);
  if (shown && at != history.begin() && *std::prev(at) != shown) *std::prev(at) = shown;
  return history;
}

// Under the boxes, from the newest on; those that would touch the next are left out.
void draw_steps_of(Canvas& canvas, const std::vector<const HeldOutSentence::Attempt*>& history, Point at,
                   float pitch) {
  const TextStyle style{
      .font = Font::mono, .size = 11, .color = canvas.theme().second_text, .x = AlignX::center};
  constexpr float kGap = 6;
  float free_to = std::numeric_limits<float>::max();
  for (std::size_t h = history.size(); h-- > 0;) {
    const std::string words = format_short(double(history[h]->step));
    const float center = at.x + pitch * static_cast<float>(h) + (pitch - 4) / 2,
                half = canvas.measure(words, style).x / 2;
    if (center + half > free_to) continue;
    canvas.text({center, at.y}, words, style);
    free_to = center - half - kGap;
  }
}

// Words of an attempt, wrapped; the wrong ones underlined in their colour. Returns the height used.
float draw_attempt(Canvas& canvas, Point at, float width, const WordDifference& difference) {
  const Theme& theme = canvas.theme();
  constexpr float kLine = 24, kLines = 3, kDots = 22;
  Point pen = at;
  if (difference.words.empty())
    canvas.text({pen.x, pen.y + kLine / 2}, "(nothing)", {.size = 14, .color = theme.wrong});
  for (const MarkedWord& word : difference.words) {
    const TextStyle style{.size = 14, .color = word.right ? theme.ink : theme.wrong};
    const std::string shown = elided(canvas, word.text, style, width);
    const float advance = canvas.measure(shown, style).x;
    const bool last_line = pen.y - at.y > (kLines - 1.5f) * kLine;
    const bool wraps = pen.x > at.x && pen.x + advance > at.x + width - (last_line ? kDots : 0);
    if (wraps && last_line) {  // a model that knows nothing writes on and on
      canvas.text({at.x + width, pen.y + kLine / 2}, "…",
                  {.size = 14, .color = theme.wrong, .x = AlignX::right});
      break;
    }
    if (wraps) pen = {at.x, pen.y + kLine};
    canvas.text({pen.x, pen.y + kLine / 2}, shown, style);
    if (!word.right)
      canvas.line({pen.x, pen.y + kLine - 3}, {pen.x + advance, pen.y + kLine - 3},
                  {.color = theme.wrong, .width = 1.5f});
    pen.x += advance + 8;
  }
  return pen.y + kLine - at.y;
}

// A sunken box filled as far as words are right; a tick when all are.
void draw_box(Canvas& canvas, const Rect& box, const WordDifference& difference, bool shown) {
  const Theme& theme = canvas.theme();
  const bool all = difference.same();
  canvas.rectangle(box, {.fill = all ? theme.ink : theme.sunken, .radius = 2});
  if (all) {
    draw_mark(canvas, box.center(), Mark::tick, theme.on_ink, 8);
  } else if (difference.right > 0) {
    const float share = std::min(
        1.0f, static_cast<float>(difference.right) / static_cast<float>(std::max(1, difference.expected)));
    canvas.rectangle({box.x + 2, box.y + 2, std::max(2.0f, (box.width - 4) * share), box.height - 4},
                     {.fill = theme.faint_text, .radius = 1});
  }
  if (shown) canvas.rectangle(box.inset(-2), {.outline = theme.ink, .outline_width = 2, .radius = 4});
}

// The head of the column, as the inspector has it.
void draw_held_out_head(Canvas& canvas, const Rect& rect, const RunState& run, long step,
                        bool none_held_out) {
  const Theme& theme = canvas.theme();
  canvas.text({rect.x + 24, rect.y + 22}, none_held_out ? "Sentences it learns from" : "Held-out sentences",
              {.font = Font::semibold, .size = 14, .color = theme.ink});
  TextStyle note = caption_style(canvas);
  note.x = AlignX::right;
  // They are looked at now and then, not at every step.
  const auto* look = run.held_out.empty() ? nullptr : attempt_at(run.held_out.front(), step);
  canvas.text({rect.right() - 24, rect.y + 22}, "at step " + format_count(look ? look->step : step), note);
  canvas.line({rect.x, rect.y + 44}, {rect.right(), rect.y + 44}, {.color = theme.border});
}

// Source and how many words are right. Returns the height used.
float draw_source(ui::Ui& ui, const Rect& column, float y, const HeldOutSentence& sentence,
                  const WordDifference& difference) {
  Canvas& canvas = ui.canvas();
  std::string score = std::to_string(difference.right) + " / " + std::to_string(difference.expected);
  const int more = static_cast<int>(difference.words.size()) - difference.expected;
  if (difference.right == difference.expected && more > 0) score += ", " + std::to_string(more) + " too many";
  const Theme& theme = canvas.theme();
  const TextStyle mono{.font = Font::mono,
                       .size = 12,
                       .color = difference.same() ? theme.ink : theme.wrong,
                       .x = AlignX::right};
  const float score_width = canvas.measure(score, mono).x;
  canvas.text({column.right(), y + 8}, score, mono);
  draw_mark(canvas, {column.right() - score_width - 12, y + 8}, difference.same() ? Mark::tick : Mark::cross,
            mono.color, 8);
  TextStyle source = caption_style(canvas);
  source.y = AlignY::top;
  const float height =
      paragraph(canvas, {column.x, y - 1}, column.width - score_width - 32, sentence.pair.source, source);
  ui.tooltip({column.x, y, column.width, height}, sentence.pair.source + "\n" + sentence.pair.target);
  return std::max(20.0f, height + 2);
}

// A sentence, the attempt at it, and how earlier ones went. Returns where the next thing is.
float draw_held_out(ui::Ui& ui, const Rect& column, float y, const RunState& run, std::size_t i, long step) {
  Canvas& canvas = ui.canvas();
  const HeldOutSentence& sentence = run.held_out[i];
  const auto* attempt = attempt_at(sentence, step);
  const WordDifference difference = compare_words(attempt ? attempt->translation : "", sentence.pair.target);
  y += draw_source(ui, column, y, sentence, difference);
  y += draw_attempt(canvas, {column.x, y}, column.width, difference) + 6;
  ui.note({column.x, y - 20, column.width, 16}, "attempt " + std::to_string(i + 1),
          attempt ? attempt->translation : "");
  const auto history = history_of(sentence, attempt);
  const float pitch = column.width / kHistory;
  for (std::size_t h = 0; h < history.size(); ++h) {
    const Rect box{std::round(column.x + pitch * static_cast<float>(h)), y, std::floor(pitch) - 4, 11};
    draw_box(canvas, box, compare_words(history[h]->translation, sentence.pair.target),
             history[h] == attempt);
  }
  const bool last = i + 1 == run.held_out.size();
  if (last) draw_steps_of(canvas, history, {column.x, y + 24}, pitch);
  y += 25;
  if (!last) canvas.line({column.x, y}, {column.right(), y}, {.color = canvas.theme().border});
  return y + 13;
}

// What the marks mean.
void draw_held_out_legend(Canvas& canvas, const Rect& column, float y, const RunState& run) {
  const Theme& theme = canvas.theme();
  canvas.text({column.x, y + 12}, "words right after each look", caption_style(canvas));
  y += 32;
  canvas.line({column.x, y}, {column.right(), y}, {.color = theme.border});
  const TextStyle wrong{.size = 12, .color = theme.wrong};
  canvas.text({column.x, y + 20}, "word", wrong);
  const float width = canvas.measure("word", wrong).x;
  canvas.line({column.x, y + 29}, {column.x + width, y + 29}, {.color = theme.wrong, .width = 1.5f});
  canvas.text({column.x + width + 12, y + 20}, "differs from the reference", caption_style(canvas));
  if (run.options.average <= 1) return;
  TextStyle whose = caption_style(canvas);
  whose.y = AlignY::top;
  paragraph(canvas, {column.x, y + 40}, column.width,
            "Written with the weights of that step alone. The loss is that of the mean of the last " +
                std::to_string(run.options.average) + " looks, which is kept as the model.",
            whose);
}

}  // namespace

bool held_out_column(ui::Ui& ui, const ViewInput& input, const Rect& rect, long step) {
  if (rect.width < kNarrowestColumn || rect.height < 120) return false;
  Canvas& canvas = ui.canvas();
  const RunState& run = input.run;
  const bool none_held_out = run.training_pairs > 0 && run.validation_pairs == 0;
  draw_held_out_head(canvas, rect, run, step, none_held_out);
  const Rect below{rect.x, rect.y + 45, rect.width, rect.height - 45};
  if (run.held_out.empty()) {
    paragraph(canvas, {below.x + 24, below.y + 16}, below.width - 48,
              std::string(none_held_out ? "A few sentences that the model learns from, as none are held out."
                                        : "A few sentences that the model never learns from.") +
                  " While it trains it translates them again and again, and here you see what it makes of "
                  "them.",
              {.size = 13, .color = canvas.theme().second_text, .y = AlignY::top});
    return true;
  }
  const float content = 148.0f * static_cast<float>(run.held_out.size()) + 180;
  const Rect inside = ui.scroll.begin(below, "held-out sentences", {below.width, content});
  const Rect column{inside.x + 24, inside.y, below.width - 48, content};
  float y = column.y + 12;
  for (std::size_t i = 0; i < run.held_out.size(); ++i) y = draw_held_out(ui, column, y, run, i, step);
  draw_held_out_legend(canvas, column, y, run);
  ui.scroll.end();
  return true;
}

}  // namespace glassformer
