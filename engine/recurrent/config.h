// What a recurrent encoder-decoder is made of, each with a default of the size of the other kind of model.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/model/config.h"
#include "engine/model/snapshot.h"

namespace glassformer {

// How the decoder looks at the source words.
enum class RecurrentAttention {
  none,      // not at all: it has the encoder's last state, the one vector (Sutskever et al. 2014)
  additive,  // v^T tanh(W q + U k) (Bahdanau et al. 2015)
  dot        // q k^T (Luong et al. 2015)
};

struct RecurrentConfig {
  int width = 64;        // d, of the embeddings and of the states
  int layers = 1;        // L, of the encoder and of the decoder
  int source_vocab = 0;  // V_s
  int target_vocab = 0;  // V_t
  int max_length = 64;   // longest sequence, special tokens included
  RecurrentAttention recurrent_attention = RecurrentAttention::additive;
  static constexpr bool source_bos = false;
  bool source_eos = true;  // the source ends in eos
  int pad_id = 0, unk_id = 1, bos_id = 2, eos_id = 3;

  bool attends() const { return recurrent_attention != RecurrentAttention::none; }
  // What the output layer reads: the decoder's state and, with attention, the context beside it.
  int joined_width() const { return attends() ? 2 * width : width; }
  int first_id() const { return bos_id; }
  int source_specials() const { return source_eos ? 1 : 0; }

  bool operator==(const RecurrentConfig&) const = default;
};

template <class Scalar>
class RecurrentModel;
template <class Scalar>
struct RecurrentSaved;
template <class Scalar>
struct KindOf<RecurrentModel<Scalar>> {
  using Config = RecurrentConfig;
  using Saved = RecurrentSaved<Scalar>;
};

// Throws Error naming the key, the allowed values and the value found.
void check(const RecurrentConfig& config);

// Numbers that a model of it learns.
std::size_t parameter_count(const RecurrentConfig& config);

// config.json of a folder. Reading throws Error on missing, unknown and wrong entries; the special ids and
// source_eos may be absent.
nlohmann::json to_json(const RecurrentConfig& config);
RecurrentConfig recurrent_config_from_json(const nlohmann::json& json,
                                           const std::string& where = "config.json");
bool is_recurrent(const nlohmann::json& config);  // "architecture": "recurrent"

// What make_batch (engine/model/batch.h) wants to know of a model.
Config batch_config(const RecurrentConfig& config);

}  // namespace glassformer
