#include "engine/model/parameter_counts.h"

namespace glassformer {

namespace {

// Collects blocks; the ones without tensors are dropped at the end.
class BlockList {
 public:
  explicit BlockList(const Config& config) : config_(config) {}

  void begin(const std::string& name, const std::string& title) { blocks_.push_back({name, title, {}}); }
  void tensor(const std::string& name, int rows, int columns) {
    blocks_.back().tensors.push_back({name, rows, columns});
  }

  void embedding(const std::string& side, const std::string& title, bool own_matrix, int vocabulary) {
    begin(side + "_embedding", title);
    if (own_matrix) tensor(side + "_embedding.weight", vocabulary, config_.d_model);
    if (config_.positions == PositionKind::learned)
      tensor(side + "_positions.weight", config_.max_length, config_.d_model);
    if (config_.embedding_norm) norm(side + "_embedding_norm");
  }

  void attention(const std::string& name, const std::string& title) {
    const int d = config_.d_model;
    begin(name, title);
    tensor(name + ".in_proj_weight", 3 * d, d);
    if (config_.attention_bias) tensor(name + ".in_proj_bias", 1, 3 * d);
    tensor(name + ".out_proj.weight", d, d);
    if (config_.attention_bias) tensor(name + ".out_proj.bias", 1, d);
  }

  void feed_forward(const std::string& layer, const std::string& title) {
    begin(layer + ".feed_forward", title);
    tensor(layer + ".linear1.weight", config_.d_ff, config_.d_model);
    tensor(layer + ".linear1.bias", 1, config_.d_ff);
    tensor(layer + ".linear2.weight", config_.d_model, config_.d_ff);
    tensor(layer + ".linear2.bias", 1, config_.d_model);
  }

  void norm(const std::string& name) {
    tensor(name + ".weight", 1, config_.d_model);
    tensor(name + ".bias", 1, config_.d_model);
  }

  std::vector<ParameterBlock> take() {
    std::erase_if(blocks_, [](const ParameterBlock& block) { return block.tensors.empty(); });
    return std::move(blocks_);
  }

 private:
  const Config& config_;
  std::vector<ParameterBlock> blocks_;
};

}  // namespace

long ParameterBlock::count() const {
  long sum = 0;
  for (const ParameterShape& tensor : tensors) sum += tensor.count();
  return sum;
}

std::vector<ParameterBlock> parameter_blocks(const Config& config) {
  BlockList list(config);
  const bool one_embedding = config.sharing == Sharing::all;
  list.embedding("source", "Source embedding", !one_embedding, config.source_vocab);

  // Encoder: each layer's LayerNorms stand with the sub-block that they follow or precede.
  for (int i = 0; i < config.encoder_layers; ++i) {
    const std::string layer = "encoder.layers." + std::to_string(i);
    const std::string title = "Encoder layer " + std::to_string(i + 1);
    list.attention(layer + ".self_attn", title + ", self-attention");
    list.norm(layer + ".norm1");
    list.feed_forward(layer, title + ", feed-forward");
    list.norm(layer + ".norm2");
  }
  if (config.final_norm) {
    list.begin("encoder.norm", "Encoder, final norm");
    list.norm("encoder.norm");
  }

  list.embedding("target", one_embedding ? "Embedding, shared" : "Target embedding", true,
                 config.target_vocab);

  // Decoder.
  for (int i = 0; i < config.decoder_layers; ++i) {
    const std::string layer = "decoder.layers." + std::to_string(i);
    const std::string title = "Decoder layer " + std::to_string(i + 1);
    list.attention(layer + ".self_attn", title + ", masked self-attention");
    list.norm(layer + ".norm1");
    list.attention(layer + ".multihead_attn", title + ", cross-attention");
    list.norm(layer + ".norm2");
    list.feed_forward(layer, title + ", feed-forward");
    list.norm(layer + ".norm3");
  }
  if (config.final_norm) {
    list.begin("decoder.norm", "Decoder, final norm");
    list.norm("decoder.norm");
  }

  list.begin("output_projection", "Output projection");
  if (config.sharing == Sharing::none)
    list.tensor("output_projection.weight", config.target_vocab, config.d_model);
  if (config.output_bias) list.tensor("output_projection.bias", 1, config.target_vocab);
  return list.take();
}

long parameter_count(const Config& config) {
  long sum = 0;
  for (const ParameterBlock& block : parameter_blocks(config)) sum += block.count();
  return sum;
}

}  // namespace glassformer
