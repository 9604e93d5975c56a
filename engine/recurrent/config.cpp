#include "engine/recurrent/config.h"

#include <algorithm>
#include <string>

#include "engine/math/error.h"

namespace glassformer {
namespace {

void check_setting(const char* key, int value, int low, int high) {
  if (value >= low && value <= high) return;
  throw Error("model", std::string(key) + " must be from " + std::to_string(low) + " to " +
                           std::to_string(high) + ", found " + std::to_string(value));
}

}  // namespace

void check(const RecurrentConfig& config) {
  constexpr int kMost = 1 << 20;
  check_setting("width", config.width, 1, 1 << 16);
  check_setting("layers", config.layers, 1, 1000);
  check_setting("source_vocab", config.source_vocab, 1, 16 * kMost);
  check_setting("target_vocab", config.target_vocab, 1, 16 * kMost);
  check_setting("max_length", config.max_length, 2, kMost);
  const int smaller = std::min(config.source_vocab, config.target_vocab);
  check_setting("pad_id", config.pad_id, 0, smaller - 1);
  check_setting("unk_id", config.unk_id, 0, smaller - 1);
  check_setting("bos_id", config.bos_id, 0, config.target_vocab - 1);
  check_setting("eos_id", config.eos_id, 0, (config.source_eos ? smaller : config.target_vocab) - 1);
}

Config batch_config(const RecurrentConfig& config) {
  Config result;
  result.source_vocab = config.source_vocab;
  result.target_vocab = config.target_vocab;
  result.max_length = config.max_length;
  result.source_eos = config.source_eos;
  result.pad_id = config.pad_id;
  result.unk_id = config.unk_id;
  result.bos_id = config.bos_id;
  result.eos_id = config.eos_id;
  return result;
}

std::size_t parameter_count(const RecurrentConfig& config) {
  const auto d = static_cast<std::size_t>(config.width), layers = static_cast<std::size_t>(config.layers),
             source = static_cast<std::size_t>(config.source_vocab),
             target = static_cast<std::size_t>(config.target_vocab);
  const std::size_t gru = 2 * 3 * d * d + 2 * 3 * d;  // two weights and two biases for three rows a unit
  const std::size_t attention =
      config.recurrent_attention == RecurrentAttention::additive ? 2 * d * d + d : 0;
  const std::size_t output = target * static_cast<std::size_t>(config.joined_width()) + target;
  return (source + target) * d + 2 * layers * gru + attention + output;
}

}  // namespace glassformer
