#include "app/views/what_if/what_if_effects.h"

#include <algorithm>

#include "engine/decode/decode.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/changed_model.h"

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

}  // namespace glassformer
