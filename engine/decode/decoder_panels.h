// The decoder's weights as decoding many sentences reads them: copied into panels (engine/math/product.h)
// once instead of at every token.
#pragma once

#include <vector>

#include "engine/math/product.h"
#include "engine/math/worker_pool.h"
#include "engine/model/transformer.h"

namespace glassformer {

template <class Scalar>
struct DecoderPanels {
  struct Layer {
    Panels<Scalar> self_input;    // (d, 3d)
    Panels<Scalar> self_output;   // (d, d)
    Panels<Scalar> cross_query;   // (d, d)
    Panels<Scalar> cross_output;  // (d, d)
    Panels<Scalar> linear1;       // (d, f)
    Panels<Scalar> linear_gate;   // (d, f) of a gated feed-forward
    Panels<Scalar> linear2;       // (f, d)
  };
  std::vector<Layer> layers;
  Panels<Scalar> projection;  // (d, V_t)

  // On the pool's threads; without one on this.
  DecoderPanels(const Transformer<Scalar>& model, WorkerPool* pool);
};

extern template struct DecoderPanels<float>;
extern template struct DecoderPanels<double>;

}  // namespace glassformer
