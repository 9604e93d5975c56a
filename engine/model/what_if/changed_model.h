// A model with changes in force: what every pass over it reads instead of the model and its batch.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/batch.h"
#include "engine/model/transformer.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

template <class Scalar>
class ChangedModel {
 public:
  // `model` must outlive this.
  ChangedModel(const Transformer<Scalar>& model, const WhatIf& what_if, const Substitutes& substitutes = {});

  // The model with the weights that were edited, or the very one.
  const Transformer<Scalar>& model() const { return edited_ ? *edited_ : *model_; }
  const WhatIf& what_if() const { return what_if_; }
  // The masks, positions and words of a batch as the changes want them. `first_sentence` is the number of its
  // first among all: words are swapped in number 0 alone.
  void change(Batch& batch, int first_sentence = 0) const;
  WhatIfTap<Scalar> tap(Tap<Scalar>* next = nullptr) const;

 private:
  const Transformer<Scalar>* model_;
  std::shared_ptr<const Transformer<Scalar>> edited_;
  WhatIf what_if_;
  Substitutes substitutes_;
};

// Where the tokens of a side are.
GivenPositions changed_positions(const WhatIf& what_if, bool source);
// What the output must begin with; empty: nothing is forced.
std::vector<int> forced_beginning(const WhatIf& what_if);

extern template class ChangedModel<float>;
extern template class ChangedModel<double>;

}  // namespace glassformer
