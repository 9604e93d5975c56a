// What the person is looking at: one selection that all views share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

enum class AttentionKind { encoder, decoder, cross };  // whose attention: encoder self, decoder self, cross

// One number of the Trace or of the parameters, by name and index (all counted from 0).
struct CellRef {
  std::string name = {};        // "decoder.layers.1.cross_attn.weights", "source_embedding.weight"
  std::vector<int> index = {};  // one entry per axis of that tensor; a Trace's leading batch axis included
  bool operator==(const CellRef&) const = default;
};

struct Selection {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0;                     // from 0
  int head = 0;                      // from 0; -1: the mean over heads
  std::optional<int> query = {};     // row of the open attention
  std::optional<int> key = {};       // column of the open attention
  std::optional<CellRef> cell = {};  // the number the inspector explains
  int sentence = 0;                  // of the Scene's batch
  bool operator==(const Selection&) const = default;
};

// "encoder.layers.1.self_attn", "decoder.layers.0.cross_attn": the prefix of the selected attention's names.
std::string attention_name(AttentionKind kind, int layer);

// The other way round: the name of a value inside an attention, taken apart.
struct AttentionName {
  AttentionKind kind = AttentionKind::cross;
  int layer = 0;
  std::string part;  // "weights", "query", "output"
};
std::optional<AttentionName> parse_attention_name(std::string_view name);

// `base` with this cell selected: when the cell lies inside an attention, that attention, its head, and the
// query row and key column where the cell has them, are selected with it.
Selection selecting(Selection base, const CellRef& cell);

}  // namespace glassformer
