#include "engine/export/onnx_model.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "engine/export/export_folder.h"
#include "engine/export/onnx_file.h"
#include "engine/export/onnx_layers.h"
#include "engine/math/error.h"
#include "engine/model/names.h"
#include "engine/model/parameter_counts.h"

namespace glassformer {
namespace {

constexpr const char *kEncoderFile = kExportedEncoder, *kDecoderFile = "decoder.onnx",
                     *kSettingsFile = "settings.json";

using Names = std::map<const float*, std::string>;

Names names_of(const Transformer<float>& model) {
  Names names;
  model.visit([&](const std::string& name, Parameter<const float> tensor) { names[tensor.data] = name; });
  return names;
}

// What rows are reshaped to for the heads.
OnnxId rows_of(OnnxGraph& graph, const Config& config, OnnxId ids) {
  return graph.concat({graph.extent(ids, 0), graph.wholes({-1, config.heads, config.head_width()})}, 0, "4");
}

// (sentences*length, d) -> (sentences, length, columns)
OnnxId as_sentences(const OnnxSide& at, OnnxId ids, OnnxId rows, int columns) {
  OnnxGraph& graph = at.graph;
  const OnnxId shape = graph.concat({graph.extent(ids, 0), graph.wholes({-1, columns})}, 0, "3");
  return graph.reshape(rows, shape, {"sentences", at.length, std::to_string(columns)});
}

// Keys of the source: the first `lengths` of so many places.
OnnxMask source_mask(const OnnxSide& at, OnnxId places, OnnxId lengths) {
  OnnxGraph& graph = at.graph;
  OnnxMask mask;
  mask.visible = graph.unsqueeze(graph.compare("Less", places, graph.unsqueeze(lengths, {1})), {1, 2});
  if (at.config().attention_activation == AttentionActivation::softmax)
    mask.left = graph.cast(mask.visible, OnnxType::float32);
  else
    mask.keys = graph.unsqueeze(graph.both("Max", graph.cast(lengths, OnnxType::float32), graph.number(1)),
                                {1, 2, 3});
  return mask;
}

// Keys of the target: those up to the query.
OnnxMask causal_mask(const OnnxSide& at, OnnxId queries, OnnxId keys) {
  OnnxGraph& graph = at.graph;
  const OnnxId query = graph.unsqueeze(queries, {1});  // (steps, 1)
  OnnxMask mask;
  mask.visible = graph.compare("LessOrEqual", graph.unsqueeze(keys, {0}), query);
  if (at.config().attention_activation == AttentionActivation::relu)
    mask.keys = graph.both("Add", graph.cast(query, OnnxType::float32), graph.number(1));
  return mask;
}

// The path around a sub-block; `sublayer` from 1.
template <class Block>
OnnxId add_and_norm(const OnnxSide& at, const LayerNorm<float>& norm, std::size_t layer, int sublayer,
                    OnnxId x, const Block& block) {
  const ValueName name{BlockKind::add_norm, ValueKind::normed, at.encoder, static_cast<int>(layer), sublayer};
  if (at.config().norm == NormPlace::pre) return at.graph.both("Add", x, block(onnx_norm(at, norm, name, x)));
  return onnx_norm(at, norm, name, at.graph.both("Add", x, block(x)));
}

OnnxId feed_forward(const OnnxSide& at, const FeedForward<float>& layer, std::size_t index, OnnxId x) {
  const ValueName block{BlockKind::feed_forward, ValueKind::whole, at.encoder, static_cast<int>(index)};
  return onnx_feed_forward(at, layer, block, x);
}

std::string numbered(const char* name, std::size_t layer) {
  return name + std::string(".") + std::to_string(layer);
}

// Whose attention is written now, and what its weights are called.
void enter(OnnxGraph& graph, AttentionKind kind, std::size_t layer) {
  graph.enter(attention_value(kind, static_cast<int>(layer), ValueKind::whole));
}
std::string weights_name(AttentionKind kind, std::size_t layer) {
  return attention_value(kind, static_cast<int>(layer), ValueKind::weights);
}

}  // namespace

OnnxGraph onnx_encoder(const Transformer<float>& model, bool attention) {
  const Config& config = model.config;
  OnnxGraph graph("encoder");
  const OnnxId ids = graph.input("source_ids", OnnxType::int64, {"sentences", "words"});
  const OnnxId lengths = graph.input("source_lengths", OnnxType::int64, {"sentences"});
  const Names names = names_of(model);
  OnnxSide at{graph, model, names, true, "words", rows_of(graph, config, ids)};
  at.places = graph.range(graph.wholes({0}), graph.extent(ids, 1), "words");
  OnnxMask mask = source_mask(at, at.places, lengths);
  if (position_traits(config.positions).biased) mask.distance = onnx_distance_bias(at, at.places, at.places);

  OnnxId x = onnx_embed(at, ids);
  for (std::size_t i = 0; i < model.encoder_layers.size(); ++i) {
    const EncoderLayer<float>& layer = model.encoder_layers[i];
    x = add_and_norm(at, layer.norm1, i, 1, x, [&](OnnxId input) {
      enter(graph, AttentionKind::encoder, i);
      const OnnxHeads heads = onnx_self_heads(at, layer.self_attention, input);
      const OnnxAttended attended = onnx_attend(at, layer.self_attention, heads, mask);
      if (attention) graph.output(weights_name(AttentionKind::encoder, i), attended.weights);
      return attended.output;
    });
    x = add_and_norm(at, layer.norm2, i, 2, x,
                     [&](OnnxId input) { return feed_forward(at, layer.feed_forward, i, input); });
  }
  if (config.final_norm)
    x = onnx_norm(at, model.encoder_norm, {BlockKind::final_norm, ValueKind::whole, true}, x);

  // What every decoder layer reads of the memory.
  const int d = config.d_model;
  for (std::size_t i = 0; i < model.decoder_layers.size(); ++i) {
    enter(graph, AttentionKind::cross, i);
    const OnnxPart part{d, 2 * d, ":key_value"};
    const OnnxId rows = onnx_linear(at, model.decoder_layers[i].cross_attention.input, x, &part);
    const auto parts = graph.split(rows, 1, 2);
    graph.output(numbered("cross_key", i), onnx_split_heads(at, parts[0]));
    graph.output(numbered("cross_value", i), onnx_split_heads(at, parts[1]));
  }
  const std::string memory = written({BlockKind::stack, ValueKind::output, true});
  graph.enter(memory);
  graph.output(memory, as_sentences(at, ids, x, d));
  return graph;
}

OnnxGraph onnx_decoder(const Transformer<float>& model, bool attention) {
  const Config& config = model.config;
  const int d = config.d_model;
  OnnxGraph graph("decoder");
  const OnnxId ids = graph.input("target_ids", OnnxType::int64, {"sentences", "steps"});
  const OnnxId lengths = graph.input("source_lengths", OnnxType::int64, {"sentences"});
  const auto cache = [&](const char* name, std::size_t layer, const char* length) {
    return graph.input(
        numbered(name, layer), OnnxType::float32,
        {"sentences", std::to_string(config.heads), length, std::to_string(config.head_width())});
  };
  std::vector<OnnxHeads> past, cross;
  for (std::size_t i = 0; i < model.decoder_layers.size(); ++i) {
    cross.push_back({0, cache("cross_key", i, "words"), cache("cross_value", i, "words")});
    past.push_back({0, cache("past_key", i, "past"), cache("past_value", i, "past")});
  }

  // Where the words of this step are, and what they may see.
  const Names names = names_of(model);
  OnnxSide at{graph, model, names, false, "steps", rows_of(graph, config, ids)};
  const OnnxId first = graph.extent(past[0].key, 2);
  const OnnxId end = graph.both("Add", first, graph.extent(ids, 1));
  at.places = graph.range(first, end, "steps");
  const OnnxId all = graph.range(graph.wholes({0}), end, "so_far");
  const OnnxId source = graph.range(graph.wholes({0}), graph.extent(cross[0].key, 2), "words");
  OnnxMask self_mask = causal_mask(at, at.places, all);
  const OnnxMask cross_mask = source_mask(at, source, lengths);
  if (position_traits(config.positions).biased) self_mask.distance = onnx_distance_bias(at, at.places, all);

  OnnxId x = onnx_embed(at, ids);
  for (std::size_t i = 0; i < model.decoder_layers.size(); ++i) {
    const DecoderLayer<float>& layer = model.decoder_layers[i];
    x = add_and_norm(at, layer.norm1, i, 1, x, [&](OnnxId input) {
      enter(graph, AttentionKind::decoder, i);
      OnnxHeads heads = onnx_self_heads(at, layer.self_attention, input);
      heads.key = graph.concat({past[i].key, heads.key}, 2, "so_far");
      heads.value = graph.concat({past[i].value, heads.value}, 2, "so_far");
      graph.output(numbered("present_key", i), heads.key);
      graph.output(numbered("present_value", i), heads.value);
      const OnnxAttended attended = onnx_attend(at, layer.self_attention, heads, self_mask);
      if (attention) graph.output(weights_name(AttentionKind::decoder, i), attended.weights);
      return attended.output;
    });
    x = add_and_norm(at, layer.norm2, i, 2, x, [&](OnnxId input) {
      enter(graph, AttentionKind::cross, i);
      const OnnxPart query{0, d, ":query"};
      OnnxHeads heads = cross[i];
      heads.query = onnx_split_heads(at, onnx_linear(at, layer.cross_attention.input, input, &query));
      const OnnxAttended attended = onnx_attend(at, layer.cross_attention, heads, cross_mask);
      if (attention) graph.output(weights_name(AttentionKind::cross, i), attended.weights);
      return attended.output;
    });
    x = add_and_norm(at, layer.norm3, i, 3, x,
                     [&](OnnxId input) { return feed_forward(at, layer.feed_forward, i, input); });
  }
  if (config.final_norm)
    x = onnx_norm(at, model.decoder_norm, {BlockKind::final_norm, ValueKind::whole, false}, x);

  graph.enter(output_value(ValueKind::whole));
  const Matrix<float>& projection = model.projection();
  const OnnxShape shape = {std::to_string(config.target_vocab), std::to_string(d)};
  const OnnxId table = graph.weight(names.at(projection.data()), shape, projection.data());
  const RowVector<float>& bias = model.output_projection.bias;
  std::optional<OnnxId> stored;
  if (config.output_bias) stored = graph.weight(names.at(bias.data()), {shape[0]}, bias.data());
  const OnnxId logits = graph.linear(x, table, stored ? &*stored : nullptr);
  graph.output(output_value(ValueKind::logits), as_sentences(at, ids, logits, config.target_vocab));
  return graph;
}

nlohmann::json onnx_settings(const Config& config, bool attention) {
  return {{"source_vocab", config.source_vocab},
          {"target_vocab", config.target_vocab},
          {"max_length", config.max_length},
          {"d_model", config.d_model},
          {"heads", config.heads},
          {"head_width", config.head_width()},
          {"encoder_layers", config.encoder_layers},
          {"decoder_layers", config.decoder_layers},
          {"source_bos", config.source_bos},
          {"source_eos", config.source_eos},
          {"pad_id", config.pad_id},
          {"unk_id", config.unk_id},
          {"bos_id", config.bos_id},
          {"eos_id", config.eos_id},
          {"start_id", config.first_id()},
          {"forbidden_ids", config.forbidden_ids},
          {"attention", attention}};
}

void check_onnx_size(const Config& config) {
  constexpr long kMost = 2000;  // protobuf ends at 2 147 MB
  const long size = parameter_count(config) * static_cast<long>(sizeof(float)) / 1'000'000;
  if (size > kMost)
    throw Error("ONNX", "the weights are " + std::to_string(size) + " MB, and its files hold " +
                            std::to_string(kMost) + " at most");
}

void save_onnx(OwnedFolder& folder, const Snapshot& snapshot, bool attention) {
  check_onnx_size(snapshot.config);
  const Transformer<float>& model = *snapshot.weights;
  const std::string encoder = onnx_bytes(onnx_encoder(model, attention)),
                    decoder = onnx_bytes(onnx_decoder(model, attention));
  folder.check({kEncoderFile, kDecoderFile, kSettingsFile});
  folder.write(kEncoderFile, encoder);
  folder.write(kDecoderFile, decoder);
  folder.write(kSettingsFile, onnx_settings(snapshot.config, attention).dump(2) + "\n");
}

}  // namespace glassformer
