// A recurrent model that learns as a Transformer does in a Trainer: the same batches in the same order, the
// same loss, clipping, schedule and Adam, so that the curves of both on one training set can be laid over
// each other.
//
// A RecurrentLearner belongs to one thread, and lives in memory: snapshot() is what may leave it. A run that
// validates and is kept in a folder is a RecurrentRun (recurrent_run.h).
//
//   while (!learner.over()) learner.step();
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/layers/schedule.h"
#include "engine/math/worker_pool.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/train/batches.h"
#include "engine/train/options.h"
#include "engine/train/trainer.h"

namespace glassformer {

class RecurrentLearner {
 public:
  // A new run from the weights of options.seed. Of the options, those of validation (validate_every,
  // patience, keep, average) mean nothing here. Throws Error when configuration, options and data do not fit
  // each other (no pairs, a sentence longer than max_length, an id outside the vocabulary), and without
  // mask_future: this decoder cannot see ahead.
  RecurrentLearner(std::shared_ptr<const TrainingSet> data, const RecurrentConfig& config,
                   const TrainingOptions& options);

  // One batch. When the loss or the gradient is not finite the step is not taken, the weights stay, and every
  // further call repeats this report.
  StepReport step();

  bool over() const;  // by steps, epochs or minutes, or diverged()
  bool diverged() const { return diverged_; }

  const RecurrentModel<float>& model() const { return weights_; }
  std::shared_ptr<const RecurrentModel<float>> snapshot() const;  // a copy: safe to hand to another thread

  // Where a run stands beside its numbers: the order of the data follows from the seed and these.
  struct Place {
    long step = 0;
    long epoch = 0;
    std::size_t batch = 0;  // the next one of the epoch's plan
    double seconds = 0;
  };
  Place place() const { return {step_, epoch_, place_, seconds_}; }
  const RecurrentModel<float>& first_moment() const { return first_moment_; }
  const RecurrentModel<float>& second_moment() const { return second_moment_; }
  // As it was at that place, with the numbers that `fill` writes: from there the run is the one that was
  // never interrupted. Throws Error when there is no such place, and what `fill` throws.
  using Fill = std::function<void(RecurrentModel<float>& weights, RecurrentModel<float>& first_moment,
                                  RecurrentModel<float>& second_moment)>;
  void go_on_from(const Place& place, const Schedule& schedule, const Fill& fill);
  // Later limits; 0 is none. The schedule stays.
  void set_limits(long steps, double epochs, double minutes, int patience);
  WorkerPool& pool() { return pool_; }
  long batches_per_epoch() const { return batches_per_epoch_; }  // of the first; the others differ by a few
  void add_seconds(double seconds) { seconds_ += seconds; }      // of what is the run's beside its steps

  const TrainingSet& data() const { return *data_; }
  const TrainingOptions& options() const { return options_; }
  const Schedule& schedule() const { return schedule_; }  // width and total steps filled in
  long step_count() const { return step_; }
  double epoch() const;                        // passes over the data until now
  double seconds() const { return seconds_; }  // spent in steps

 private:
  struct Tensor {  // one of the model, with what belongs to it
    float* weights;
    const float* gradient;
    float *first_moment, *second_moment;
    std::size_t size;
  };
  void check_data() const;
  void list_tensors();
  void plan_this_epoch();
  std::vector<Batch> next_batch() const;  // in parts that bound the memory of a pass
  Loss loss_and_gradient(const std::vector<Batch>& parts);
  double gradient_norm();

  std::shared_ptr<const TrainingSet> data_;
  TrainingOptions options_;
  std::vector<PairLength> lengths_;  // of the training pairs
  Schedule schedule_;

  WorkerPool pool_;
  RecurrentModel<float> weights_, gradient_, first_moment_, second_moment_;
  std::vector<Tensor> tensors_;
  std::vector<double> squares_;  // of each tensor's gradient
  RecurrentSaved<float> saved_;

  long step_ = 0;
  long batches_per_epoch_ = 1;
  long epoch_ = 0;
  BatchPlan plan_;         // of this epoch
  std::size_t place_ = 0;  // of the next batch in it
  double seconds_ = 0;
  bool diverged_ = false;
  StepReport last_;
};

}  // namespace glassformer
