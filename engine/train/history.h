// The weights of a run at many of its steps, for looking back: every step early on, ever more sparsely later,
// within a budget of memory.
//
// Numbers are kept in 16-bit fixed point: whole multiples, from -32767 to 32767, of one unit a row, so that a
// number comes back within half a unit, 1/65534 of the largest in its row. That moves no attention weight of
// the bundled model by more than 1e-3. A model with numbers that are not finite is kept whole. When the
// budget is full, the step goes whose neighbours stand closest on the training slider, whose axis is the
// square root of the step; step 0, the best and the newest stay as long as the budget has room for anything
// else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/model/snapshot.h"

namespace glassformer {

// A model's weights at one step; never changed after they were made.
class KeptWeights {
 public:
  KeptWeights(const Transformer<float>& weights, long step);

  long step() const { return step_; }
  std::size_t bytes() const;
  bool whole() const { return weights_ != nullptr; }
  std::shared_ptr<const Snapshot> snapshot() const;  // in full precision again, without moments

 private:
  Config config_;
  long step_;
  std::vector<std::int16_t> numbers_;                  // of all tensors, one after another
  std::vector<float> units_;                           // of each row of all tensors
  std::shared_ptr<const Transformer<float>> weights_;  // null unless whole
};

class History {
 public:
  explicit History(std::size_t budget);  // bytes

  // Whether this step, later than all before, is worth keeping. Asked at every step, so that keeping costs
  // little: once the budget has been full, steps as close as those that went are not taken up again.
  bool wants(long step) const;
  // Throws Error when the step is not later than all before.
  void add(const Transformer<float>& weights, long step);
  void keep_best(long step);  // stays until another one is the best; ignored when it is not there

  const std::vector<std::shared_ptr<const KeptWeights>>& kept() const { return kept_; }  // by step
  std::shared_ptr<const KeptWeights> nearest(long step) const;  // on the slider; null when there is none
  std::size_t bytes() const { return bytes_; }

 private:
  void thin();

  std::size_t budget_, bytes_ = 0;
  double spacing_ = 0;  // on the slider: the widest gap that thinning has left behind
  long best_ = -1;
  std::vector<std::shared_ptr<const KeptWeights>> kept_;
};

}  // namespace glassformer
