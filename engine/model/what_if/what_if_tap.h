// Where the values come from that a what-if puts in place of others.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/layers/tap.h"
#include "engine/model/batch.h"
#include "engine/model/config.h"
#include "engine/model/what_if/value_means.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

class Trace;

// What a mute replaces: a head's context, a unit's hidden value, a sub-block's output.
ValueKind replaced_value(ChangeKind mute);

// Null: a change that wants them does nothing.
struct Substitutes {
  std::shared_ptr<const ValueMeans> means;
  std::shared_ptr<const Trace> other;  // its first sentence
};

// What-ifs as a tap: values change as they pass, forward and backward. Masks, positions and words are no
// concern of the tap (changed_model.h).

// A change that names a place speaks of the first sentence of a batch, every other of all.
// `next`, if any, sees the values afterwards.
template <class Scalar>
class WhatIfTap : public Tap<Scalar> {
 public:
  WhatIfTap(const WhatIf& what_if, const Config& config, const Substitutes& substitutes = {},
            Tap<Scalar>* next = nullptr);

  // Where the rows that will pass are: those of a whole batch, whose first sentence has this number among
  // all, or a token a row of these, all at one
  // place.
  void rows_of(const Batch& batch, int first_sentence = 0);
  void rows_at(int place, std::span<const int> sentences);

  void operator()(const TapPoint& point, MatrixRef<Scalar> value) override;

 private:
  struct Place {
    int sentence = 0, place = 0;
  };
  // A row of weights on its way: what it was before each change of it, and in the end what flows back to it.
  struct ChangedRow {
    std::vector<std::vector<Scalar>> before;
    std::vector<const Change*> changes;
    std::vector<Scalar> gradient;
  };

  void replace(const Change& change, const TapPoint& point, MatrixRef<Scalar>& value) const;
  Scalar substitute(const Change& change, const TapPoint& point, int place, int column, Scalar value) const;
  void hide(const Change& change, const TapPoint& point, MatrixRef<Scalar>& scores) const;
  void set(const Change& change, const TapPoint& point, MatrixRef<Scalar>& weights);
  void set_back(const TapPoint& point, MatrixRef<Scalar>& d_weights);
  void activation_back(const TapPoint& point, MatrixRef<Scalar>& d_scores);
  void count_seen(const TapPoint& point, const MatrixRef<Scalar>& masked_scores);
  std::vector<ChangedRow*> changed_rows(const TapPoint& point, Eigen::Index rows);

  // By the value that they change.
  std::map<std::string, std::vector<Change>> replaced_, hidden_, set_;
  bool scale_off_ = false;
  AttentionActivation activation_ = AttentionActivation::softmax;
  int pad_id_ = 0;
  bool starts_with_pad_ = false;
  Scalar scale_back_ = 1;  // sqrt(k)
  Substitutes substitutes_;
  Tap<Scalar>* next_ = nullptr;
  std::vector<Place> places_[2];  // of each row, by side
  int first_sentence_ = 0;
  int words_[2] = {0, 0};  // of the first sentence, by side, without the padding behind it
  std::map<std::string, std::map<std::pair<int, int>, ChangedRow>> rows_;  // by weights, head and query
  std::map<std::string, std::map<int, int>> seen_;  // keys that the mask leaves, by masked scores and query
};

// Whether a token's values depend on tokens behind it: the decoder then cannot keep what it computed.
bool reads_ahead(const WhatIf& what_if);

extern template class WhatIfTap<float>;
extern template class WhatIfTap<double>;

}  // namespace glassformer
