// What the changes of a Scene did to its translation, word by word: all of them together, each alone, and
// one part muted alone.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/view_input.h"
#include "engine/model/what_if/ablation.h"
#include "engine/model/what_if/effect.h"

namespace glassformer {

// What everything is measured on: the Scene without its changes.
struct PlainSentence {
  std::shared_ptr<const Transformer<float>> model;
  std::vector<int> source;                 // eos included where the model has one
  std::vector<int> output;                 // as decoded without changes
  std::vector<int> target_in, target_out;  // the right words, else the output: what the loss is of
  double smoothing = 0.1;
  DecodeOptions decode;
  bool operator==(const PlainSentence& other) const;  // all but how it is decoded
};
PlainSentence plain_sentence(const SceneResult& result);

// One change alone.
struct AloneEffect {
  Change change;
  std::vector<int> output = {};  // the translation with it
  double loss = 0;               // of the right words
};

struct WhatIfEffects {
  SentenceEffect output;                   // on the untouched output
  double loss_before = 0, loss_after = 0;  // of the right words
  std::vector<AloneEffect> alone;          // of at most kMostAlone changes
};
inline constexpr std::size_t kMostAlone = 8;
WhatIfEffects effects_of(const PlainSentence& plain, const WhatIf& what_if, const Substitutes& substitutes);

// The key keeps the result alive, and with it all that is read.
using EffectsCache = Background<std::shared_ptr<const Trace>, WhatIfEffects>;

// One part muted alone, by 0, by its mean and from a second Scene; what is not known is left out.
struct MutedPart {
  SentenceEffect by_zero;  // on the untouched output
  double loss_zero = 0;    // of the right words
  std::optional<SentenceEffect> by_mean;
  std::optional<double> loss_mean;
  std::optional<SentenceEffect> by_other;
  std::optional<double> loss_other;
};
MutedPart muted_alone(const PlainSentence& plain, Change change, const Substitutes& substitutes);

struct MutedKey {
  PlainSentence plain;
  Change change;
  std::shared_ptr<const ValueMeans> means;
  std::shared_ptr<const Trace> other;
  bool operator==(const MutedKey&) const = default;
};
using MutedCache = Background<MutedKey, MutedPart>;

// All changes that name no place of the sentence, over held-out pairs.
struct HeldOutEffect {
  double untouched = 0;  // mean over the pairs, each over its own words
  Difference change;
};
struct HeldOutKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> pairs;
  WhatIf what_if;
  double smoothing = 0.1;
  std::shared_ptr<const ValueMeans> means;
  bool operator==(const HeldOutKey&) const = default;
};
HeldOutEffect held_out_effect(const HeldOutKey& key);
using HeldOutCache = Background<HeldOutKey, HeldOutEffect>;

// The words that a place may be compared with: the likeliest before and after.
struct PlaceWord {
  int id = 0;
  double before = 0, after = 0;            // log-probability
  double less_before = 0, less_after = 0;  // logit of the written word less that of this one
};
std::vector<PlaceWord> place_words(const PlainSentence& plain, const WhatIf& what_if,
                                   const Substitutes& substitutes, const PlaceEffect& effect, int place,
                                   std::optional<int> chosen);

}  // namespace glassformer
