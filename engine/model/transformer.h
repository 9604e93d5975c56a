// The encoder-decoder Transformer of "Attention Is All You Need" (figure 1), with the variants of Config.
//
//   source ids -> embedding + positions -> N_e encoder layers -> memory
//   target ids -> embedding + positions -> N_d decoder layers, each reading the memory -> projection ->
//   logits
//
// A training step, from the outside:
//
//   saved.pool = &pool;  saved.dropout = model.config.dropout;  saved.step = step;
//   const Loss loss = training_pass(model, batch, 0.1, saved, gradient);    // engine/model/training_pass.h
//   const double norm = optimizer.gradient_norm(&pool);                     // engine/model/optimizer.h
//   optimizer.step({step, rate, clip_scale(norm, clip)}, &pool);
//
// where the training pass is forward, loss and backward, below.
// Gradients and Adam's moments are Transformers too: each number of theirs belongs to the weight in the same
// place. The same batch, weights and settings give the same bits on any number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/layers/attention.h"
#include "engine/layers/cross_entropy.h"
#include "engine/layers/feed_forward.h"
#include "engine/layers/layer_norm.h"
#include "engine/layers/linear.h"
#include "engine/layers/tap.h"
#include "engine/model/batch.h"
#include "engine/model/config.h"
#include "engine/model/saved.h"

namespace glassformer {

template <class Scalar>
struct EncoderLayer {
  Attention<Scalar> self_attention;
  LayerNorm<Scalar> norm1;
  FeedForward<Scalar> feed_forward;
  LayerNorm<Scalar> norm2;
};

template <class Scalar>
struct DecoderLayer {
  Attention<Scalar> self_attention;
  LayerNorm<Scalar> norm1;
  Attention<Scalar> cross_attention;
  LayerNorm<Scalar> norm2;
  FeedForward<Scalar> feed_forward;
  LayerNorm<Scalar> norm3;
};

// One named tensor of a model: a matrix (rank 2) or a vector (rank 1, rows = 1). S may be const.
template <class S>
struct Parameter {
  S* data = nullptr;
  int rows = 0, columns = 0;
  int rank = 2;

  std::size_t size() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
  std::vector<int> shape() const {
    return rank == 2 ? std::vector<int>{rows, columns} : std::vector<int>{columns};
  }
};

struct LossOptions {
  double smoothing = 0.1;
  bool gradient = false;  // turn saved.logits into d loss / d logits, for backward()
  long words = 0;  // the mean is over so many target words; 0: those of this batch (for batches in parts)
};

template <class Scalar>
class Transformer {
 public:
  enum class Numbers { zero, unset };  // unset: for whoever writes all of them at once
  explicit Transformer(const Config& config, Numbers numbers = Numbers::zero);  // throws as check(config)

  void initialize(std::uint64_t seed);  // Xavier and normal, as the model specification says
  void set_zero();

  // Checks the batch (throws Error on ids outside the vocabulary and on sentences that are too long), then
  // fills saved.logits and all that backward needs.
  void forward(const Batch& batch, Saved<Scalar>& saved) const;
  void forward(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const;

  // The encoder alone: saved.memory (N_s, d). The targets of the batch may be empty sentences.
  void encode(const Batch& batch, Saved<Scalar>& saved) const;
  void encode(const Batch& batch, Saved<Scalar>& saved, Tap<Scalar>& tap) const;

  // The loss of the last forward pass.
  Loss loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options) const;
  Loss loss(const Batch& batch, Saved<Scalar>& saved, const LossOptions& options, Tap<Scalar>& tap) const;

  // d loss / d parameter into `gradient`; with `add` onto what is there. Wants loss() with a gradient before.
  void backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient, bool add = false) const;
  void backward(const Batch& batch, Saved<Scalar>& saved, Transformer& gradient, Tap<Scalar>& tap,
                bool add = false) const;

  // Calls fn(const std::string& name, Parameter<Scalar>) for every tensor, a shared one once, in a fixed
  // order.
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
  Transformer<Other> cast() const;  // the same numbers in another precision

  // Which table serves what, with the sharing of the configuration.
  const Matrix<Scalar>& source_table() const { return shares_all() ? target_embedding : source_embedding; }
  const Matrix<Scalar>& projection() const {
    return shares_output() ? target_embedding : output_projection.weight;
  }
  bool shares_all() const { return config.sharing == Sharing::all; }
  bool shares_output() const { return config.sharing != Sharing::none; }

  Config config;
  Matrix<Scalar> source_embedding;                                 // (V_s, d); empty when sharing is "all"
  Matrix<Scalar> target_embedding;                                 // (V_t, d)
  Matrix<Scalar> source_positions;                                 // (max_length, d) learned only
  Matrix<Scalar> target_positions;                                 // (max_length, d) learned only
  LayerNorm<Scalar> source_embedding_norm, target_embedding_norm;  // embedding_norm only
  std::vector<EncoderLayer<Scalar>> encoder_layers;
  LayerNorm<Scalar> encoder_norm;  // final_norm only
  std::vector<DecoderLayer<Scalar>> decoder_layers;
  LayerNorm<Scalar> decoder_norm;    // final_norm only
  Linear<Scalar> output_projection;  // (V_t, d); the weight is empty when it is shared

 private:
  template <class Self, class Fn>
  static void visit_tensors(Self& self, Fn& fn);
};

extern template class Transformer<float>;
extern template class Transformer<double>;

// ---- visit, spelled out: the one list of all names

namespace detail {

template <class M, class Fn>
void visit_tensor(const std::string& name, M& tensor, Fn& fn) {
  if (tensor.size() == 0) return;
  using S = std::remove_pointer_t<decltype(tensor.data())>;
  constexpr int kRank = std::remove_const_t<M>::RowsAtCompileTime == 1 ? 1 : 2;
  fn(name,
     Parameter<S>{tensor.data(), static_cast<int>(tensor.rows()), static_cast<int>(tensor.cols()), kRank});
}

// Of all numbers of a model of either kind.
template <class Model>
void set_zero(Model& model) {
  model.visit([](const std::string&, auto tensor) {
    std::fill_n(tensor.data, tensor.size(), std::remove_reference_t<decltype(*tensor.data)>{});
  });
}
template <class Model>
std::size_t count_numbers(const Model& model) {
  std::size_t count = 0;
  model.visit([&](const std::string&, auto tensor) { count += tensor.size(); });
  return count;
}
template <template <class> class Model, class From, class To>
void copy_numbers(const Model<From>& from, Model<To>& to) {  // in another precision
  std::vector<const From*> values;
  from.visit([&](const std::string&, Parameter<const From> tensor) { values.push_back(tensor.data); });
  std::size_t index = 0;
  to.visit([&](const std::string&, Parameter<To> tensor) {
    const From* const first = values[index++];
    std::transform(first, first + tensor.size(), tensor.data,
                   [](From value) { return static_cast<To>(value); });
  });
}

template <class L, class Fn>
void visit_pair(const std::string& name, L& layer, Fn& fn) {  // Linear, LayerNorm
  visit_tensor(name + ".weight", layer.weight, fn);
  visit_tensor(name + ".bias", layer.bias, fn);
}

template <class A, class Fn>
void visit_attention(const std::string& name, A& attention, Fn& fn) {
  visit_tensor(name + ".in_proj_weight", attention.input.weight, fn);
  visit_tensor(name + ".in_proj_bias", attention.input.bias, fn);
  visit_pair(name + ".out_proj", attention.output, fn);
}

template <class F, class Fn>
void visit_feed_forward(const std::string& layer, F& feed_forward, Fn& fn) {
  visit_pair(layer + ".linear1", feed_forward.linear1, fn);
  visit_pair(layer + ".linear_gate", feed_forward.linear_gate, fn);
  visit_pair(layer + ".linear2", feed_forward.linear2, fn);
}

}  // namespace detail

template <class Scalar>
template <class Self, class Fn>
void Transformer<Scalar>::visit_tensors(Self& self, Fn& fn) {
  using namespace detail;
  visit_tensor("source_embedding.weight", self.source_embedding, fn);
  visit_tensor("target_embedding.weight", self.target_embedding, fn);
  visit_tensor("source_positions.weight", self.source_positions, fn);
  visit_tensor("target_positions.weight", self.target_positions, fn);
  visit_pair("source_embedding_norm", self.source_embedding_norm, fn);
  visit_pair("target_embedding_norm", self.target_embedding_norm, fn);
  for (std::size_t i = 0; i < self.encoder_layers.size(); ++i) {
    auto& layer = self.encoder_layers[i];
    const std::string at = "encoder.layers." + std::to_string(i);
    visit_attention(at + ".self_attn", layer.self_attention, fn);
    visit_feed_forward(at, layer.feed_forward, fn);
    visit_pair(at + ".norm1", layer.norm1, fn);
    visit_pair(at + ".norm2", layer.norm2, fn);
  }
  visit_pair("encoder.norm", self.encoder_norm, fn);
  for (std::size_t i = 0; i < self.decoder_layers.size(); ++i) {
    auto& layer = self.decoder_layers[i];
    const std::string at = "decoder.layers." + std::to_string(i);
    visit_attention(at + ".self_attn", layer.self_attention, fn);
    visit_attention(at + ".multihead_attn", layer.cross_attention, fn);
    visit_feed_forward(at, layer.feed_forward, fn);
    visit_pair(at + ".norm1", layer.norm1, fn);
    visit_pair(at + ".norm2", layer.norm2, fn);
    visit_pair(at + ".norm3", layer.norm3, fn);
  }
  visit_pair("decoder.norm", self.decoder_norm, fn);
  visit_pair("output_projection", self.output_projection, fn);
}

}  // namespace glassformer
