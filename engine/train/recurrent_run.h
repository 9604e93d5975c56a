// A recurrent model's training as a run: a RecurrentLearner that validates, keeps the best weights, and is
// written to a folder from which it goes on to the bit. Used as a Trainer is (trainer.h has the loop), and
// the folder is one of the same files.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/files/owned_folder.h"
#include "engine/train/curves.h"
#include "engine/train/recurrent_learner.h"

namespace glassformer {

struct RunFiles;  // run_json.h

class RecurrentRun {
 public:
  // A new run from fresh weights. Throws Error as RecurrentLearner does, and on `average`: no means of
  // weights are kept.
  RecurrentRun(std::shared_ptr<const TrainingSet> data, const RecurrentConfig& config,
               const TrainingOptions& options);
  // The run that `folder` holds, where its last save left it. Throws Error when the folder holds none, its
  // files are broken, the data are others, or another run is being saved there. `here`: this run is the only
  // one that may be saved there from now on.
  static std::unique_ptr<RecurrentRun> resume(const std::string& folder,
                                              std::shared_ptr<const TrainingSet> data, int threads = 0,
                                              bool here = true);

  // As Trainer's.
  StepReport step();
  bool validation_due() const;
  std::optional<ValidationPoint> validate(const std::function<bool()>& keep_going = {});
  std::optional<Stop> stop() const;
  void set_limits(long steps, double epochs, double minutes, int patience);
  void save(const std::string& folder);
  void save_in(OwnedFolder home);
  bool folder_was_lost();
  long saved_step() const { return saved_step_; }

  // The weights that translate, as `keep` chooses; the newest until the first validation.
  std::shared_ptr<const RecurrentModel<float>> kept() const;
  long kept_step() const;

  const Curves& curves() const { return curves_; }
  const TrainingOptions& options() const { return learner_.options(); }
  const TrainingSet& data() const { return learner_.data(); }
  const Schedule& schedule() const { return learner_.schedule(); }
  const RecurrentModel<float>& model() const { return learner_.model(); }
  long step_count() const { return learner_.step_count(); }
  double epoch() const { return learner_.epoch(); }
  double seconds() const { return learner_.seconds(); }  // spent in steps and validations, over all sessions
  double time_limit() const { return 60 * options().minutes; }
  long planned_steps() const;

 private:
  void enter(const std::string& folder);
  bool newest_is_kept() const;
  nlohmann::json record(const RunFiles& files) const;
  void restore(const nlohmann::json& json, const std::string& where);
  void read(const std::string& folder, const nlohmann::json& json);

  RecurrentLearner learner_;
  long validate_every_ = 1;  // steps
  Curves curves_;
  std::optional<Stop> divergence_;

  // What validation found.
  long validated_step_ = -1;
  double best_loss_;
  int without_improvement_ = 0;
  std::shared_ptr<const RecurrentModel<float>> kept_;  // null before the first
  long kept_step_ = 0;
  double kept_loss_;

  // What stands in the folder of the last save.
  OwnedFolder home_;
  std::string saved_folder_;
  std::shared_ptr<const RecurrentModel<float>> saved_kept_;
  long saved_step_ = -1;
  bool replaces_ = false;     // another run, in the folder that was claimed for this one
  bool folder_lost_ = false;  // since folder_was_lost() was asked
};

}  // namespace glassformer
