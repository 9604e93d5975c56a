#include "engine/decode/decoder_panels.h"

namespace glassformer {
namespace {

// Of the transpose of a weight (out, in).
template <class Scalar>
Panels<Scalar> panels_of(const ConstMatrixRef<Scalar>& weight) {
  return Panels<Scalar>(Factor<Scalar>(weight.data(), static_cast<int>(weight.rows()),
                                       static_cast<int>(weight.cols()), weight.outerStride())
                            .transposed());
}

}  // namespace

template <class Scalar>
DecoderPanels<Scalar>::DecoderPanels(const Transformer<Scalar>& model, WorkerPool* pool)
    : layers(model.decoder_layers.size()) {
  run_on(pool, static_cast<int>(layers.size()) + 1, [&](int piece) {
    if (piece == 0) {
      projection = panels_of<Scalar>(model.projection());
      return;
    }
    const DecoderLayer<Scalar>& layer = model.decoder_layers[static_cast<std::size_t>(piece - 1)];
    layers[static_cast<std::size_t>(piece - 1)] = {
        panels_of<Scalar>(layer.self_attention.input.weight),
        panels_of<Scalar>(layer.self_attention.output.weight),
        panels_of<Scalar>(layer.cross_attention.input.weight.topRows(model.config.d_model)),
        panels_of<Scalar>(layer.cross_attention.output.weight),
        panels_of<Scalar>(layer.feed_forward.linear1.weight),
        layer.feed_forward.gated() ? panels_of<Scalar>(layer.feed_forward.linear_gate.weight)
                                   : Panels<Scalar>(),
        panels_of<Scalar>(layer.feed_forward.linear2.weight)};
  });
}

template struct DecoderPanels<float>;
template struct DecoderPanels<double>;

}  // namespace glassformer
