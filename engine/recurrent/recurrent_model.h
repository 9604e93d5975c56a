// The recurrent encoder-decoder that the Transformer came after: an encoder reads the source word by word and
// a decoder writes the target word by word, each with a state that a gated recurrent unit changes.
//
//   source ids -> embedding -> L layers -> memory, a state per word; and the states after the last word
//   target ids -> embedding -> L layers, beginning with those states -> [state, context] -> projection ->
//   logits
//
// Layer i of the decoder begins where layer i of the encoder has ended: without attention this is all that
// the decoder knows of the source, whatever its length (Sutskever et al. 2014: one vector). With attention
// (source_attention.h) it also has a context of the source's states for each word it writes.
//
// Used like a Transformer: forward, loss with a gradient, backward. Gradients and Adam's moments are models
// too. The same batch and weights give the same bits on any number of threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/layers/linear.h"
#include "engine/model/transformer.h"
#include "engine/recurrent/gru.h"
#include "engine/recurrent/names.h"
#include "engine/recurrent/saved.h"
#include "engine/recurrent/source_attention.h"

namespace glassformer {

template <class Scalar>
class RecurrentModel {
 public:
  // Every number 0; throws Error on a configuration that cannot be.
  explicit RecurrentModel(const RecurrentConfig& config);

  // Embeddings from a standard normal and the numbers of a GRU from +-1/sqrt(d), as PyTorch does; the
  // matrices of attention and output by Xavier, their biases 0.
  void initialize(std::uint64_t seed);
  void set_zero();

  // Checks the batch (throws Error on ids outside the vocabulary and on sentences that are too long), then
  // fills saved.logits and all that backward needs. Padding at the ends of sentences is not read, and has no
  // rows: saved.words says what the rows are. Rules of the batch (masks, positions) mean nothing here.
  void forward(const Batch& batch, RecurrentSaved<Scalar>& saved) const;
  // The encoder alone: memory and last states. The targets of the batch may be empty sentences.
  void encode(const Batch& batch, RecurrentSaved<Scalar>& saved) const;

  // The loss of the last forward pass.
  Loss loss(RecurrentSaved<Scalar>& saved, const LossOptions& options) const;

  // d loss / d parameter into `gradient`; with `add` onto what is there. Wants loss() with a gradient before.
  void backward(RecurrentSaved<Scalar>& saved, RecurrentModel& gradient, bool add = false) const;

  // Calls fn(const std::string& name, Parameter<Scalar>) for every tensor, in a fixed order.
  template <class Fn>
  void visit(Fn&& fn) {
    visit_tensors(*this, fn);
  }
  template <class Fn>
  void visit(Fn&& fn) const {  // Parameter<const Scalar>
    visit_tensors(*this, fn);
  }
  std::size_t parameter_count() const;

  template <class Other>
  RecurrentModel<Other> cast() const;  // the same numbers in another precision

  RecurrentConfig config;
  Matrix<Scalar> source_embedding;    // (V_s, d)
  Matrix<Scalar> target_embedding;    // (V_t, d)
  std::vector<Gru<Scalar>> encoder;   // L, each d -> d
  std::vector<Gru<Scalar>> decoder;   // L, each d -> d
  SourceAttention<Scalar> attention;  // of the configured kind
  Linear<Scalar> output_projection;   // (V_t, d), with attention (V_t, 2d)

 private:
  template <class Self, class Fn>
  static void visit_tensors(Self& self, Fn& fn);
};

// Loss and gradient of a batch, as training_pass.h has them for a Transformer. More than some 8 000 tokens go
// through the model in parts.
template <class Scalar>
Loss training_pass(const RecurrentModel<Scalar>& model, const Batch& batch, double smoothing,
                   RecurrentSaved<Scalar>& saved, RecurrentModel<Scalar>& gradient);

extern template class RecurrentModel<float>;
extern template class RecurrentModel<double>;

// ---- visit, spelled out: the one list of all tensors

template <class Scalar>
template <class Self, class Fn>
void RecurrentModel<Scalar>::visit_tensors(Self& self, Fn& fn) {
  using enum RecurrentPart;
  const auto tensor = [&](RecurrentPart part, auto& numbers) {
    detail::visit_tensor(written({part, false, 0}), numbers, fn);
  };
  const auto layers = [&](bool of_encoder, auto& all) {
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
      auto& layer = all[static_cast<std::size_t>(i)];
      detail::visit_tensor(written({input_weight, of_encoder, i}), layer.input_weight, fn);
      detail::visit_tensor(written({state_weight, of_encoder, i}), layer.state_weight, fn);
      detail::visit_tensor(written({input_bias, of_encoder, i}), layer.input_bias, fn);
      detail::visit_tensor(written({state_bias, of_encoder, i}), layer.state_bias, fn);
    }
  };
  tensor(RecurrentPart::source_embedding, self.source_embedding);
  tensor(RecurrentPart::target_embedding, self.target_embedding);
  layers(true, self.encoder);
  layers(false, self.decoder);
  tensor(query_weight, self.attention.query_weight);
  tensor(key_weight, self.attention.key_weight);
  tensor(score_weight, self.attention.score_weight);
  tensor(output_weight, self.output_projection.weight);
  tensor(output_bias, self.output_projection.bias);
}

}  // namespace glassformer
