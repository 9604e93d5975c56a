#include "engine/export/onnx_layers.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/layers/distance_bias.h"
#include "engine/layers/embedding.h"
#include "engine/layers/rotary.h"

namespace glassformer {
namespace {

std::string extent_of(Eigen::Index count) {
  return std::to_string(count);
}

// A tensor of the model, under its own name.
OnnxId stored(const OnnxSide& at, const Matrix<float>& matrix) {
  return at.graph.weight(at.names.at(matrix.data()), {extent_of(matrix.rows()), extent_of(matrix.cols())},
                         matrix.data());
}
OnnxId stored(const OnnxSide& at, const RowVector<float>& vector) {
  return at.graph.weight(at.names.at(vector.data()), {extent_of(vector.size())}, vector.data());
}

OnnxId table(OnnxGraph& graph, const std::string& name, const Matrix<float>& numbers) {
  return graph.weight(name, {extent_of(numbers.rows()), extent_of(numbers.cols())}, numbers.data());
}

// x * sigmoid(slope x), written so that it is right for large negative x too.
OnnxId swish(OnnxGraph& graph, double slope, OnnxId x) {
  const OnnxId turned = graph.both("Mul", x, graph.number(static_cast<float>(-slope)));
  return graph.both("Div", x, graph.both("Add", graph.each("Exp", turned), graph.number(1)));
}

OnnxId activated(OnnxGraph& graph, Activation kind, OnnxId x) {
  switch (kind) {
    case Activation::relu:
      return graph.each("Relu", x);
    case Activation::gelu: {
      const auto narrow = static_cast<float>(1 / std::numbers::sqrt2);
      const OnnxId erf = graph.each("Erf", graph.both("Mul", x, graph.number(narrow)));
      const OnnxId below = graph.both("Mul", graph.both("Add", erf, graph.number(1)), graph.number(0.5f));
      return graph.both("Mul", x, below);
    }
    case Activation::swish:
      return swish(graph, 1, x);
    case Activation::gelu_sigmoid:
      return swish(graph, kGeluSigmoid, x);
  }
  return x;
}

// The row of each word's place, (length, d).
OnnxId position_rows(const OnnxSide& at) {
  const Config& config = at.config();
  if (config.learns_positions())
    return at.graph.gather(stored(at, at.encoder ? at.model.source_positions : at.model.target_positions),
                           at.places);
  const std::string name = embedding_value(at.encoder, ValueKind::positions);
  const Matrix<float> waves = sinusoids<float>(config.max_length, config.d_model, config.wave_form());
  return at.graph.gather(table(at.graph, name, waves), at.places);
}

// Cosines or sines of each word's place and pair, (length, k/2, 1).
OnnxId turns(const OnnxSide& at, const std::string& name, double (*wave)(double)) {
  const int k = at.config().head_width();
  Matrix<float> numbers(at.config().max_length, k / 2);
  for (int place = 0; place < numbers.rows(); ++place)
    for (int pair = 0; pair < numbers.cols(); ++pair)
      numbers(place, pair) = static_cast<float>(wave(rotary_angle(place, pair, k)));
  return at.graph.unsqueeze(at.graph.gather(table(at.graph, name, numbers), at.places), {2});
}

// Each pair of neighbouring columns turned by the angle of its word's place.
OnnxId rotated(const OnnxSide& at, OnnxId heads, OnnxId cosines, OnnxId sines) {
  OnnxGraph& graph = at.graph;
  const std::string h = extent_of(at.config().heads), k = extent_of(at.config().head_width()),
                    pairs = extent_of(at.config().head_width() / 2);
  const OnnxId paired =
      graph.reshape(heads, graph.wholes({0, at.config().heads, -1, at.config().head_width() / 2, 2}),
                    {"sentences", h, at.length, pairs, "2"});
  const auto halves = graph.split(paired, 4, 2);
  const auto sum = [&](const char* sign, OnnxId a, OnnxId b) {
    return graph.both(sign, graph.both("Mul", halves[0], a), graph.both("Mul", halves[1], b));
  };
  const OnnxId turned = graph.concat({sum("Sub", cosines, sines), sum("Add", sines, cosines)}, 4, "2");
  return graph.reshape(turned, graph.wholes({0, at.config().heads, -1, at.config().head_width()}),
                       {"sentences", h, at.length, k});
}

}  // namespace

OnnxId onnx_embed(const OnnxSide& at, OnnxId ids) {
  OnnxGraph& graph = at.graph;
  const Config& config = at.config();
  graph.enter(embedding_value(at.encoder, ValueKind::input));
  const Matrix<float>& words = at.encoder ? at.model.source_table() : at.model.target_embedding;
  OnnxId x = graph.gather(stored(at, words), ids);  // (sentences, length, d)
  if (config.scale_embeddings) {
    const double scale = std::sqrt(static_cast<double>(config.d_model));
    x = graph.both("Mul", x, graph.number(static_cast<float>(scale)));
  }
  if (config.adds_positions()) x = graph.both("Add", x, position_rows(at));
  x = graph.reshape(x, graph.wholes({-1, config.d_model}),
                    {"sentences*" + at.length, extent_of(config.d_model)});
  if (!config.embedding_norm) return x;
  return onnx_norm(at, at.encoder ? at.model.source_embedding_norm : at.model.target_embedding_norm,
                   {BlockKind::embedding_norm, ValueKind::whole, at.encoder}, x);
}

OnnxId onnx_linear(const OnnxSide& at, const Linear<float>& layer, OnnxId x, const OnnxPart* part) {
  const OnnxPart all{0, static_cast<int>(layer.weight.rows())};
  const auto& [first, count, ending] = part ? *part : all;
  const auto width = layer.weight.cols();
  const OnnxId matrix =
      at.graph.weight(at.names.at(layer.weight.data()) + ending, {extent_of(count), extent_of(width)},
                      layer.weight.data() + first * width);
  if (layer.bias.size() == 0) return at.graph.linear(x, matrix, nullptr);
  const OnnxId bias =
      at.graph.weight(at.names.at(layer.bias.data()) + ending, {extent_of(count)}, layer.bias.data() + first);
  return at.graph.linear(x, matrix, &bias);
}

// Written out: onnxruntime's own LayerNormalization takes the variance for a difference of large numbers.
OnnxId onnx_norm(const OnnxSide& at, const LayerNorm<float>& norm, const ValueName& block, OnnxId x) {
  OnnxGraph& graph = at.graph;
  graph.enter(written(block));
  if (norm.centred()) x = graph.both("Sub", x, graph.row_means(x));
  const OnnxId square = graph.row_means(graph.both("Mul", x, x));
  const OnnxId eps = graph.number(static_cast<float>(at.config().layer_norm_eps));
  const OnnxId root = graph.each("Sqrt", graph.both("Add", square, eps));
  const OnnxId scaled = graph.both("Mul", graph.both("Div", x, root), stored(at, norm.weight));
  return norm.centred() ? graph.both("Add", scaled, stored(at, norm.bias)) : scaled;
}

OnnxId onnx_feed_forward(const OnnxSide& at, const FeedForward<float>& layer, const ValueName& block,
                         OnnxId x) {
  OnnxGraph& graph = at.graph;
  graph.enter(written(block));
  OnnxId hidden = onnx_linear(at, layer.linear1, x);
  if (layer.gated())
    hidden =
        graph.both("Mul", hidden, activated(graph, layer.activation, onnx_linear(at, layer.linear_gate, x)));
  else
    hidden = activated(graph, layer.activation, hidden);
  return onnx_linear(at, layer.linear2, hidden);
}

OnnxId onnx_split_heads(const OnnxSide& at, OnnxId rows) {
  const OnnxShape shape = {"sentences", at.length, extent_of(at.config().heads),
                           extent_of(at.config().head_width())};
  return at.graph.transpose(at.graph.reshape(rows, at.rows_of, shape), {0, 2, 1, 3});
}

OnnxId onnx_join_heads(const OnnxSide& at, OnnxId heads) {
  return at.graph.reshape(at.graph.transpose(heads, {0, 2, 1, 3}), at.graph.wholes({-1, at.config().d_model}),
                          {"sentences*" + at.length, extent_of(at.config().d_model)});
}

OnnxHeads onnx_self_heads(const OnnxSide& at, const Attention<float>& layer, OnnxId x) {
  const auto parts = at.graph.split(onnx_linear(at, layer.input, x), 1, 3);
  OnnxHeads heads{onnx_split_heads(at, parts[0]), onnx_split_heads(at, parts[1]),
                  onnx_split_heads(at, parts[2])};
  if (!layer.rotary) return heads;
  const OnnxId cosines = turns(at, "rotary.cosines", [](double angle) { return std::cos(angle); });
  const OnnxId sines = turns(at, "rotary.sines", [](double angle) { return std::sin(angle); });
  heads.query = rotated(at, heads.query, cosines, sines);
  heads.key = rotated(at, heads.key, cosines, sines);
  return heads;
}

OnnxAttended onnx_attend(const OnnxSide& at, const Attention<float>& layer, const OnnxHeads& heads,
                         const OnnxMask& mask) {
  OnnxGraph& graph = at.graph;
  OnnxId scores = graph.matmul(heads.query, graph.transpose(heads.key, {0, 1, 3, 2}));
  if (layer.scale) {
    const float scale = 1 / std::sqrt(static_cast<float>(at.config().head_width()));
    scores = graph.both("Mul", scores, graph.number(scale));
  }
  if (mask.distance) scores = graph.both("Add", scores, *mask.distance);
  // Not -inf, of which a row whose every key is hidden would become NaN.
  const OnnxId hidden = graph.number(std::numeric_limits<float>::lowest());
  scores = graph.where(mask.visible, scores, hidden);
  OnnxId weights = 0;
  if (layer.activation == AttentionActivation::softmax) {
    weights = graph.softmax(scores);
    if (mask.left) weights = graph.both("Mul", weights, *mask.left);
  } else {
    weights = graph.both("Div", graph.each("Relu", scores), mask.keys);
  }
  const OnnxId context = onnx_join_heads(at, graph.matmul(weights, heads.value));
  return {onnx_linear(at, layer.output, context), weights};
}

OnnxId onnx_distance_bias(const OnnxSide& at, OnnxId queries, OnnxId keys) {
  OnnxGraph& graph = at.graph;
  std::vector<float> slopes;
  for (int head = 0; head < at.config().heads; ++head)
    slopes.push_back(static_cast<float>(-distance_slope(head, at.config().heads)));
  const OnnxId between =
      graph.each("Abs", graph.both("Sub", graph.unsqueeze(queries, {1}), graph.unsqueeze(keys, {0})));
  return graph.both("Mul", graph.cast(between, OnnxType::float32),
                    graph.weight("alibi.slopes", {extent_of(at.config().heads), "1", "1"}, slopes.data()));
}

}  // namespace glassformer
