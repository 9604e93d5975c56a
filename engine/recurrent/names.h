// What the parameters and the values of a recurrent model are called. Names are put together and taken apart
// here alone. Inside a GRU they are those of torch.nn.GRU ("encoder.weight_ih_l0"), elsewhere like a
// Transformer's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glassformer {

enum class RecurrentPart {
  source_embedding,  // (V_s, d)
  target_embedding,  // (V_t, d)
  input_weight,      // of a GRU: W_i (3d, d)
  state_weight,      // of a GRU: W_h (3d, d)
  input_bias,        // of a GRU: b_i (3d)
  state_bias,        // of a GRU: b_h (3d)
  query_weight,      // of additive attention: W (d, d)
  key_weight,        // of additive attention: U (d, d)
  score_weight,      // of additive attention: v (d)
  output_weight,     // (V_t, d or 2d)
  output_bias        // (V_t)
};

constexpr bool in_gru(RecurrentPart part) {
  return part >= RecurrentPart::input_weight && part <= RecurrentPart::state_bias;
}

struct RecurrentName {
  RecurrentPart part = RecurrentPart::output_weight;
  bool encoder = false;  // of a GRU: the encoder's or the decoder's
  int layer = 0;         // of a GRU, from 0

  bool operator==(const RecurrentName&) const = default;
};

std::string written(const RecurrentName& name);
// Nothing for what no recurrent model has.
std::optional<RecurrentName> read_recurrent_name(std::string_view name);

// What a forward pass computes; the order of the gates is that of a GRU's rows.
enum class RecurrentValue {
  embedded,   // of a side: its words as vectors
  reset,      // of a layer: r
  update,     // of a layer: z
  candidate,  // of a layer: n
  state,      // of a layer: h'
  last,       // of a layer: the state after the last word
  weights,    // of attention
  context,    // of attention
  logits
};

struct RecurrentValueName {
  RecurrentValue value = RecurrentValue::logits;
  bool encoder = false;  // of a side or a layer: the encoder's or the decoder's
  int layer = 0;         // of a layer, from 0
};
std::string written(const RecurrentValueName& name);  // "encoder.state_l0", "attention.weights"

}  // namespace glassformer
