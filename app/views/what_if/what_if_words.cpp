#include <algorithm>
#include <array>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/change_note.h"
#include "app/reading/change_offers.h"
#include "app/reading/scene_words.h"
#include "app/session/measuring.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/what_if/what_if.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"
#include "engine/decode/decode.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

namespace {

double loss_under(const PlainSentence& plain, const WhatIf& what_if, const Substitutes& substitutes) {
  return sentence_effect(*plain.model, what_if, substitutes, plain.source, plain.target_out, plain.smoothing)
      .loss_after;
}

}  // namespace

HeldOutEffect held_out_effect(const HeldOutKey& key) {
  const LossJob job{.model = *key.model,
                    .batch = *key.pairs,
                    .smoothing = key.smoothing,
                    .substitutes = {.means = key.means, .other = nullptr}};
  const MeanLoss untouched = loss_with(job, {});
  HeldOutEffect effect;
  for (const double each : untouched.of_sentence)
    effect.untouched += each / static_cast<double>(untouched.of_sentence.size());
  effect.change = difference(loss_with(job, key.what_if), untouched);
  return effect;
}

bool PlainSentence::operator==(const PlainSentence& other) const {
  return model == other.model && source == other.source && output == other.output &&
         target_in == other.target_in && target_out == other.target_out && smoothing == other.smoothing;
}

PlainSentence plain_sentence(const SceneResult& result) {
  const SceneResult& plain = result.plain ? *result.plain : result;
  return {.model = result.untouched_snapshot->weights,
          .source = plain.trace->source.front(),
          .output = plain.decoding.ids,
          .target_in = plain.trace->target_in.front(),
          .target_out = plain.trace->target_out.front(),
          .smoothing = plain.scene.smoothing,
          .decode = plain.scene.decode};
}

WhatIfEffects effects_of(const PlainSentence& plain, const WhatIf& what_if, const Substitutes& substitutes) {
  WhatIfEffects effects;
  effects.output =
      sentence_effect(*plain.model, what_if, substitutes, plain.source, plain.output, plain.smoothing);
  const SentenceEffect right =
      sentence_effect(*plain.model, what_if, substitutes, plain.source, plain.target_out, plain.smoothing);
  effects.loss_before = right.loss_before;
  effects.loss_after = right.loss_after;
  for (std::size_t i = 0; i < std::min(kMostAlone, what_if.changes.size()); ++i) {
    const WhatIf alone{{what_if.changes[i]}};
    const ChangedModel<float> changed(*plain.model, alone, substitutes);
    DecodeResult output = decode(changed, {plain.source}, plain.decode).front();
    effects.alone.push_back({.change = what_if.changes[i],
                             .output = std::move(output.ids),
                             .loss = loss_under(plain, alone, substitutes)});
  }
  return effects;
}

MutedPart muted_alone(const PlainSentence& plain, Change change, const Substitutes& substitutes) {
  const auto effect = [&](Replacement by) {
    change.by = by;
    return sentence_effect(*plain.model, {{change}}, substitutes, plain.source, plain.output,
                           plain.smoothing);
  };
  const auto loss = [&](Replacement by) {
    change.by = by;
    return loss_under(plain, {{change}}, substitutes);
  };
  MutedPart part{.by_zero = effect(Replacement::zero), .loss_zero = loss(Replacement::zero)};
  if (substitutes.other) {
    part.by_other = effect(Replacement::other);
    part.loss_other = loss(Replacement::other);
  }
  if (substitutes.means) {
    part.by_mean = effect(Replacement::mean);
    part.loss_mean = loss(Replacement::mean);
  }
  return part;
}

std::vector<PlaceWord> place_words(const PlainSentence& plain, const WhatIf& what_if,
                                   const Substitutes& substitutes, const PlaceEffect& effect, int place,
                                   std::optional<int> chosen) {
  std::vector<int> ids{effect.against, effect.best_before, effect.best_after};
  if (chosen) ids.push_back(*chosen);
  // What the changed model writes there is worth a line, and so is what comes next.
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::erase(ids, effect.word);
  std::vector<PlaceWord> words;
  for (const int id : ids) {
    const LogitDifference less =
        logit_differences(*plain.model, what_if, substitutes, plain.source, plain.output, effect.word,
                          id)[static_cast<std::size_t>(place)];
    // log p of the other word: that of the written one less the difference of their logits.
    words.push_back({.id = id,
                     .before = effect.before - less.before,
                     .after = effect.after - less.after,
                     .less_before = less.before,
                     .less_after = less.after});
  }
  std::ranges::sort(words, {}, [](const PlaceWord& each) { return -std::max(each.before, each.after); });
  return words;
}

// What the What if view says in words.
std::string tile_number(double change) {
  if (!std::isfinite(change)) return "NaN";
  const double size = std::abs(change);
  if (size < 0.0005) return "0";
  if (size >= 0.9995) return format_signed(change, size < 9.995 ? 2 : 1);
  std::string text = format_signed(change, 3);
  if (const std::size_t zero = text.find("0."); zero != std::string::npos) text.erase(zero, 1);
  return text;
}

std::string replaced_by(Replacement by) {
  return by == Replacement::mean    ? "replaced by its mean"
         : by == Replacement::other ? "taken from the second"
                                    : "replaced by 0";
}

std::string parts_word(PartsShown parts) {
  return parts == PartsShown::heads ? "head" : parts == PartsShown::sub_blocks ? "sub-block" : "place";
}

std::string what_if_title(const WhatIfScene& scene) {
  constexpr std::array kCounts = {"two", "three", "four", "five", "six", "seven", "eight", "nine"};
  const std::size_t count = scene.what_if().changes.size();
  if (count == 0) return "What would change without a part of the model";
  if (count == 1) return "What the change does to the translation";
  const std::string number =
      count < kCounts.size() + 2 ? kCounts[count - 2] : format_count(static_cast<long long>(count));
  return "What the " + number + " changes do to the translation";
}

std::string what_if_note(const WhatIfScene& scene) {
  const std::vector<double>& written = scene.input.result.trace->sentence_loss;
  const bool finite = written.empty() || std::isfinite(written.front());
  if (scene.effects && (!std::isfinite(scene.effects->loss_after) || !finite))
    return "With the changes the model’s numbers are no longer finite: no probability and no loss is known. "
           "Ctrl+Z takes the last change back.";
  return change_note(scene.what_if(), scene.plain.model->config);
}

// Until the mean is there, or where there is none, the change does nothing.
std::string mean_note(const WhatIfScene& scene) {
  const SceneResult& result = scene.input.result;
  if (!wants(scene.what_if(), Replacement::mean) || result.scene.substitutes.means) return {};
  if (scene.pairs || scene.input.training_text_state == TextState::reading)
    return "The mean is being taken over the held-out sentences: until it is known nothing is replaced by "
           "it.";
  return "No held-out sentences are known to take a mean over: what is to be replaced by its mean stays as "
         "it "
         "is.";
}

std::string what_if_subtitle(const WhatIfScene& scene) {
  if (scene.changed() && !scene.effects) return "Computing what it does to each word…";
  if (!scene.changed()) return "Nothing is changed. Click a head.";
  if (std::string note = mean_note(scene); !note.empty()) return note;
  if (std::string note = what_if_note(scene); !note.empty()) return note;
  return "The model runs twice on the same sentence: untouched, and with what is changed. What differs is "
         "underlined.";
}

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

// As many digits as distinguish the two.
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
