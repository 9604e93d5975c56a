#include "engine/model/training_pass.h"

#include <algorithm>

#include "engine/model/pass.h"

namespace glassformer {
namespace {

constexpr long kPartTokens = 2048;

}  // namespace

void copy_sentences(const Batch& batch, int first, int last, Batch& part) {
  part.source.clear();
  part.target_in.clear();
  part.target_out.clear();
  part.rules = batch.rules;
  for (int i = first; i < last; ++i) {
    part.source.add(batch.source.sentence(i));
    part.target_in.add(batch.target_in.sentence(i));
    part.target_out.add(batch.target_out.sentence(i));
  }
}

template <class Scalar>
Loss training_pass(const Transformer<Scalar>& model, const Batch& batch, double smoothing,
                   Saved<Scalar>& saved, Transformer<Scalar>& gradient) {
  const long tokens = batch.tokens();
  const long parts = std::max(1L, (tokens + kPartTokens - 1) / kPartTokens);
  LossOptions options;
  options.smoothing = smoothing;
  options.gradient = true;
  options.words = batch.target_words(model.config.pad_id);

  LossSums sums;
  saved.part = 0;
  int first = 0;
  long before = 0;  // tokens up to the end of this part
  for (int i = 0; i < batch.sentences(); ++i) {
    before += batch.source.length(i) + batch.target_in.length(i);
    if (before < tokens * (saved.part + 1) / parts && i + 1 < batch.sentences()) continue;

    const bool whole = first == 0 && i + 1 == batch.sentences();
    if (!whole) copy_sentences(batch, first, i + 1, saved.batch_part);
    const Batch& part = whole ? batch : saved.batch_part;
    run_training(model, part, saved, options);
    add_weight_gradients(model, part, saved, gradient, first > 0);
    for (const LossSums& chunk : saved.losses) sums.add(chunk);
    first = i + 1;
    ++saved.part;
  }
  saved.part = 0;
  return mean_of(sums, smoothing, model.config.target_vocab);
}

template Loss training_pass(const Transformer<float>&, const Batch&, double, Saved<float>&,
                            Transformer<float>&);
template Loss training_pass(const Transformer<double>&, const Batch&, double, Saved<double>&,
                            Transformer<double>&);

}  // namespace glassformer
