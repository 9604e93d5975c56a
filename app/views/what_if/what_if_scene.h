// What the What if view shows in one frame: the two outputs side by side, what the changes did to each word,
// and what the model loses without each of its parts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/reading/background.h"
#include "app/reading/output_words.h"
#include "app/reading/view_input.h"
#include "app/views/what_if/importance.h"
#include "app/views/what_if/what_if_effects.h"

namespace glassformer {

// What a person chose in the view itself.
struct WhatIfChoice {
  PartsShown parts = PartsShown::heads;
  Replacement by = Replacement::zero;  // zero, mean, or other: from the Scene beside this one
  bool held_out = false;
  int block = 0;                         // of part_blocks(), whose places are muted
  std::optional<std::size_t> part = {};  // where the cursor stands, of sub-blocks and places
};
// Every attention and feed-forward of a layer, in the order of the map.
const std::vector<ValueName>& part_blocks();

struct PairsKey {
  std::shared_ptr<const TrainingText> text;
  std::shared_ptr<const Tokenizer> source, target;
  int longest = 0;
  bool operator==(const PairsKey&) const = default;
};
struct MeansKey {
  std::shared_ptr<const Transformer<float>> model;
  std::shared_ptr<const Batch> pairs;
  bool operator==(const MeansKey&) const = default;
};
struct PlaceKey {
  std::shared_ptr<const Trace> trace;
  int place = 0;
  std::optional<int> chosen;
  bool operator==(const PlaceKey&) const = default;
};
// What is worked out aside; shared by copies of a view.
struct WhatIfWork {
  EffectsCache effects;
  MutedCache muted;
  HeldOutCache held_out;
  Background<PlaceKey, std::vector<PlaceWord>> places;
  Background<PairsKey, std::shared_ptr<const Batch>> pairs;
  Background<MeansKey, ValueMeans> means;
  ImportanceWork importance;
  bool busy();
};

struct WhatIfScene {
  const ViewInput& input;
  WhatIfChoice choice;
  PlainSentence plain;
  std::vector<OutputColumn> columns;
  std::vector<std::string> before, after;  // pieces of the two outputs, "·v" inside a word
  // Of each place of the untouched output: the place of the words that the views show which stands beside it.
  std::vector<std::optional<int>> shown_places;
  std::shared_ptr<const WhatIfEffects> effects;   // null: being worked out
  std::shared_ptr<const HeldOutEffect> held_out;  // null: not known, or not yet
  std::vector<PartGroup> groups;
  Importance importance;
  std::shared_ptr<const Batch> pairs;       // held out; null: none
  std::shared_ptr<const ValueMeans> means;  // null: not known, or not yet
  std::string trouble;                      // why a switch cannot show what it says: a sentence
  std::optional<std::size_t> part;          // the chosen one, of all groups together
  std::optional<int> place;                 // of the untouched output, that is pinned
  std::optional<int> against;               // the word that it is compared with

  const WhatIf& what_if() const { return input.result.scene.what_if; }  // in what is shown
  bool changed() const { return !what_if().empty(); }
  std::size_t count() const;  // of all parts
  const Change& change(std::size_t part) const;
  bool muted(const Change& change) const;      // now
  double limit() const;                        // the scale ends at the largest change of the loss
  const PlaceEffect* effect(int place) const;  // null: not known
  std::string word(int id) const;
  // How many words a translation has that are not as the untouched one's.
  int changed_words_of(const std::vector<int>& output) const;
};

WhatIfScene what_if_scene(const ViewInput& input, const WhatIfChoice& choice, WhatIfWork& work, bool at_once);

// What is known of the chosen part, and of the pinned place; null: not known, or nothing is chosen.
std::shared_ptr<const MutedPart> muted_part(const WhatIfScene& scene, WhatIfWork& work, bool at_once);
std::shared_ptr<const std::vector<PlaceWord>> words_of_place(const WhatIfScene& scene, WhatIfWork& work,
                                                             bool at_once);

// What a click on a part asks for: it alone is muted, or restored when it is; with `add` besides the others.
WhatIf clicked_part(const WhatIfScene& scene, std::size_t part, bool add);
// The pin of a part; of the feed-forwards the layer alone.
Selection selecting_part(const Selection& before, const Change& change);
// The pin of a place of the untouched output, at the place that stands beside it in what the views show. The
// word it is compared with is a cell of the logits; so is a place beside which nothing stands.
Selection selecting_place(const WhatIfScene& scene, int place, std::optional<int> against = {});
bool is_compared_word(const CellRef& cell);

std::string tile_number(double change);    // "+.264", "0"
std::string parts_word(PartsShown parts);  // "head"
std::string replaced_by(Replacement by);   // "replaced by its mean"
// "What the two changes do to the translation"
std::string what_if_title(const WhatIfScene& scene);
std::string what_if_subtitle(const WhatIfScene& scene);
// What takes a whole part away, or makes the numbers overflow: a sentence; empty: nothing of that.
std::string what_if_note(const WhatIfScene& scene);
// Of a mean that is not known, or not yet: a sentence; empty: none is wanted.
std::string mean_note(const WhatIfScene& scene);

}  // namespace glassformer
