// The masks that dropout draws in a training step (paper, section 5.4): what each number is multiplied by,
// 0 or 1 / (1 - p). Drawn once more from the step's own random stream, by the calls with which the pass
// draws them.
#pragma once

#include <cstdint>

#include "engine/layers/tap.h"
#include "engine/math/matrix.h"
#include "engine/model/batch.h"
#include "engine/model/names.h"
#include "engine/model/saved.h"
#include "engine/model/transformer.h"

namespace glassformer {

// The rate of the weights of attention.
inline double attention_rate(const Config& config) {
  return config.attention_dropout >= 0 ? config.attention_dropout : config.dropout;
}

struct DropoutStep {
  double p = 0.1;
  double attention_p = -1;  // of the weights of attention; below 0: p
  std::uint64_t seed = 1;   // of the run
  long step = 1;            // of the training, from 1
};

// Of a batch that goes through the model in one part (training_pass.h); every mask is 1 where p is 0. Throws
// Error as Transformer::forward does.
class DropoutMasks {
 public:
  // Both must outlive this.
  DropoutMasks(const Transformer<float>& model, const Batch& batch, const DropoutStep& step);

  double growth() const;                             // 1 / (1 - p), p as rounded
  double attention_growth() const;                   // the same of the weights of attention
  Matrix<float> embedding(Side side) const;          // (N, d) of what the first layer reads
  Matrix<float> hidden(Side side, int layer) const;  // (N, f) of the feed-forward's units
  Matrix<float> weights(AttentionKind kind, int layer, int sentence, int head) const;  // (L_q, L_k)

 private:
  const Transformer<float>& model_;
  const Batch& batch_;
  mutable Saved<float> saved_;  // where everything is; no pass has run in it
};

}  // namespace glassformer
