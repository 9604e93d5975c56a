// The decoder without a memory: at every word the whole forward pass over all that is written. Slower than
// IncrementalDecoder, and right under every change; where both are, they agree.
#pragma once

#include <vector>

#include "engine/decode/prefix_decoder.h"
#include "engine/model/transformer.h"

namespace glassformer {

template <class Scalar>
class WholePrefixDecoder : public PrefixDecoder<Scalar> {
 public:
  // `model` and the sources must outlive this.
  WholePrefixDecoder(const ChangedModel<Scalar>& model, const DecoderInput& input);

  const Matrix<Scalar>& step(std::span<const int> ids) override;
  void select(std::span<const int> from) override;

 private:
  const ChangedModel<Scalar>& model_;
  DecoderInput input_;
  std::vector<int> sentence_;              // of each row
  std::vector<std::vector<int>> written_;  // of each row, bos first
  Saved<Scalar> saved_;
  Matrix<Scalar> logits_;  // (rows, V_t)
};

extern template class WholePrefixDecoder<float>;
extern template class WholePrefixDecoder<double>;

}  // namespace glassformer
