#include "engine/model/parameter_counts.h"

#include <doctest/doctest.h>

#include <set>

using namespace glassformer;

namespace {

long count_of(const std::vector<ParameterBlock>& blocks, const std::string& name) {
  for (const ParameterBlock& block : blocks)
    if (block.name == name) return block.count();
  return -1;
}

}  // namespace

TEST_CASE("the paper's base model with a shared vocabulary of 37 000 has about 63 million weights") {
  Config config;
  config.d_model = 512;
  config.heads = 8;
  config.d_ff = 2048;
  config.encoder_layers = config.decoder_layers = 6;
  config.source_vocab = config.target_vocab = 37000;
  config.sharing = Sharing::all;
  // 37 000 x 512 + 6 x 3 152 384 + 6 x 4 204 032 + the 37 000 biases of the output
  CHECK(parameter_count(config) == 18944000 + 6 * 3152384L + 6 * 4204032L + 37000);
  CHECK(parameter_count(config) / 1000000 == 63);
}

TEST_CASE("blocks are counted by their shapes, LayerNorm beside the sub-block it belongs to") {
  Config config;
  config.d_model = 8;
  config.heads = 2;
  config.d_ff = 10;
  config.encoder_layers = 1;
  config.decoder_layers = 2;
  config.source_vocab = 20;
  config.target_vocab = 30;
  const auto blocks = parameter_blocks(config);
  CHECK(count_of(blocks, "source_embedding") == 160);
  CHECK(count_of(blocks, "target_embedding") == 240);
  CHECK(count_of(blocks, "encoder.layers.0.self_attn") == 4 * 64 + 4 * 8 + 16);
  CHECK(count_of(blocks, "decoder.layers.1.multihead_attn") == 4 * 64 + 4 * 8 + 16);
  CHECK(count_of(blocks, "decoder.layers.1.feed_forward") == 2 * 80 + 18 + 16);
  CHECK(count_of(blocks, "output_projection") == 270);
  CHECK(blocks.size() == 2 + 2 + 6 + 1);

  long sum = 0;
  std::set<std::string> names;
  for (const ParameterBlock& block : blocks) {
    sum += block.count();
    for (const ParameterShape& tensor : block.tensors) CHECK(names.insert(tensor.name).second);
  }
  CHECK(sum == parameter_count(config));
}

TEST_CASE("options add and remove exactly the tensors that the model specification names") {
  Config config;
  config.d_model = 8;
  config.source_vocab = config.target_vocab = 20;
  const long plain = parameter_count(config);

  Config shared = config;
  shared.sharing = Sharing::output;
  CHECK(plain - parameter_count(shared) == 160);
  shared.sharing = Sharing::all;
  CHECK(plain - parameter_count(shared) == 320);
  CHECK(count_of(parameter_blocks(shared), "source_embedding") == -1);

  Config learned = config;
  learned.positions = PositionKind::learned;
  CHECK(parameter_count(learned) - plain == 2 * 64 * 8);

  Config normed = config;
  normed.final_norm = normed.embedding_norm = true;
  CHECK(parameter_count(normed) - plain == 4 * 16);

  Config bare = config;
  bare.attention_bias = bare.output_bias = false;
  CHECK(plain - parameter_count(bare) == 6 * 32 + 20);  // two encoder attentions, four decoder attentions
}
