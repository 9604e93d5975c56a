// One row of a head's attention as a lookup: the words are the facts, their keys and values what the Trace
// holds, the query is the row's own.
#pragma once

#include "engine/layers/soft_lookup.h"
#include "engine/model/names.h"
#include "engine/model/trace.h"

namespace glassformer {

struct AttentionRowPlace {
  ValueName attention;  // whose row: "decoder.layers.1.cross_attn"
  int sentence = 0, head = 0, query = 0;
  double scale = 1;  // of the scores: 1 / sqrt(k) where the model divides
};

struct AttentionRow {
  LookupScores scores;   // the Trace's own, after the mask
  Lookup hard, soft;     // over the sentence's keys, and the padding behind them where it is looked at
  bool by_hand = false;  // a what-if set the weights or the answer: they no longer follow from the scores
};

// What the dot products of an attention read: the query and the key, or what a rotation made of them.
ValueKind matched_query(const Trace& trace, const ValueName& attention);
ValueKind matched_key(const Trace& trace, const ValueName& attention);

// Temperature 1 gives the Trace's weights and weighted sum, bit by bit; others are computed from its
// scores.
AttentionRow attention_row(const Trace& trace, const AttentionRowPlace& place, double temperature);

}  // namespace glassformer
