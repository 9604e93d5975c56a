// The weights of a run at many of its steps, for looking back: every step early on, ever more sparsely later,
// within a budget of memory.
//
// Numbers are kept in 16-bit fixed point: whole multiples, from -32767 to 32767, of one unit a row, so that a
// number comes back within half a unit, 1/65534 of the largest in its row. That moves no attention weight of
// the bundled model by more than 1e-3. When the budget is full, the step goes whose neighbours are closest
// on the training slider, whose axis is the square root of the step; step 0, the best and the newest stay as
// long as the budget has room for anything else.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/math/worker_pool.h"
#include "engine/model/snapshot.h"

namespace glassformer {

// A model's weights at one step; never changed after they were made.
template <class Model>
class KeptWeightsOf {
 public:
  // Null when a number is not finite: the run ends there. The threads of `pool` share the rows; the bits are
  // the same without.
  static std::shared_ptr<const KeptWeightsOf> of(const Model& weights, long step, WorkerPool* pool = nullptr);
  // As write() left them in a file, which is read when they are asked for. Throws Error when it is not there.
  KeptWeightsOf(const ConfigOf<Model>& config, long step, const std::string& file);

  long step() const { return step_; }
  std::size_t bytes() const { return bytes_; }
  // In full precision again, without moments. Throws Error when the file is gone or damaged.
  std::shared_ptr<const SnapshotOf<Model>> snapshot() const;
  // Two tensors: "weights" (I16) of all parameters, one after another, and "units" (F32) of each of their
  // rows. Throws Error when the file cannot be written.
  void write(const std::string& path) const;

 private:
  KeptWeightsOf() = default;
  struct Numbers {
    Eigen::Array<std::int16_t, Eigen::Dynamic, 1> weights;
    Eigen::Array<float, Eigen::Dynamic, 1> units;
  };
  Numbers read() const;

  ConfigOf<Model> config_;
  long step_ = 0;
  std::size_t bytes_ = 0;
  Numbers numbers_;  // empty: they are in the file
  std::string file_;
};

template <class Model>
class HistoryOf {
 public:
  using Kept = std::vector<std::shared_ptr<const KeptWeightsOf<Model>>>;

  // `kept` by an earlier session, in step order.
  explicit HistoryOf(std::size_t budget = 0, Kept kept = {});  // bytes; 0: nothing more is kept

  std::size_t budget() const { return budget_; }
  void set_budget(std::size_t bytes);

  // Whether this step, later than all before, is worth keeping. Asked at every step, so that keeping costs
  // little: once the budget has been full, steps as close as those that went are not taken up again.
  bool wants(long step) const;
  // Keeps it whatever wants() says, unless there is no budget, it is kept already, or its numbers are not
  // finite. Throws Error when the step is earlier than one before.
  void add(const Model& weights, long step, WorkerPool* pool = nullptr);
  void keep_best(long step);  // stays until another one is the best; ignored when it is not there

  const Kept& kept() const { return kept_; }  // by step
  std::size_t bytes() const { return bytes_; }

 private:
  void thin();

  std::size_t budget_, bytes_ = 0;
  std::size_t one_ = 0;  // bytes of the newest step
  double spacing_ = 0;   // on the slider: the widest gap that thinning has left behind
  long best_ = -1;
  Kept kept_;
};

using KeptWeights = KeptWeightsOf<Transformer<float>>;
using History = HistoryOf<Transformer<float>>;

// On the slider; null when there is none.
template <class Model>
std::shared_ptr<const KeptWeightsOf<Model>> nearest(
    const std::vector<std::shared_ptr<const KeptWeightsOf<Model>>>& kept, long step);

}  // namespace glassformer
