// A row of attention at first sight: who asks, and of each word its score and its weight.
#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/lookup/lookup.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kPlainHead = 26, kPlainFoot = 34, kPlainBar = 320;

struct PlainRow {
  float top = 0, height = 0;
  float name = 0, score = 0, bar = 0, width = 0, weight = 0;  // right ends of numbers, left ends of the rest

  float y(std::size_t key) const { return top + kPlainHead + height * static_cast<float>(key); }
};

PlainRow layout_plain(const Rect& area, std::size_t words) {
  PlainRow layout{.top = area.y, .name = area.x};
  layout.height =
      std::clamp((area.height - kPlainHead - kPlainFoot) / static_cast<float>(words), 20.0f, 36.0f);
  layout.score = area.x + std::min(210.0f, area.width * 0.3f);
  layout.bar = layout.score + 28;
  layout.width = std::min(kPlainBar, area.right() - layout.bar - 60);
  layout.weight = layout.bar + layout.width + 56;
  return layout;
}

void draw_word(Canvas& canvas, const PlainRow& layout, const RowScene& scene, std::size_t key) {
  const Theme& theme = canvas.theme();
  const double score = scene.row.scores.scores[key], weight = scene.row.soft.weights[key];
  const bool best = scene.row.hard.best == static_cast<int>(key);
  const float y = layout.y(key) + layout.height / 2;
  const TextStyle name{.font = best ? Font::semibold : Font::regular, .size = 14, .color = theme.ink};
  canvas.text({layout.name, y},
              elided(canvas, plain_word(scene.words[key]), name, layout.score - layout.name - 64), name);
  const TextStyle number{
      .font = Font::mono, .size = 13, .color = best ? theme.ink : theme.second_text, .x = AlignX::right};
  canvas.text({layout.score, y}, std::isinf(score) ? "hidden" : format_fixed(score, 2), number);
  draw_share_bar(canvas, {layout.bar, std::round(y - 5.5f), layout.width, 11}, weight,
                 best ? theme.ink : theme.faint_text);
  canvas.text({layout.weight, y}, format_fixed(weight, 3), number);

  const CellRef cell = scene.cell(ValueKind::weights, static_cast<int>(key));
  const std::string meaning(explained(scene.words[key]));
  HitRegion hit{.rect = {layout.name, layout.y(key), layout.weight - layout.name, layout.height},
                .label = "lookup word " + std::to_string(key),
                .hover = SetHover{selecting(scene.input.pinned, cell)},
                .click = SetPin{selecting(scene.input.pinned, cell)},
                .tooltip = meaning};
  canvas.hit(hit);
}

}  // namespace

void draw_row_plain(Canvas& canvas, const Rect& area, const RowScene& scene) {
  const PlainRow layout = layout_plain(area, scene.words.size());
  const Theme& theme = canvas.theme();
  const TextStyle caption = caption_style(canvas);
  TextStyle right = caption;
  right.x = AlignX::right;
  const float head = area.y + 10;
  canvas.text({layout.name, head}, language_of(scene) + " word", caption);
  draw_explained(canvas, {layout.score, head}, "score", right);
  draw_explained(canvas, {layout.bar, head}, "weight", caption);
  for (std::size_t key = 0; key < scene.words.size(); ++key) draw_word(canvas, layout, scene, key);
  const float end = layout.y(scene.words.size());
  canvas.line({layout.name, end + 4}, {layout.weight, end + 4}, {.color = theme.border});
  const TextStyle sum{.size = 13, .color = theme.ink};
  canvas.text({layout.name, end + 20},
              elided(canvas, "It reads: " + row_sum(scene), sum, area.right() - layout.name), sum);
}

}  // namespace glassformer
