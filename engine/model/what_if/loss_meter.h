// The losses of one batch under one set of changes after another, with what stays the same from one to the
// next kept.
//
// A part that gives 0 at all places is a model whose weights behind that part are 0: the columns of W_O of a
// head, W_O and its bias of an attention, the last matrix of a feed-forward and its bias. One that gives its
// mean has what those weights make of the mean in the bias besides. Such a pass looks at nothing on its way.
// What comes to the part muted last, the memory and the decoder's stream, is that of the passes before with
// the same parts muted in front of it. Of a large model, few sentences are passed with a tap instead, so that
// it is not copied.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/math/product.h"
#include "engine/model/saved.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/ablation.h"
#include "engine/model/what_if/loss_bound.h"

namespace glassformer {

class LossMeter {
 public:
  // `job` must outlive this; its substitutes may change from one loss to the next. Every sentence has a word
  // that is no padding.
  explicit LossMeter(const LossJob& job);

  // As loss_with (ablation.h). One call at a time.
  MeanLoss with(const WhatIf& what_if);
  // Nothing where the mean over the sentences, each over its own words, is above `most`: that can be certain
  // long before all are passed, as no word's loss is below the entropy of its smoothed target, nor a
  // sentence's below its LossBound.
  std::optional<MeanLoss> within(const WhatIf& what_if, double most);
  // The mean over the sentences of the last loss; of one that was above the limit what it would be if all
  // cost as what was passed of it. A guess: it may depend on the threads.
  double expected() const { return expected_; }
  // The model with these parts muted, until the next call of any; null where a pass is tapped.
  const Transformer<float>* muted(const WhatIf& what_if);

 private:
  // What comes to a sub-block of the decoder (N_t, d), to the first the memory (N_s, d), without the parts
  // muted in front of it: a matrix a group of sentences, empty until one was passed.
  struct Kept {
    std::vector<Change> without;
    std::vector<Matrix<float>> groups;
  };
  // Sentences that go through the model together.
  struct Group {
    int first = 0;
    Batch batch;
  };

  int keep_before_last(const WhatIf& what_if);
  void run_decoder(const Transformer<float>& model, std::size_t index, int last, Saved<float>& saved);
  // False when it was aborted, above `most`.
  bool pass_muted(const Transformer<float>& model, const WhatIf& what_if, double most, MeanLoss& loss);
  void pass_tapped(const WhatIf& what_if, MeanLoss& loss);
  void project(const Transformer<float>& model, const Group& group, const Matrix<float>& decoder_output,
               MeanLoss& loss) const;
  void add_losses(const Group& group, const Matrix<float>& logits, int first_row, MeanLoss& loss) const;
  void set_bounds(const Group& group, const Matrix<float>& decoder_output, MeanLoss& bound) const;
  double words_of(int sentence) const;  // less padding; at least 1
  double above_least(const Group& group, const MeanLoss& sums) const;
  void take_means(MeanLoss& loss) const;
  template <class Work>
  void for_each_group(Work&& work);

  const LossJob& job_;
  std::vector<Group> groups_;
  std::vector<std::size_t> order_;  // in which they are passed
  std::vector<double> costs_;       // of each in the last whole pass, as above_least
  double expected_ = 0;
  Panels<float> projection_;  // (d, V_t)
  std::optional<LossBound> bound_;
  std::optional<Transformer<float>> muted_;  // the model without some parts
  WhatIf muted_by_;                          // which
  std::vector<Kept> kept_;                   // what comes to each sub-block of the decoder
  std::mutex mutex_;
  std::vector<std::unique_ptr<Saved<float>>> spare_;  // memory of passes, one a thread
};

}  // namespace glassformer
