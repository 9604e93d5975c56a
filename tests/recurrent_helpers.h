// Small random recurrent models and batches for tests that must hold for all of them.
#pragma once

#include <string>
#include <vector>

#include "engine/math/random.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {

inline RecurrentConfig small_recurrent_config(RecurrentAttention attention) {
  RecurrentConfig config;
  config.width = 6;
  config.layers = 2;
  config.source_vocab = 9;
  config.target_vocab = 10;
  config.max_length = 12;
  config.recurrent_attention = attention;
  return config;
}

struct NamedRecurrentConfig {
  std::string name;
  RecurrentConfig config;
};

// Each kind of attention.
inline std::vector<NamedRecurrentConfig> recurrent_configs() {
  return {{"none", small_recurrent_config(RecurrentAttention::none)},
          {"additive", small_recurrent_config(RecurrentAttention::additive)},
          {"dot", small_recurrent_config(RecurrentAttention::dot)}};
}

// Random numbers everywhere, biases too.
template <class Scalar>
RecurrentModel<Scalar> random_recurrent_model(const RecurrentConfig& config, std::uint64_t seed) {
  RecurrentModel<Scalar> model(config);
  model.initialize(seed);
  Random random(derive_seed(seed, 7));
  model.visit([&](const std::string&, Parameter<Scalar> tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i)
      tensor.data[i] += static_cast<Scalar>(0.2 * random.normal());
  });
  return model;
}

inline std::vector<int> random_words(int count, int vocabulary, Random& random) {
  std::vector<int> words;
  for (int i = 0; i < count; ++i) words.push_back(4 + random.below(vocabulary - 4));
  return words;
}

struct Sentences {
  std::vector<std::vector<int>> sources, targets;  // without bos and eos
};

// So many sentence pairs of 1 to 7 and of 0 to 6 words.
inline Sentences random_pairs(const RecurrentConfig& config, int count, std::uint64_t seed) {
  Random random(seed);
  Sentences result;
  for (int i = 0; i < count; ++i) {
    result.sources.push_back(random_words(1 + random.below(7), config.source_vocab, random));
    result.targets.push_back(random_words(random.below(7), config.target_vocab, random));
  }
  return result;
}

inline Batch batch_of(const RecurrentConfig& config, const Sentences& sentences) {
  return make_batch(sentences.sources, sentences.targets, batch_config(config));
}

// All numbers of a model one after another.
template <class Scalar>
std::vector<Scalar> numbers_of(const RecurrentModel<Scalar>& model) {
  std::vector<Scalar> numbers;
  model.visit([&](const std::string&, Parameter<const Scalar> tensor) {
    numbers.insert(numbers.end(), tensor.data, tensor.data + tensor.size());
  });
  return numbers;
}

}  // namespace glassformer
