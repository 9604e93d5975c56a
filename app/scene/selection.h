// What the person is looking at: one selection that all views share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/names.h"

namespace glassformer {

// One number of the Trace or of the parameters, by name and index (all counted from 0).
struct CellRef {
  std::string name = {};        // "decoder.layers.1.cross_attn.weights", "source_embedding.weight"
  std::vector<int> index = {};  // one entry per axis of that tensor; a Trace's leading batch axis included
  bool gradient = false;        // not the number itself but d loss / d number
  bool operator==(const CellRef&) const = default;
};

struct Selection {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0;                                       // from 0
  int head = 0;                                        // from 0; -1: the mean over heads
  std::optional<int> query = {};                       // row of the open attention
  std::optional<int> key = {};                         // column of the open attention
  std::optional<CellRef> cell = {};                    // the number the inspector explains
  int sentence = 0;                                    // of the Scene's batch
  std::vector<int> more_queries = {}, more_keys = {};  // added with Ctrl; never without query, key
  bool operator==(const Selection&) const = default;
};

// `base` with this cell selected: when the cell lies inside an attention, that attention, its head, and the
// query row and key column where the cell has them, are selected with it.
Selection selecting(Selection base, const CellRef& cell);

// `base` with the query and the key of `added` (those it has) as well: each becomes the one explained, the
// one before it stays selected. What was selected already is taken out again. Tokens of another head replace
// the selection.
Selection adding(Selection base, const Selection& added);

// `base` on another attention. Words that are not there any more are cleared; a decoder row stays, because
// self- and cross-attention of the decoder share their rows.
Selection of_kind(Selection base, AttentionKind kind);

// `base` while the decoding is at the step of this decoder row, which reads word `row` and writes chip
// `row`: the row is the query, all else is cleared. The encoder has no steps: its selection is kept.
Selection at_step(Selection base, int row);

// Where the words of one sentence are as another model reads it: one entry a place, nothing where that has no
// such word. Empty: at the same places.
using SourcePlaces = std::vector<std::optional<int>>;

// `base` with its places in the source moved there. What has none there is not selected any more.
Selection in_source_places(Selection base, const SourcePlaces& places);

bool has_query(const Selection& selection, int row);
bool has_key(const Selection& selection, int column);

}  // namespace glassformer
