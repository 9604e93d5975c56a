// Where everything of a batch is: chunks, attention plans, memory.
#include <algorithm>
#include <string>

#include "engine/layers/embedding.h"
#include "engine/math/error.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

// Tokens that go through the model together: enough for efficient products, few enough to stay in the cache.
constexpr int kChunkTokens = 512;
constexpr int kSmallBatch = 192;  // tokens that are not worth sharing out

void check_positions(const GivenPositions& positions, int places, int max_length) {
  for (int place = 0; place < places && !positions.none; ++place) {
    if (positions.at(place) < 0 || positions.at(place) >= max_length) {
      throw Error("positions", "this model has those from 0 to " + std::to_string(max_length - 1) +
                                   ", found " + std::to_string(positions.at(place)) + " at place " +
                                   std::to_string(place));
    }
  }
}

void check_batch(const Config& config, const Batch& batch) {
  check_ids(batch, config.source_vocab, config.target_vocab, config.max_length);
  check_pairs(batch);
  check_positions(batch.rules.source_positions, batch.source.longest(), config.max_length);
  check_positions(batch.rules.target_positions, batch.target_in.longest(), config.max_length);
}

// Cuts a batch at whole sentences into an even number of chunks of about as many tokens each.
void cut_chunks(const Batch& batch, std::vector<Chunk>& chunks) {
  const long tokens = batch.tokens();
  const long count = tokens < kSmallBatch ? 1 : 2 * ((tokens + 2 * kChunkTokens - 1) / (2 * kChunkTokens));
  chunks.clear();
  Chunk chunk;
  long before = 0;  // tokens in this and all earlier chunks
  for (int i = 0; i < batch.sentences(); ++i) {
    if (chunk.sentences == 0) chunk = {i, 0, batch.source.begin(i), 0, batch.target_in.begin(i), 0};
    ++chunk.sentences;
    chunk.source_rows += batch.source.length(i);
    chunk.target_rows += batch.target_in.length(i);
    before += batch.source.length(i) + batch.target_in.length(i);
    const long border = tokens * (std::ssize(chunks) + 1) / count;
    if (before >= border || i + 1 == batch.sentences()) {
      chunks.push_back(chunk);
      chunk.sentences = 0;
    }
  }
}

struct Keys {
  const PackedIds& ids;
  bool mask_padding;
  int pad_id;
  bool shows_first;  // what the decoder starts with is no padding, though it has its id
};

void plan_attention(const PackedIds& queries, const Keys& keys, int heads, AttentionPlan& plan) {
  plan.spans.clear();
  plan.weights = plan.longest_block = 0;
  for (int i = 0; i < queries.sentences(); ++i) {
    plan.spans.push_back(
        {queries.begin(i), queries.length(i), keys.ids.begin(i), keys.ids.length(i), plan.weights});
    const std::size_t block =
        static_cast<std::size_t>(queries.length(i)) * static_cast<std::size_t>(keys.ids.length(i));
    plan.weights += block * static_cast<std::size_t>(heads);
    plan.longest_block = std::max(plan.longest_block, block);
  }
  plan.hidden_keys.clear();
  if (keys.mask_padding && keys.ids.contains(keys.pad_id))
    plan.hidden_keys = keys.ids.padding(keys.pad_id, keys.shows_first);
}

template <class Scalar>
void resize(SideSaved<Scalar>& side, const Config& config, int rows) {
  const int d = config.d_model;
  make_room<Scalar>(side.embedded, rows, d);
  make_room<Scalar>(side.input, rows, d);
  side.positions.resize(0, 0);
  if (config.embedding_norm) side.norm.resize(rows, d);
  if (config.final_norm || config.norm == NormPlace::pre) side.final_norm.resize(rows, d);
}

// The rows of a table of positions that a side's tokens are given, where these are not their places.
template <class Scalar>
void move_positions(const Matrix<Scalar>& table, const GivenPositions& given, int places,
                    SideSaved<Scalar>& side) {
  if (given.unchanged()) return;
  side.positions.setZero(places, table.cols());
  for (int place = 0; place < places && !given.none; ++place)
    side.positions.row(place) = table.row(given.at(place));
}

template <class Scalar>
void resize_backward(SideSaved<Scalar>& side, const Config& config, int chunks) {
  make_room<Scalar>(side.d, side.embedded.rows(), config.d_model);
  make_room<Scalar>(side.d_branch, side.embedded.rows(), config.d_model);
  for (LayerNormSaved<Scalar>* norm : {&side.norm, &side.final_norm}) {
    make_room<Scalar>(norm->d_weight, chunks, config.d_model);
    make_room<Scalar>(norm->d_bias, chunks, config.d_model);
  }
}

}  // namespace

template <class Scalar>
void prepare_forward(const Transformer<Scalar>& model, const Batch& batch, Saved<Scalar>& saved,
                     EncoderMemory encoder) {
  const Config& config = model.config;
  check_batch(config, batch);
  cut_chunks(batch, saved.chunks);

  // Who may look at whom.
  const auto keys = [&](const PackedIds& ids, AttentionKind kind) {
    const bool starts_with_pad = kind == AttentionKind::decoder && config.starts_with_pad();
    return Keys{ids, batch.rules.mask_padding[static_cast<std::size_t>(kind)], config.pad_id,
                starts_with_pad};
  };
  plan_attention(batch.source, keys(batch.source, AttentionKind::encoder), config.heads, saved.encoder_plan);
  plan_attention(batch.target_in, keys(batch.target_in, AttentionKind::decoder), config.heads,
                 saved.decoder_plan);
  plan_attention(batch.target_in, keys(batch.source, AttentionKind::cross), config.heads, saved.cross_plan);
  saved.decoder_plan.causal = batch.rules.mask_causal && !batch.rules.zero_hidden;
  saved.decoder_plan.zeroes = batch.rules.mask_causal && batch.rules.zero_hidden;
  saved.encoder_plan.positions = &batch.rules.source_positions;
  saved.decoder_plan.positions = &batch.rules.target_positions;
  saved.decoder_plan.query_side = saved.decoder_plan.key_side = Side::target;
  saved.cross_plan.query_side = Side::target;
  saved.cross_plan.cross = true;

  const int longest = std::max(batch.rules.source_positions.end(batch.source.longest()),
                               batch.rules.target_positions.end(batch.target_in.longest()));
  if (config.positions == PositionKind::sinusoidal &&
      (saved.positions.rows() < longest || saved.positions.cols() != config.d_model)) {
    saved.positions = sinusoids<Scalar>(longest, config.d_model, config.wave_form());
  }

  // Memory.
  const int d = config.d_model;
  const bool pre_norm = config.norm == NormPlace::pre;
  const int sources_rows = batch.source.tokens(), target_rows = batch.target_in.tokens();
  const int chunks = static_cast<int>(saved.chunks.size());
  resize(saved.source, config, sources_rows);
  resize(saved.target, config, target_rows);
  if (config.adds_positions()) {
    const bool learned = config.learns_positions();
    move_positions(learned ? model.source_positions : saved.positions, batch.rules.source_positions,
                   batch.source.longest(), saved.source);
    move_positions(learned ? model.target_positions : saved.positions, batch.rules.target_positions,
                   batch.target_in.longest(), saved.target);
  }
  saved.encoder_layers.resize(encoder == EncoderMemory::of_one_layer ? 1 : model.encoder_layers.size());
  for (EncoderLayerSaved<Scalar>& layer : saved.encoder_layers) {
    layer.self_attention.resize(saved.encoder_plan, d, sources_rows, 0, chunks);
    layer.add_norm1.resize(pre_norm, sources_rows, d, chunks);
    layer.feed_forward.resize(sources_rows, model.encoder_layers.front().feed_forward);
    layer.add_norm2.resize(pre_norm, sources_rows, d, chunks);
  }
  saved.decoder_layers.resize(model.decoder_layers.size());
  for (DecoderLayerSaved<Scalar>& layer : saved.decoder_layers) {
    layer.self_attention.resize(saved.decoder_plan, d, target_rows, 0, chunks);
    layer.add_norm1.resize(pre_norm, target_rows, d, chunks);
    layer.cross_attention.resize(saved.cross_plan, d, target_rows, sources_rows, chunks);
    layer.add_norm2.resize(pre_norm, target_rows, d, chunks);
    layer.feed_forward.resize(target_rows, model.decoder_layers.front().feed_forward);
    layer.add_norm3.resize(pre_norm, target_rows, d, chunks);
  }
  make_room<Scalar>(saved.logits, target_rows, config.target_vocab);

  // What comes out of the stacks.
  const bool own_memory = config.final_norm || pre_norm;
  saved.memory = own_memory ? &saved.source.final_norm.y : &saved.encoder_layers.back().add_norm2.norm.y;
  saved.decoder_output =
      own_memory ? &saved.target.final_norm.y : &saved.decoder_layers.back().add_norm3.norm.y;
}

template <class Scalar>
void prepare_backward(const Transformer<Scalar>& model, Saved<Scalar>& saved) {
  const int chunks = static_cast<int>(saved.chunks.size());
  resize_backward(saved.source, model.config, chunks);
  resize_backward(saved.target, model.config, chunks);
  for (EncoderLayerSaved<Scalar>& layer : saved.encoder_layers)
    layer.feed_forward.resize_backward(model.encoder_layers.front().feed_forward);
  for (DecoderLayerSaved<Scalar>& layer : saved.decoder_layers)
    layer.feed_forward.resize_backward(model.decoder_layers.front().feed_forward);
}

template void prepare_forward(const Transformer<float>&, const Batch&, Saved<float>&, EncoderMemory);
template void prepare_forward(const Transformer<double>&, const Batch&, Saved<double>&, EncoderMemory);
template void prepare_backward(const Transformer<float>&, Saved<float>&);
template void prepare_backward(const Transformer<double>&, Saved<double>&);

}  // namespace glassformer
