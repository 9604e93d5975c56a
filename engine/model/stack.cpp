// The two stacks of the paper's figure 1, up and back down: in each layer the sub-blocks one after another,
// each with a path around it that Add & Norm joins again.
#include "engine/model/decoder_pass.h"
#include "engine/model/pass.h"

namespace glassformer {
namespace {

constexpr AddNormNames kFirst{"norm1", "residual1"}, kSecond{"norm2", "residual2"},
    kThird{"norm3", "residual3"};

// The LayerNorm after a stack, if there is one.
template <class Scalar, class T>
void finish_stack(const Pass<Scalar, T>& p, Side side, const Chunk& chunk, Matrix<Scalar>& x) {
  const Probe<T> at = p.probe(side, chunk);
  const char* name = side == Side::source ? "memory" : "decoder.output";
  if (!p.model.config.final_norm) {
    at.rows(name, p.part(side, chunk, x));
    // Pre-norm sums make room for gradients on the way back, but this one is still needed then.
    if (p.pre_norm()) p.part(side, chunk, p.values(side).final_norm.y) = p.part(side, chunk, x);
    return;
  }
  const LayerNorm<Scalar>& norm = side == Side::source ? p.model.encoder_norm : p.model.decoder_norm;
  LayerNormSaved<Scalar>& s = p.values(side).final_norm;
  layer_norm_forward<Scalar>(norm, p.model.config.layer_norm_eps, p.part(side, chunk, x),
                             p.first(side, chunk), s);
  record_statistics(norm, s, p.first(side, chunk), p.rows(side, chunk),
                    at.inside(side == Side::source ? "encoder.norm" : "decoder.norm"));
  at.rows(name, p.part(side, chunk, s.y));
}

template <class Scalar, class T>
void finish_stack_backward(const Pass<Scalar, T>& p, Side side, const Chunk& chunk) {
  auto d = p.part(side, chunk, p.values(side).d);  // (n, d)
  p.probe(side, chunk).rows(side == Side::source ? "memory" : "decoder.output", d);
  if (!p.model.config.final_norm) return;
  const LayerNorm<Scalar>& norm = side == Side::source ? p.model.encoder_norm : p.model.decoder_norm;
  layer_norm_backward<Scalar>(norm, d, p.first(side, chunk), p.index(chunk), p.values(side).final_norm);
}

}  // namespace

// The residual stream of one chunk on one side, in one layer after another.
template <class Scalar, class T>
struct StackPass {
  const Pass<Scalar, T>& p;
  const Side side;
  const Chunk& chunk;
  Matrix<Scalar>* x;  // (N, d); on the way back its gradient
  std::size_t layer = 0;

  auto rows(auto& all) const { return p.part(side, chunk, all); }
  Probe<T> probe() const {
    return p.probe(side, chunk).inside(side == Side::source ? "encoder.layers" : "decoder.layers", layer);
  }
  Dropout hidden_dropout() const { return p.dropout(side, layer, DropoutPlace::hidden); }

  // `block` computes its second argument from its first, both (n, d).
  template <class Block>
  void up(const LayerNorm<Scalar>& norm, DropoutPlace place, const AddNormNames& names,
          AddNormSaved<Scalar>& saved, const Block& block) {
    const AddNormPart part = p.add_norm(side, chunk, layer, place);
    before<Scalar>(norm, part, rows(*x), saved, names.norm, probe());
    block(rows(sublayer_input(p.pre_norm(), *x, saved)), rows(branch(p.pre_norm(), saved)));
    after<Scalar>(norm, part, rows(*x), saved, names, probe());
    x = &result(p.pre_norm(), saved);
  }
  template <class Block>
  void down(const LayerNorm<Scalar>& norm, DropoutPlace place, const AddNormNames& names,
            AddNormSaved<Scalar>& saved, const Block& block) {
    const AddNormPart part = p.add_norm(side, chunk, layer, place);
    auto d_input = rows(p.values(side).d_branch);
    after_backward<Scalar>(norm, part, rows(*x), saved, names, probe());
    block(rows(branch(p.pre_norm(), saved)), d_input);
    before_backward<Scalar>(norm, part, d_input, saved, rows(*x), names.norm, probe());
  }

  template <class Layer, class LayerSaved>
  void self_attention(const Layer& weights, LayerSaved& s, const AttentionPlan& plan) {
    const AttentionPart heads = p.attention(plan, chunk, layer, DropoutPlace::self_weights);
    up(weights.norm1, DropoutPlace::self_output, kFirst, s.add_norm1, [&](const auto& input, auto output) {
      attend<Scalar>(weights.self_attention, heads, input, nullptr, s.self_attention, output,
                     probe().inside("self_attn"));
    });
  }
  template <class Layer, class LayerSaved>
  void self_attention_backward(const Layer& weights, LayerSaved& s, const AttentionPlan& plan) {
    const AttentionPart heads = p.attention(plan, chunk, layer, DropoutPlace::self_weights);
    down(weights.norm1, DropoutPlace::self_output, kFirst, s.add_norm1, [&](auto d_output, auto& d_input) {
      attend_backward<Scalar>(weights.self_attention, heads, d_output, s.self_attention, d_input, nullptr,
                              probe().inside("self_attn"));
    });
  }

  template <class LayerSaved>
  void feed_forward(const FeedForward<Scalar>& weights, const LayerNorm<Scalar>& norm,
                    const AddNormNames& names, AddNormSaved<Scalar>& add_norm, LayerSaved& s) {
    up(norm, DropoutPlace::output, names, add_norm, [&](const auto& input, auto output) {
      glassformer::feed_forward<Scalar>(weights, input, hidden_dropout(), s.feed_forward, output,
                                        probe().inside("feed_forward"));
    });
  }
  template <class LayerSaved>
  void feed_forward_backward(const FeedForward<Scalar>& weights, const LayerNorm<Scalar>& norm,
                             const AddNormNames& names, AddNormSaved<Scalar>& add_norm, LayerSaved& s) {
    down(norm, DropoutPlace::output, names, add_norm, [&](auto d_output, auto& d_input) {
      glassformer::feed_forward_backward<Scalar>(weights, d_output, hidden_dropout(), s.feed_forward, d_input,
                                                 probe().inside("feed_forward"));
    });
  }
};

template <class Scalar, class T>
void encode(const Pass<Scalar, T>& p, const Chunk& chunk) {
  StackPass<Scalar, T> stream{p, Side::source, chunk, &p.saved.source.input};
  for (; stream.layer < p.model.encoder_layers.size(); ++stream.layer) {
    const EncoderLayer<Scalar>& layer = p.model.encoder_layers[stream.layer];
    EncoderLayerSaved<Scalar>& s = p.saved.encoder_layers[stream.layer % p.saved.encoder_layers.size()];
    stream.self_attention(layer, s, p.saved.encoder_plan);
    stream.feed_forward(layer.feed_forward, layer.norm2, kSecond, s.add_norm2, s);
    stream.probe().rows("output", stream.rows(*stream.x));
  }
  finish_stack(p, Side::source, chunk, *stream.x);
}

template <class Scalar, class T>
void encode_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  finish_stack_backward(p, Side::source, chunk);
  StackPass<Scalar, T> stream{p, Side::source, chunk, &p.saved.source.d};  // starts as the memory's gradient
  for (stream.layer = p.model.encoder_layers.size(); stream.layer-- > 0;) {
    const EncoderLayer<Scalar>& layer = p.model.encoder_layers[stream.layer];
    EncoderLayerSaved<Scalar>& s = p.saved.encoder_layers[stream.layer];
    stream.probe().rows("output", stream.rows(*stream.x));
    stream.feed_forward_backward(layer.feed_forward, layer.norm2, kSecond, s.add_norm2, s);
    stream.self_attention_backward(layer, s, p.saved.encoder_plan);
  }
}

template <class Scalar, class T>
void decode(const Pass<Scalar, T>& p, const Chunk& chunk, int from) {
  const ConstMatrixRef<Scalar> memory = p.part(Side::source, chunk, *p.saved.memory);  // (n_s, d)
  StackPass<Scalar, T> stream{p, Side::target, chunk, &p.saved.target.input};
  for (; stream.layer < p.model.decoder_layers.size(); ++stream.layer) {
    const DecoderLayer<Scalar>& layer = p.model.decoder_layers[stream.layer];
    DecoderLayerSaved<Scalar>& s = p.saved.decoder_layers[stream.layer];
    const int first = kDecoderSubBlocks * static_cast<int>(stream.layer);
    if (first >= from) stream.self_attention(layer, s, p.saved.decoder_plan);  // over what has been written
    const AttentionPart cross =
        p.attention(p.saved.cross_plan, chunk, stream.layer, DropoutPlace::cross_weights);
    if (first + 1 >= from)
      stream.up(layer.norm2, DropoutPlace::cross_output, kSecond, s.add_norm2,
                [&](const auto& input, auto output) {
                  attend<Scalar>(layer.cross_attention, cross, input, &memory, s.cross_attention, output,
                                 stream.probe().inside("cross_attn"));
                });
    if (first + 2 >= from) stream.feed_forward(layer.feed_forward, layer.norm3, kThird, s.add_norm3, s);
    stream.probe().rows("output", stream.rows(*stream.x));
  }
  finish_stack(p, Side::target, chunk, *stream.x);
}

// What flows back to the memory is left in saved.source.d.
template <class Scalar, class T>
void decode_backward(const Pass<Scalar, T>& p, const Chunk& chunk) {
  MatrixRef<Scalar> d_memory = p.part(Side::source, chunk, p.saved.source.d);  // (n_s, d)
  d_memory.setZero();
  finish_stack_backward(p, Side::target, chunk);
  StackPass<Scalar, T> stream{p, Side::target, chunk, &p.saved.target.d};
  for (stream.layer = p.model.decoder_layers.size(); stream.layer-- > 0;) {
    const DecoderLayer<Scalar>& layer = p.model.decoder_layers[stream.layer];
    DecoderLayerSaved<Scalar>& s = p.saved.decoder_layers[stream.layer];
    stream.probe().rows("output", stream.rows(*stream.x));
    stream.feed_forward_backward(layer.feed_forward, layer.norm3, kThird, s.add_norm3, s);
    const AttentionPart cross =
        p.attention(p.saved.cross_plan, chunk, stream.layer, DropoutPlace::cross_weights);
    stream.down(layer.norm2, DropoutPlace::cross_output, kSecond, s.add_norm2,
                [&](auto d_output, auto& d_input) {
                  attend_backward<Scalar>(layer.cross_attention, cross, d_output, s.cross_attention, d_input,
                                          &d_memory, stream.probe().inside("cross_attn"));
                });
    stream.self_attention_backward(layer, s, p.saved.decoder_plan);
  }
}

#define GLASSFORMER_STACKS(Scalar, T)                                  \
  template void encode(const Pass<Scalar, T>&, const Chunk&);          \
  template void encode_backward(const Pass<Scalar, T>&, const Chunk&); \
  template void decode(const Pass<Scalar, T>&, const Chunk&, int);     \
  template void decode_backward(const Pass<Scalar, T>&, const Chunk&);
GLASSFORMER_STACKS(float, NoTap)
GLASSFORMER_STACKS(float, Tap<float>)
GLASSFORMER_STACKS(double, NoTap)
GLASSFORMER_STACKS(double, Tap<double>)

}  // namespace glassformer
