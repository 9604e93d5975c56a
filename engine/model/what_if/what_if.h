// Changes to a pass that people try out: what breaks when a head, a mask or the positions are gone?
//
// A what-if is a list of changes in the order in which they were made. What a change does is said here; how
// it is called, written and read, and when it does not fit a model, is in its row of change_kinds.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/config.h"
#include "engine/model/names.h"

namespace glassformer {

enum class ChangeKind {
  mute_head,          // a head's context, before W_O, is replaced
  mute_sub_block,     // a sub-block's output is replaced: by 0 only the residual is left
  mute_unit,          // a hidden unit of a feed-forward is replaced
  cut_weight,         // a score is -inf before the softmax, so that the row shares out the rest
  set_weight,         // a weight is set after the softmax
  edit_row,           // all weights of one query, by hand
  causal_mask_off,    // the decoder sees the future
  padding_mask_off,   // pad tokens are seen
  hide_pair,          // one place may not read another: a cut in every head and layer of an attention
  scale_off,          // scores are not divided by sqrt(k)
  positions_off,      // nothing is added to the embeddings, nothing is rotated
  shift_positions,    // all words are further on
  swap_positions,     // two places have each other's position
  permute_positions,  // each place has the position that is given for it
  swap_words,         // two source words change places, or one is replaced by a word that is not there
  force_words,        // the output begins with these
  edit_parameter      // one weight of the model
};

// What a muted value becomes.
enum class Replacement { zero, mean, times, other };

inline constexpr int kEverywhere = -1;

// What a kind does not use keeps its default. Places, layers, heads and units count from 0.
struct Change {
  ChangeKind kind = ChangeKind::mute_head;
  // Whose head, unit, row, weight or mask, `value` whole; of a mask no layer counts, and the whole model
  // (BlockKind::output) means all attentions. Of positions: an embedding's side, or the whole model.
  ValueName block;
  int head = 0, unit = 0;
  // Places: the query and the key of a weight; the row of a mute (or everywhere); the two that are swapped,
  // `column` everywhere where a word is put in. Of a parameter: the entry.
  int row = kEverywhere, column = kEverywhere;
  Replacement by = Replacement::zero;
  double amount = 0;           // what is multiplied by; the weight set; the parameter's new value
  int shift = 0;               // positions further on
  bool renormalise = false;    // of a weight set: the others share out what is left
  std::vector<float> weights;  // of a row by hand: one a key, used unchanged
  std::vector<int> numbers;    // ids forced or put in; the position of each place
  std::string parameter;       // its name

  bool operator==(const Change&) const = default;
};

struct WhatIf {
  std::vector<Change> changes;

  bool empty() const { return changes.empty(); }
  const Change* find(ChangeKind kind) const;  // the first of it; null: none
  bool has(ChangeKind kind) const { return find(kind) != nullptr; }
  // Pad tokens are seen by the queries of this attention.
  bool padding_seen(AttentionKind kind) const;
  // For this attention alone: the other two stay unchanged.
  void see_padding(AttentionKind kind, bool seen);
  // Whether nothing of a head is handed on, or its mean alone, by itself or with its whole attention: at
  // this place, or (kEverywhere) at every place.
  bool mutes(AttentionKind kind, int layer, int head, int place = kEverywhere) const;
  // Adds a change in place of what it would contradict; takes it back when it is there already.
  void toggle(const Change& change);
  // Puts in what is not there, or takes out what is.
  void set(const Change& change, bool on);
  // Those that hold for every sentence.
  WhatIf of_all_sentences() const;
  // The same changes less the one at an index.
  WhatIf without(std::size_t index) const;

  bool operator==(const WhatIf&) const = default;
};

// Whose attention a change reaches into; the encoder's where it is in none.
AttentionKind kind_of(const Change& change);

// Whether two changes speak of the same thing, so that the later takes the earlier one's place: one row by
// hand of a query, one replacement of a head.
bool same_thing(const Change& a, const Change& b);

// A change that speaks of places or words of one sentence.
bool names_place(const Change& change);

// By which steps a pass under these changes computes: without a division that they leave out.
Config config_under(const Config& config, const WhatIf& what_if);

// The changes that need no more than their block.
Change change_of(ChangeKind kind);  // causal_mask_off, padding_mask_off, scale_off, positions_off
Change mute_head(AttentionKind kind, int layer, int head);
Change mute_sub_block(const ValueName& block);
Change edit_row(AttentionKind kind, int layer, int head, int query, std::vector<float> weights);

}  // namespace glassformer
