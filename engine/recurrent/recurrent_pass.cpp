#include "engine/model/training_pass.h"
#include "engine/recurrent/recurrent_model.h"

namespace glassformer {
namespace {

constexpr long kTokensAtOnce = 8192;

}  // namespace

template <class Scalar>
Loss training_pass(const RecurrentModel<Scalar>& model, const Batch& batch, double smoothing,
                   RecurrentSaved<Scalar>& saved, RecurrentModel<Scalar>& gradient) {
  LossOptions options;
  options.smoothing = smoothing;
  options.gradient = true;
  options.words = batch.target_words(model.config.pad_id);
  LossSums sums;
  const auto pass = [&](int first, int end) {
    const bool whole = first == 0 && end == batch.sentences();
    if (!whole) copy_sentences(batch, first, end, saved.batch_part);
    model.forward(whole ? batch : saved.batch_part, saved);
    model.loss(saved, options);
    model.backward(saved, gradient, first > 0);
    for (const LossSums& chunk : saved.losses) sums.add(chunk);
  };
  int first = 0;
  long tokens = 0;
  for (int i = 0; i < batch.sentences(); ++i) {
    const int length = batch.source.length(i) + batch.target_in.length(i);
    if (i > first && tokens + length > kTokensAtOnce) {
      pass(first, i);
      first = i;
      tokens = 0;
    }
    tokens += length;
  }
  pass(first, batch.sentences());
  return mean_of(sums, smoothing, model.config.target_vocab);
}

template Loss training_pass(const RecurrentModel<float>&, const Batch&, double, RecurrentSaved<float>&,
                            RecurrentModel<float>&);
template Loss training_pass(const RecurrentModel<double>&, const Batch&, double, RecurrentSaved<double>&,
                            RecurrentModel<double>&);

}  // namespace glassformer
