// The decoder, a token at a time. What a token contributes to the attention of later ones, its keys and
// values in every layer, is computed once and kept; so are the keys and values of the encoder's memory. The
// result is that of the whole decoder run on the whole prefix.
#pragma once

#include <span>
#include <vector>

#include "engine/model/transformer.h"

namespace glassformer {

// A row is one translation being written: one per sentence in greedy search, several in beam search. All rows
// have the same length.
template <class Scalar>
class IncrementalDecoder {
 public:
  // Encodes the sources; one row for each, nothing written yet. No token is masked.
  IncrementalDecoder(const Transformer<Scalar>& model, std::span<const std::vector<int>> sources,
                     int max_length);

  // Writes one token at the end of each row (the first is bos) and gives the logits (rows, V_t) of the next
  // one. Throws Error beyond max_length.
  const Matrix<Scalar>& step(std::span<const int> ids);

  // From now on row i goes on from what was row from[i]: for dropping finished rows, and for beams that
  // split.
  void select(std::span<const int> from);

  int rows() const { return static_cast<int>(sentence_.size()); }
  int length() const { return length_; }

 private:
  struct LayerCache {
    Matrix<Scalar> keys, values;  // (rows * max_length, d), a row's tokens one after another
    Matrix<Scalar> memory_keys;   // (N_s, 2d), K V of the memory side by side
  };

  void embed_next(std::span<const int> ids);
  void self_attention(const DecoderLayer<Scalar>& layer, LayerCache& cache);
  void cross_attention(const DecoderLayer<Scalar>& layer, const LayerCache& cache);

  const Transformer<Scalar>& model_;
  int max_length_;
  int length_ = 0;
  PackedIds sources_;
  std::vector<int> sentence_;       // of each row
  std::vector<LayerCache> caches_;  // a layer each
  Matrix<Scalar> positions_;        // (max_length, d)
  Matrix<Scalar> x_;                // (rows, d) the residual stream
  Matrix<Scalar> input_, branch_;   // (rows, d) into and out of a sub-layer
  Matrix<Scalar> projected_;        // (rows, 3d)
  Matrix<Scalar> context_;          // (rows, d)
  Matrix<Scalar> hidden_;           // (rows, f)
  Matrix<Scalar> logits_;           // (rows, V_t)
  Matrix<Scalar> selected_;         // scratch of select()
  std::vector<Scalar> weights_;     // one row of attention
};

extern template class IncrementalDecoder<float>;
extern template class IncrementalDecoder<double>;

}  // namespace glassformer
