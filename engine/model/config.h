// What a model is made of: the keys of config.json, each with the choice of "Attention Is All You Need" as
// default.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/layers/activation.h"
#include "engine/layers/feed_forward_kind.h"
#include "engine/layers/norm_kind.h"
#include "engine/layers/wave_form.h"
#include "engine/model/position_kinds.h"

namespace glassformer {

enum class NormPlace { post, pre };        // a norm after the residual sum, or before the sublayer
enum class Sharing { none, output, all };  // which of the three embedding matrices are one

// What the sum of log-probabilities of n words (eos counts) is divided by.
enum class LengthPenalty {
  paper,  // ((5 + n) / 6)^alpha, of Wu et al. 2016, which the paper uses
  length  // n^alpha: with alpha 1 the score is the mean log-probability of a word
};

struct Config {
  int d_model = 64;               // d, width of the residual stream
  int heads = 4;                  // H, divides d
  int d_ff = 256;                 // f, width of the feed-forward's hidden layer
  int encoder_layers = 2;         // N_e
  int decoder_layers = 2;         // N_d
  int source_vocab = 0;           // V_s
  int target_vocab = 0;           // V_t
  int max_length = 64;            // longest sequence, special tokens included
  double dropout = 0.1;           // 0 <= p < 1
  double attention_dropout = -1;  // of the weights of attention alone; -1: as dropout, which may change
  NormPlace norm = NormPlace::post;
  NormKind norm_kind = NormKind::layer;
  bool final_norm = false;  // a norm after each stack; pre-norm models default to true
  FeedForwardKind feed_forward = FeedForwardKind::plain;
  Activation activation =
      Activation::relu;  // of a plain feed-forward; a SwiGLU has its own, unit_activation()
  PositionKind positions = PositionKind::sinusoidal;
  bool scale_embeddings = true;  // embeddings times sqrt(d)
  bool embedding_norm = false;   // a norm after embedding + position
  bool attention_scale = true;   // scores divided by sqrt(k)
  AttentionActivation attention_activation = AttentionActivation::softmax;  // what makes weights of them
  bool attention_bias = true;  // biases on the query, key, value and output projections
  bool output_bias = true;     // bias on the vocabulary projection
  Sharing sharing = Sharing::none;
  double layer_norm_eps = 1e-5;  // inside the square root
  bool source_bos = false;       // the source begins with bos
  bool source_eos = true;        // the source ends in eos
  int pad_id = 0, unk_id = 1, bos_id = 2, eos_id = 3;
  int start_id = -1;               // the decoder's first input; -1: bos_id
  std::vector<int> forbidden_ids;  // that decoding never writes; trace and loss keep their logits
  PositionOrder position_order = PositionOrder::interleaved;
  PositionDivisor position_divisor = PositionDivisor::d;
  LengthPenalty length_penalty = LengthPenalty::paper;  // of beam search, unless another is asked for

  int head_width() const { return d_model / heads; }  // k
  int first_id() const { return start_id < 0 ? bos_id : start_id; }
  bool starts_with_pad() const { return first_id() == pad_id; }  // which is no padding there
  int source_specials() const { return (source_bos ? 1 : 0) + (source_eos ? 1 : 0); }  // beside its words
  WaveForm wave_form() const { return {position_order, position_divisor}; }
  Activation unit_activation() const {  // in the feed-forwards
    return feed_forward_traits(feed_forward).gated ? Activation::swish : activation;
  }
  // What the kind of positions asks of the model.
  bool adds_positions() const { return position_traits(positions).added; }  // a row to each embedding
  bool learns_positions() const { return position_traits(positions).learned; }
  bool turns_queries() const { return position_traits(positions).turned; }  // and keys, in self-attention
  RotaryPairs rotary_pairs() const {
    return glassformer::rotary_pairs(position_traits(positions), head_width());
  }
  bool operator==(const Config&) const = default;
};

// Throws Error naming the key, the allowed values and the value found.
void check(const Config& config);

// Absent keys take their defaults (final_norm follows norm); unknown keys and wrong types throw Error.
Config config_from_json(const nlohmann::json& json, const std::string& where = "config.json");
nlohmann::json to_json(const Config& config);  // every key, but attention_dropout where it is -1

}  // namespace glassformer
