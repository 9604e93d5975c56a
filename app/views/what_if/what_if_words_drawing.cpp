#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/what_if/what_if_layout.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

namespace {

constexpr double kLong = 1e4;  // from here on in powers of ten
constexpr const char* kBarNames[] = {"before", "after", "KL", "logit diff."};

TextStyle number_style(const Canvas& canvas, float size = 12) {
  return {.font = Font::mono, .size = size, .color = canvas.theme().ink, .x = AlignX::right};
}

// One decimal, none where it would be too long.
std::string short_logit(double value) {
  if (std::abs(value) >= kLong) return format_short(value);
  return format_fixed(value, std::abs(value) < 9.95 ? 1 : 0);
}

std::string short_kl(double value) {
  return value >= kLong ? format_short(value) : format_fixed(value, value < 9.995 ? 2 : 1);
}

void draw_output_chip(Canvas& canvas, const Rect& rect, const std::string& word, bool underlined, bool pinned,
                      float letters) {
  TokenChip chip{.text = word};
  chip.special = is_special_word(word);
  chip.pin = pinned ? ChipPin::query : ChipPin::none;
  draw_chip(canvas, rect, chip, letters);
  if (!underlined) return;
  const float width = std::min(rect.width - 10, canvas.measure(word, {.size = letters}).x);
  canvas.rectangle({std::round(rect.center().x - width / 2), rect.bottom() - 6, std::round(width), 2},
                   {.fill = canvas.theme().reference});
}

void draw_outputs(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene) {
  const Theme& theme = canvas.theme();
  TextStyle label = caption_style(canvas);
  canvas.text({at.inner.x, at.before + 14}, "untouched", label);
  label.font = Font::semibold;
  label.color = theme.ink;
  canvas.text({at.inner.x, at.after + 14}, scene.changed() ? "changed" : "now", label);
  TextStyle index = index_style(canvas);
  index.x = AlignX::center;
  for (std::size_t c = 0; c < at.shown; ++c) {
    const OutputColumn& column = scene.columns[c];
    const Rect upper = at.chip(c, false), lower = at.chip(c, true);
    const int place = column.before.value_or(column.after.value_or(0));
    if (column.before) {
      const auto word = static_cast<std::size_t>(*column.before);
      const bool pinned = scene.place == *column.before;
      canvas.text({upper.center().x, at.indices}, std::to_string(place), index);
      draw_output_chip(canvas, upper, scene.before[word], false, pinned, at.letters);
      canvas.hit([&] {
        HitRegion hit = picking("untouched word " + std::to_string(place), selecting_place(scene, place),
                                "“" + scene.before[word] + "”, place " + std::to_string(place));
        const std::vector<int>& output = scene.plain.output;
        hit.menu = about_beginning({output.begin(), output.begin() + place + 1});
        hit.rect = {upper.x, upper.y, upper.width, at.bars[at.rows - 1] + at.bar_height / 2 + 1 - upper.y};
        return hit;
      }());
    } else {
      canvas.rectangle(upper, {.fill = theme.sunken, .radius = 6});
    }
    if (column.after) {
      const auto word = static_cast<std::size_t>(*column.after);
      draw_output_chip(canvas, lower, scene.after[word], !column.same, false, at.letters);
    } else {
      canvas.rectangle(lower, {.fill = theme.sunken, .radius = 6});
      if (!column.same)
        canvas.rectangle({lower.x + 6, lower.bottom() - 6, lower.width - 12, 2}, {.fill = theme.reference});
    }
  }
}

void draw_bar(Canvas& canvas, const Rect& rect, double share, const std::string& number, Color color) {
  const float digits = 34;
  if (rect.height >= kTallBar) {
    TextStyle style = number_style(canvas);
    style.x = AlignX::center;
    canvas.text({rect.center().x, rect.y + 8}, number, style);
    if (std::isfinite(share))
      draw_share_bar(canvas, {rect.x, rect.bottom() - 8, rect.width, 6}, std::clamp(share, 0.0, 1.0), color);
    return;
  }
  if (std::isfinite(share)) {
    draw_share_bar(canvas, {rect.x, rect.center().y - 2.5f, rect.width - digits - 4, 5},
                   std::clamp(share, 0.0, 1.0), color);
  } else {
    draw_not_a_number(canvas, {rect.x, rect.center().y - 6, 12, 12});
  }
  canvas.text({rect.right(), rect.center().y}, number, number_style(canvas));
}

void draw_effects(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene) {
  const Theme& theme = canvas.theme();
  for (int row = 0; row < at.rows; ++row)
    canvas.text({at.inner.x, at.bars[row]}, kBarNames[row], caption_style(canvas));
  double most = 1;
  if (scene.effects)
    for (const PlaceEffect& place : scene.effects->output.places)
      if (std::isfinite(place.kl)) most = std::max(most, place.kl);
  for (std::size_t c = 0; c < at.shown; ++c) {
    if (!scene.columns[c].before) continue;
    const PlaceEffect* const place = scene.effect(*scene.columns[c].before);
    if (!place) {
      for (int row = 0; row < at.rows; ++row)
        canvas.rectangle(at.bar(c, row).inset(4), {.fill = theme.sunken, .radius = 2});
      continue;
    }
    const double before = std::exp(place->before), after = std::exp(place->after);
    draw_bar(canvas, at.bar(c, 0), before, format_probability(before), theme.second_text);
    draw_bar(canvas, at.bar(c, 1), after, format_probability(after), theme.ink);
    if (at.rows < 4) continue;
    draw_bar(canvas, at.bar(c, 2), place->kl / most, short_kl(place->kl), theme.reference);
    const std::string logits =
        short_logit(place->logit_difference_before) + "→" + short_logit(place->logit_difference_after);
    const Rect cell = at.bar(c, 3);
    TextStyle style = number_style(canvas, 11);
    if (canvas.measure(logits, style).x > cell.width) style.size = 10;
    canvas.text({cell.right(), cell.center().y}, logits, style);
  }
}

// What the rows mean, or the numbers of the pinned place.
void draw_words_caption(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene,
                        const std::vector<PlaceWord>* words) {
  const PlaceEffect* const place = scene.place ? scene.effect(*scene.place) : nullptr;
  std::string text =
      "before, after: p of the untouched word, both having read the untouched words so far. KL of the whole "
      "list. Logit less that of the word preferred now, else of the runner-up.";
  if (place) {
    int other = place->against;
    double before = place->logit_difference_before, after = place->logit_difference_after;
    if (words && scene.against)
      for (const PlaceWord& each : *words)
        if (each.id == *scene.against) {
          other = each.id;
          before = each.less_before;
          after = each.less_after;
        }
    text = "place " + std::to_string(*scene.place) + ": logit of “" + scene.word(place->word) +
           "” less that of “" + scene.word(other) + "”: " + format_loss(before) + " → " + format_loss(after) +
           ". The inspector compares it with other words.";
  }
  if (const std::size_t cut = scene.columns.size() - at.shown; cut > 0)
    text = "And " + format_count(static_cast<long>(cut)) + " more. " + text;
  const TextStyle style = caption_style(canvas);
  canvas.text({at.inner.x, at.caption}, elided(canvas, text, style, at.inner.width), style);
}

}  // namespace

void draw_words(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene,
                const std::vector<PlaceWord>* words) {
  draw_outputs(canvas, at, scene);
  draw_effects(canvas, at, scene);
  draw_words_caption(canvas, at, scene, words);
}

namespace {

// As many digits as tell the two apart.
std::string loss_words(const WhatIfScene& scene) {
  const double before = scene.effects->loss_before, after = scene.effects->loss_after;
  for (int digits = 3; scene.changed() && digits < 7; ++digits)
    if (format_fixed(before, digits) != format_fixed(after, digits))
      return format_fixed(before, digits) + " → " + format_fixed(after, digits);
  return format_loss(before) + (scene.changed() ? ", before and after" : "");
}

}  // namespace

void draw_words_alone(Canvas& canvas, const WhatIfLayout& at, const WhatIfScene& scene) {
  draw_outputs(canvas, at, scene);
  draw_effects(canvas, at, scene);
  TextStyle style = caption_style(canvas);
  if (scene.effects) {
    const TextStyle strong{.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
    const std::string loss = "loss " + loss_words(scene);
    canvas.text({at.inner.x, at.caption}, loss, strong);
    canvas.text(
        {at.inner.x + canvas.measure(loss, strong).x + 12, at.caption},
        given_words(scene.input, 0) + (reads_ahead(scene.what_if()) ? ", each after the words so far" : ""),
        style);
  }
  std::string text = "before, after: probability of the untouched word, after the untouched words so far.";
  if (const std::size_t cut = scene.columns.size() - at.shown; cut > 0)
    text += " And " + format_count(static_cast<long>(cut)) + " more words.";
  style.y = AlignY::top;
  paragraph(canvas, {at.inner.x, at.caption + 16}, at.inner.width, text, style);
}

}  // namespace glassformer
