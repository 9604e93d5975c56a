// The layers of a model as ONNX operators, with the names of their weights and values in our own files. The
// residual stream is rows (sentences*length, d), heads are (sentences, H, length, k).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/export/onnx_graph.h"
#include "engine/model/names.h"
#include "engine/model/transformer.h"

namespace glassformer {

// One side of a model: who writes what there, and where its words are.
struct OnnxSide {
  OnnxGraph& graph;
  const Transformer<float>& model;
  const std::map<const float*, std::string>& names;  // of the model's tensors, by where their numbers begin
  bool encoder = false;
  std::string length;  // the name of its extent of words
  OnnxId rows_of = 0;  // (4) sentences, -1, H, k: what rows are reshaped to for the heads
  OnnxId places = 0;   // (length) of its words in the sentence, from 0

  const Config& config() const { return model.config; }
};

// What attention does to scores besides the softmax.
struct OnnxMask {
  OnnxId visible = 0;                   // broadcasts to (sentences, H, queries, keys); bool
  std::optional<OnnxId> left = {};      // softmax: 1 for visible, else 0, where whole rows may be hidden
  std::optional<OnnxId> distance = {};  // (H, queries, keys): what ALiBi adds
  OnnxId keys = 0;                      // ReLU: how many are visible, at least 1; broadcasts to scores; float
};

struct OnnxHeads {
  OnnxId query = 0, key = 0, value = 0;  // (sentences, H, length, k)
};

// ids (sentences, length) -> x (sentences*length, d)
OnnxId onnx_embed(const OnnxSide& at, OnnxId ids);

// The outputs from `first` on of a layer, `count` of them, and what that part is called behind the layer's
// name.
struct OnnxPart {
  int first = 0, count = 0;
  std::string ending = {};
};
OnnxId onnx_linear(const OnnxSide& at, const Linear<float>& layer, OnnxId x, const OnnxPart* part = nullptr);
OnnxId onnx_norm(const OnnxSide& at, const LayerNorm<float>& norm, const ValueName& block, OnnxId x);
OnnxId onnx_feed_forward(const OnnxSide& at, const FeedForward<float>& layer, const ValueName& block,
                         OnnxId x);

// rows (sentences*length, d) -> (sentences, H, length, k), and back.
OnnxId onnx_split_heads(const OnnxSide& at, OnnxId rows);
OnnxId onnx_join_heads(const OnnxSide& at, OnnxId heads);

// Queries, keys and values of self-attention; the first two turned where positions are rotary.
OnnxHeads onnx_self_heads(const OnnxSide& at, const Attention<float>& layer, OnnxId x);

struct OnnxAttended {
  OnnxId output = 0;   // (sentences*length, d)
  OnnxId weights = 0;  // (sentences, H, queries, keys)
};
OnnxAttended onnx_attend(const OnnxSide& at, const Attention<float>& layer, const OnnxHeads& heads,
                         const OnnxMask& mask);

// What ALiBi adds: (H, queries, keys), from places (queries) and (keys).
OnnxId onnx_distance_bias(const OnnxSide& at, OnnxId queries, OnnxId keys);

}  // namespace glassformer
