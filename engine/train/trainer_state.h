// What a Training holds; seen by the files that make it up (steps, validation, saving) and by nobody else.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/files/owned_folder.h"
#include "engine/math/worker_pool.h"
#include "engine/model/optimizer.h"
#include "engine/model/transformer.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/train/batches.h"
#include "engine/train/trainer.h"

namespace glassformer {

// What else a configuration alone has.
inline int width_of(const Config& config) {
  return config.d_model;
}
inline int width_of(const RecurrentConfig& config) {
  return config.width;
}
inline double dropout_of(const Config& config) {
  return config.dropout;
}
inline double dropout_of(const RecurrentConfig&) {
  return 0;
}
inline void set_dropout(Config& config, double dropout) {
  config.dropout = dropout;
}
inline void set_dropout(RecurrentConfig&, double) {}

template <class Model>
struct TrainerState {
  TrainerState(std::shared_ptr<const TrainingSet> data, const ConfigOf<Model>& config,
               const TrainingOptions& options);

  // What the run was started with.
  std::shared_ptr<const TrainingSet> data;
  ConfigOf<Model> config;  // dropout follows `live`
  TrainingOptions options;
  Schedule schedule;
  std::vector<PairLength> lengths;  // of the training pairs
  long batches_per_epoch = 1;       // of the first epoch; the others differ by a few
  long validate_every = 1;          // steps

  // Numbers that learn.
  WorkerPool pool;
  Model weights, gradient, first_moment, second_moment;
  Optimizer<float> optimizer;
  typename KindOf<Model>::Saved saved;
  Batch batch;
  std::vector<int> row;  // scratch of fill_batch

  // Where the run is.
  long step = 0;
  long weights_step = 0;  // differs from step after a divergence
  long moments_from = 0;  // the step at which Adam's moments were last 0
  long epoch = 0;
  std::size_t next_batch = 0;  // of this epoch's plan
  BatchPlan plan;              // of this epoch
  double seconds = 0;
  double minutes_from = 0;  // the seconds at which the limit of minutes began to count
  LiveSettings live;
  std::multimap<long, LearningWish> later;  // changes of `live`, by the step they wait for
  Curves curves;
  StepReport last;
  std::optional<Stop> divergence;

  // What validation found.
  long validated_step = -1;
  double best_loss = std::numeric_limits<double>::infinity();
  int without_improvement = 0;                    // validations
  std::shared_ptr<const SnapshotOf<Model>> kept;  // the best (or the last validated); null before
  std::vector<long> kept_steps;                   // whose weights `kept` is the mean of
  std::shared_ptr<const Model> start;             // null: of the seed, or `kept`
  long start_step = 0;                            // of `start`
  std::vector<std::shared_ptr<const SnapshotOf<Model>>>
      recent;  // of the last `average` validations, oldest first

  HistoryOf<Model> history;
  bool diagnosing = false;

  // What is in the folder of the last save, so that unchanged files are not written again.
  bool folder_lost = false;  // since folder_was_lost() was asked
  bool replaces = false;     // another run, in the folder that was claimed for this one
  std::string saved_folder;
  long saved_step = -1;  // of the last save; -1: none
  OwnedFolder home;      // of that name, from its first save, the claim or the resuming on
  std::shared_ptr<const SnapshotOf<Model>> saved_kept;
  std::set<long> saved_history;  // steps

  void begin_embeddings();  // as the options and the data say; throws Error where vectors have another width
  void hold_still();        // the gradient of what is not to learn becomes 0
  void plan_this_epoch();
  void fill_batch();               // the next one
  void go_back();                  // to the last good weights
  long good_step() const;          // of those
  void remember_step();            // in the history, whether it wants it or not
  void look(const Model& before);  // at the step just taken, which had these weights
};

// How the numbers of the data are recognised again: the same data, in the same order, give the same text.
std::string fingerprint(const TrainingSet& data);

// How many pairs, the first held-out ones or else the first to learn from, a look at a run reads.
std::size_t pairs_looked_at(const TrainingSet& data);

// The mean of the weights, number by number.
template <class Model>
std::shared_ptr<const SnapshotOf<Model>> mean_of(
    const std::vector<std::shared_ptr<const SnapshotOf<Model>>>& snapshots);

// Whether the loss has been far above that of the first step, and of a model that knows nothing, for so long
// that it will not recover.
template <class Model>
bool stays_far_above_start(const TrainerState<Model>& state);
// Why the loss or gradient of a step became infinite or no number, or stays far above where it began, as well
// as the curves show.
template <class Model>
std::string divergence_message(const TrainerState<Model>& state, long step, double loss,
                               double gradient_norm);

}  // namespace glassformer
