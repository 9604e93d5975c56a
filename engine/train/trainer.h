// Learning, one batch at a time: forward, loss, backward, clip, Adam; validation, best weights, averages; and
// a state that can be written to a folder and resumed to the bit.
//
// A Training is of a model of either kind, and belongs to one thread. The command line calls it in a loop;
// the window gives it its own thread and takes snapshots and curves out through a slot. The loop is
// always the same:
//
//   while (true) {
//     if (trainer.validation_due()) {  // asked first: the run may have been saved just before it
//       trainer.validate();
//     } else if (trainer.stop()) {
//       break;
//     } else {
//       trainer.step();
//     }
//     ... now and then: trainer.save(folder), trainer.snapshot(...) ...
//   }
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/owned_folder.h"
#include "engine/layers/schedule.h"
#include "engine/model/snapshot.h"
#include "engine/recurrent/config.h"
#include "engine/text/data.h"
#include "engine/train/curves.h"
#include "engine/train/history.h"
#include "engine/train/live_settings.h"
#include "engine/train/options.h"

namespace glassformer {

// What a run learns from. Immutable and shared: two runs may read the same data.
struct TrainingSet {
  std::string name;    // for people: "task reverse", "multi30k train.de, train.en"
  DataOptions origin;  // how to make the same data again; kept in training.json
  Tokenizers tokenizers;
  std::vector<EncodedPair> training;
  std::vector<EncodedPair> validation;        // no source sentence of these is in training; may be empty
  std::vector<SentencePair> validation_text;  // the same as in the file; empty: only ids are known
  std::shared_ptr<const GivenEmbeddings> source_vectors, target_vectors;  // to begin with; null: drawn
};
TrainingSet training_set(const PreparedData& data, const DataOptions& options);

struct StepReport {
  long step = 0;    // from 1
  double loss = 0;  // label-smoothed, mean per target token
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping
  long tokens = 0;           // source + target
  double seconds = 0;
  double epoch = 0;  // passes over the data until now, 1.5: halfway through the second
};

enum class StopReason { steps, epochs, minutes, patience, diverged };

// Why a run is over, and a sentence that says so. For `diverged` it names the step and the likely cause.
struct Stop {
  StopReason reason = StopReason::steps;
  std::string message;
};

// What Trainer::extend_plan() adds: the limit that ended the run, over again; the others stay unchanged.
struct Extension {
  long steps = 0;       // as many as the plan had
  double minutes = 0;   // the same time again
  int validations = 0;  // the same patience again
  bool schedule_anew =
      false;  // the learning rate begins its schedule again: it had come to 0, or Adam is new
};

template <class Model>
struct TrainerState;

template <class Model>
class Training {
 public:
  // A new run from fresh weights. Throws Error when configuration, options and data do not fit each other (no
  // pairs, a sentence longer than max_length, an id outside the vocabulary).
  Training(std::shared_ptr<const TrainingSet> data, const ConfigOf<Model>& config,
           const TrainingOptions& options);
  // A new run that begins with these weights, fresh moments and the schedule from its beginning; `from`, in
  // words, is marked on its curves. Throws Error as above.
  static std::unique_ptr<Training> begin_with(const SnapshotOf<Model>& weights, const std::string& from,
                                              double dropout, std::shared_ptr<const TrainingSet> data,
                                              const TrainingOptions& options);
  // The run that `folder` holds, exactly where its last save left it: the same data gives the same curve, bit
  // for bit, as a run that was never interrupted. Throws Error when the folder holds no run, the data are
  // others, or another run is being saved there. `here`: this run is the only one that may be saved there
  // from now on.
  static std::unique_ptr<Training> resume(const std::string& folder, std::shared_ptr<const TrainingSet> data,
                                          int threads = 0, bool here = true);
  // The model that `folder` holds without its state: its weights and curves, but fresh moments,
  // and the plan extended. Throws Error as resume() does.
  static std::unique_ptr<Training> train_on(const std::string& folder,
                                            std::shared_ptr<const TrainingSet> data, int threads = 0);
  ~Training();

  // One batch. Does nothing but repeat the last report once the run has diverged. When the loss or the
  // gradient is not finite the step is not taken, the last weights that validated well come back (those of
  // the start if none did), and stop() says so.
  StepReport step();

  bool validation_due() const;  // this step ends an interval, or the run, and has not been validated yet
  // The whole validation set; keeps the weights when they are the best so far. `keep_going` is asked between
  // batches; false aborts and leaves the run unchanged (nullopt). Without validation pairs: the training
  // loss is used instead.
  std::optional<ValidationPoint> validate(const std::function<bool()>& keep_going = {});

  std::optional<Stop> stop() const;  // empty while the run may continue
  // After a divergence: the run continues from the restored weights, with Adam's moments anew and, unless
  // something was changed since, at half the rate, half the plan's at most; with a peak far above what the
  // paper's formula gives for the width (section 5.3), at that one. The curves keep what was; marked.
  void recover();
  // Later limits extend a finished run (not a diverged one); 0 is no limit. Minutes that differ from those
  // until now count from the run's beginning.
  void set_limits(long steps, double epochs, double minutes, int patience = 0);

  // The run stopped by its own rules, or its schedule has come to an end.
  bool plan_over() const;
  Extension extension() const;
  // Extends the run as extension() says; marked on the curves. While the schedule continues, the curve is
  // that of a run whose limit was higher from the start.
  void extend_plan();

  const LiveSettings& live() const;
  // From the next step on, marked on the curves. Throws Error on values out of range.
  void change(const LiveSettings& settings);
  // The same when the run has come to this step, at once when it is past it; kept with the run until then.
  void change_at(long step, const LearningWish& wish);

  // The newest weights, copied: safe to hand to another thread.
  std::shared_ptr<const SnapshotOf<Model>> snapshot(bool with_gradients_and_moments = false) const;
  // What `keep` and `average` choose: the weights that translate. The newest until the first validation.
  std::shared_ptr<const SnapshotOf<Model>> kept() const;

  // From here on the weights of many steps are kept for looking back, within so many bytes, and saved with
  // the run; 0: no more. What the folder of a resumed run holds of them is there from the start.
  void keep_history(std::size_t bytes);
  const HistoryOf<Model>& history() const;

  // From here on how each part learns is looked at now and then, and kept with the curves (diagnosis.h): of
  // a Transformer.
  void keep_diagnosis();

  // Writes the checkpoint folder of the model specification: what translates, and a state to resume from. A
  // kill at any moment leaves one whole state. No other run can be saved there until this Training ends or is
  // saved elsewhere: that throws Error. After a divergence the last whole state in the folder stays.
  // Throws Error when the folder cannot be written; the run itself is unharmed. When the state was written
  // and only the steps to look back at were not, saved_step() and folder() say so.
  void save(const std::string& folder);
  // The same in another folder, where the run is kept from then on; when that fails, in its own as before.
  void move_to(const std::string& folder);
  // A second folder with the same state, without the history; the run is still saved in its own.
  void save_copy(const std::string& folder);
  // A folder that was claimed before the run was made: its first save goes there, in place of what this
  // program kept there.
  void save_in(OwnedFolder home);
  // Whether a save found its folder gone and wrote the run there anew, with all that is kept; said once.
  bool folder_was_lost();
  // Where the run is kept: of its last save, the claim or the resuming; empty: nowhere.
  const std::string& folder() const;
  // The step of the state that is there; -1: none.
  long saved_step() const;

  const Curves& curves() const;
  const TrainingOptions& options() const;
  const ConfigOf<Model>& config() const;  // with the current dropout
  const TrainingSet& data() const;
  const Schedule& schedule() const;  // with the width and the total steps of this run filled in
  long step_count() const;
  long planned_steps() const;  // by `steps` and `epochs`; 0: no end known
  double seconds() const;      // spent in steps and validations, over all sessions
  double time_limit() const;   // the seconds() at which the minutes are over; 0: no such limit
  double epoch() const;

 private:
  explicit Training(std::unique_ptr<TrainerState<Model>> state);
  bool schedule_over() const;  // it leaves a rate of 0 from here on
  void change_what_is_due();
  std::unique_ptr<TrainerState<Model>> state_;
};

using Trainer = Training<Transformer<float>>;
using RecurrentTrainer = Training<RecurrentModel<float>>;

}  // namespace glassformer
