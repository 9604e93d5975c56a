// The three models as drawings: what hands a word of the source on to where it is written.
#include <algorithm>

#include "app/views/bottleneck/bottleneck_view.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr int kWords = 4;
constexpr float kBox = 18, kRows = 84, kColumnGap = 28, kLongest = 52;

Point word_at(const Rect& part, int word, bool target) {
  const float step = std::min(44.0f, (part.width - kBox) / (2 * kWords + 1));
  const float x = part.x + kBox / 2 + step * static_cast<float>(word + (target ? kWords + 1 : 0));
  return {x, part.y + (target ? kBox / 2 : kRows - kBox / 2)};
}

void draw_words(Canvas& canvas, const Rect& part, bool target) {
  const Theme& theme = canvas.theme();
  for (int word = 0; word < kWords; ++word) {
    const Point at = word_at(part, word, target);
    canvas.rectangle({at.x - kBox / 2, at.y - kBox / 2, kBox, kBox},
                     {.fill = theme.panel, .outline = theme.ink, .outline_width = 1.5f, .radius = 4});
  }
}

void draw_chain(Canvas& canvas, const Rect& part, bool target) {
  for (int word = 0; word + 1 < kWords; ++word) {
    const Point from = word_at(part, word, target), to = word_at(part, word + 1, target);
    canvas.line({from.x + kBox / 2, from.y}, {to.x - kBox / 2, to.y},
                {.color = canvas.theme().ink, .width = 1.5f});
  }
}

void draw_links(Canvas& canvas, const Rect& part, bool from_all) {
  const Theme& theme = canvas.theme();
  for (int from = 0; from < kWords; ++from)
    for (int to = 0; to < kWords; ++to) {
      if (!from_all && (from != kWords - 1 || to != 0)) continue;
      const Point a = word_at(part, from, false), b = word_at(part, to, true);
      canvas.line({a.x, a.y - kBox / 2}, {b.x, b.y + kBox / 2},
                  {.color = from_all ? theme.control : theme.reference, .width = from_all ? 1.0f : 3.0f});
    }
}

void draw_one(Canvas& canvas, Racer racer, const Rect& part) {
  const Theme& theme = canvas.theme();
  canvas.text({part.x, part.y + 10}, racer_name(racer),
              {.font = Font::semibold, .size = 14, .color = theme.ink});
  const Rect picture{part.x, part.y + 34, part.width, kRows};
  if (racer != Racer::one_vector) draw_links(canvas, picture, true);
  if (racer != Racer::transformer) {
    draw_links(canvas, picture, false);
    draw_chain(canvas, picture, false);
    draw_chain(canvas, picture, true);
  }
  draw_words(canvas, picture, false);
  draw_words(canvas, picture, true);
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  paragraph(canvas, {part.x, picture.bottom() + 14}, part.width, racer_meaning(racer), words);
}

}  // namespace

Point models_minimum() {
  return {620, kStageTop + 34 + kRows + 230 + kLongest};
}

Rect longest_slider(const Rect& content) {
  const float width = std::min(280.0f, content.width);
  return {content.right() - width, content.bottom() - kLongest + 8, width, kLongest - 8};
}

void draw_models(Canvas& canvas, const Rect& content) {
  const float width = std::min(300.0f, (content.width - 2 * kColumnGap) / kRacers);
  for (int i = 0; i < kRacers; ++i)
    draw_one(canvas, static_cast<Racer>(i),
             {content.x + static_cast<float>(i) * (width + kColumnGap), content.y, width, content.height});
}

}  // namespace glassformer
