// The decoder, a token at a time. What a token contributes to the attention of later ones, its keys and
// values in every layer, is computed once and kept; so are the keys and values of the encoder's memory. The
// result is that of the whole decoder run on the whole prefix.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/decode/prefix_decoder.h"
#include "engine/model/transformer.h"

namespace glassformer {

template <class Scalar>
class IncrementalDecoder : public PrefixDecoder<Scalar> {
 public:
  // Encodes the sources; one row for each, nothing written yet. No token is masked. `model` and `panels` must
  // outlive this. The changes must not read ahead (engine/model/what_if/what_if_tap.h).
  IncrementalDecoder(const ChangedModel<Scalar>& model, const DecoderPanels<Scalar>* panels,
                     const DecoderInput& input);

  const Matrix<Scalar>& step(std::span<const int> ids) override;
  void select(std::span<const int> from) override;

  int rows() const { return static_cast<int>(sentence_.size()); }
  int length() const { return length_; }

 private:
  using LayerPanels = typename DecoderPanels<Scalar>::Layer;

  // What a step wrote stays where it is: a row finds its past by past_. The memory's keys are upright, a
  // token a column, so that a query meets many of them at once, with room for whole lines of memory_room_.
  struct LayerCache {
    std::vector<Matrix<Scalar>> written;  // by each step: keys and values of its rows (rows, 2 d)
    Matrix<Scalar> memory_keys;           // (sentences * d, memory_room)
    Matrix<Scalar> memory_values;         // (N_s, d)
  };

  void keep_memory(const Linear<Scalar>& input, const Matrix<Scalar>& memory, LayerCache& cache);
  template <class Work>
  void for_column_shares(Eigen::Index weights, int columns, Work&& work) const;
  void apply(const Linear<Scalar>& layer, const Panels<Scalar>* panels, Matrix<Scalar>& x,
             Matrix<Scalar>& y) const;
  void embed_next(std::span<const int> ids);
  void self_attention(std::size_t layer, const LayerPanels* panels);
  void cross_attention(std::size_t layer, const LayerPanels* panels);
  void feed_forward(std::size_t layer, const LayerPanels* panels);
  std::optional<Probe<Tap<Scalar>>> look_into(const ValueName& block);

  const Transformer<Scalar>& model_;
  const DecoderPanels<Scalar>* panels_;
  WorkerPool* pool_;
  int max_length_;
  int memory_room_ = 0;
  int length_ = 0;
  PackedIds sources_;
  GivenPositions given_;                  // where the written tokens are
  std::optional<WhatIfTap<Scalar>> tap_;  // nothing is changed without
  std::vector<int> sentence_;             // of each row
  std::vector<std::vector<int>> past_;    // of each row: which row of each step it continues
  std::vector<LayerCache> caches_;        // a layer each
  Matrix<Scalar> positions_;              // (max_length, d) of each place; empty: nothing is added
  Matrix<Scalar> x_;                      // (rows, d) the residual stream
  Matrix<Scalar> input_, branch_;         // (rows, d) into and out of a sub-layer
  Matrix<Scalar> projected_;              // (rows, 3d)
  Matrix<Scalar> context_;                // (rows, d)
  Matrix<Scalar> hidden_, gate_;          // (rows, f)
  Matrix<Scalar> logits_;                 // (rows, V_t)
  std::vector<Scalar> weights_;           // rows of attention of one head
};

extern template class IncrementalDecoder<float>;
extern template class IncrementalDecoder<double>;

}  // namespace glassformer
