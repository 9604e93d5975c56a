// Small random models and batches for tests that must hold for all of them.
#pragma once

#include <string>
#include <vector>

#include "engine/math/random.h"
#include "engine/model/transformer.h"

namespace glassformer {

struct NamedConfig {
  std::string name;
  Config config;
};

inline Config small_config() {
  Config config;
  config.d_model = 12;
  config.heads = 3;
  config.d_ff = 10;
  config.encoder_layers = 2;
  config.decoder_layers = 2;
  config.source_vocab = 11;
  config.target_vocab = 13;
  config.max_length = 12;
  return config;
}

// Every option of the model specification away from its default at least once.
inline std::vector<NamedConfig> varied_configs() {
  std::vector<NamedConfig> configs;
  configs.push_back({"the paper's", small_config()});
  Config config = small_config();
  config.norm = NormPlace::pre;
  config.final_norm = true;
  config.activation = Activation::gelu;
  config.positions = PositionKind::learned;
  config.sharing = Sharing::output;
  config.attention_bias = config.output_bias = false;
  configs.push_back({"pre-norm, gelu, learned positions, shared output", config});
  config = small_config();
  config.activation = Activation::swish;
  config.sharing = Sharing::all;
  config.source_vocab = config.target_vocab;
  config.embedding_norm = config.final_norm = true;
  config.d_model = 15;
  config.encoder_layers = 1;
  configs.push_back({"swish, everything shared, embedding norm, odd width", config});
  config = small_config();
  config.positions = PositionKind::none;
  config.attention_scale = config.scale_embeddings = false;
  config.norm = NormPlace::pre;
  config.heads = 1;
  config.decoder_layers = 1;
  configs.push_back({"no positions, no scales, pre-norm without final norm", config});
  config = small_config();
  config.positions = PositionKind::rotary;
  configs.push_back({"rotary positions", config});
  config.positions = PositionKind::alibi;
  configs.push_back({"ALiBi", config});
  config = small_config();
  config.attention_activation = AttentionActivation::relu;
  configs.push_back({"ReLU in place of the softmax", config});
  config = small_config();
  config.norm_kind = NormKind::rms;
  config.embedding_norm = config.final_norm = true;
  configs.push_back({"RMSNorm", config});
  config.norm = NormPlace::pre;
  config.embedding_norm = false;
  configs.push_back({"RMSNorm, pre-norm", config});
  config = small_config();
  config.feed_forward = FeedForwardKind::swiglu;
  configs.push_back({"SwiGLU", config});
  config.norm = NormPlace::pre;
  config.activation = Activation::gelu;  // which a SwiGLU does not have
  configs.push_back({"SwiGLU, pre-norm", config});
  return configs;
}

// Random numbers everywhere, biases and LayerNorm weights too, so that nothing is hidden by a 0 or a 1.
template <class Scalar>
Transformer<Scalar> random_model(const Config& config, std::uint64_t seed) {
  Transformer<Scalar> model(config);
  model.initialize(seed);
  Random random(derive_seed(seed, 7));
  model.visit([&](const std::string&, Parameter<Scalar> tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i)
      tensor.data[i] += static_cast<Scalar>(0.2 * random.normal());
  });
  return model;
}

inline std::vector<std::vector<int>> random_sentences(const std::vector<int>& lengths, int vocabulary,
                                                      Random& random) {
  std::vector<std::vector<int>> sentences;
  for (const int length : lengths) {
    std::vector<int>& sentence = sentences.emplace_back();
    for (int i = 0; i < length; ++i) sentence.push_back(4 + random.below(vocabulary - 4));
  }
  return sentences;
}

inline Batch random_batch(const Config& config, std::uint64_t seed) {
  Random random(seed);  // one after the other: compilers differ in which argument of a call they make first
  const auto target = random_sentences({4, 6, 0, 2}, config.target_vocab, random);
  const auto source = random_sentences({5, 1, 7, 3}, config.source_vocab, random);
  return make_batch(source, target, config);
}

}  // namespace glassformer
