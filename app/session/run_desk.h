// The open run: how it begins, continues and ends (run_desk.cpp), and what becomes of it between
// (run_news.cpp).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "app/session/scene_desk.h"
#include "app/session/variant_desk.h"

namespace glassformer {

class RunDesk {
 public:
  RunDesk(SessionCommon& common, SceneDesk& scenes, VariantDesk& variants)
      : common_(common),
        runs_(common.runs),
        notices_(common.notices),
        settings_(common.settings),
        scenes_(scenes),
        variants_(variants) {}

  TrainWould train_would() const;  // while nothing learns
  bool would_fine_tune() const;    // Train would fine-tune the open model's weights in a new run
  bool pausing() const { return pausing_; }
  void forget_pausing() { pausing_ = false; }
  std::optional<Notice> about_stopping() const;      // for who trains something and opens something else
  void resume_open_model(bool running, bool whole);  // `whole`: the state of its run, else fine-tunes
  void discard_pending();
  void return_from_preparing();
  void offer_unfinished_run();
  std::size_t history_bytes() const;  // for the steps of a run, by the settings
  // Waits. What could not be saved is reported.
  void finish_saving();

  // True when something that is shown has changed.
  bool take();
  bool take_unsaved();
  bool take_ended();

  void carry_out(const WantMoments& what) { runs_.want_moments(what.wanted); }
  void carry_out(const KeepHistory& what);
  void carry_out(const Train& what);
  void carry_out(const PauseTraining&) { pausing_ = true, runs_.pause(); }
  void carry_out(const TrainOneStep&);
  void carry_out(const ResetTraining& what);
  void carry_out(const ForkRun& what);
  void carry_out(const ContinueRun& what);
  void carry_out(const CancelPreparing&);
  void carry_out(const SetLearning& what);
  void carry_out(const SaveRuns&);
  void carry_out(const KeepRunsIn& what);
  // `read`: its data, where they were read before; null: they were not.
  void begin(const NewRun& what, std::shared_ptr<const PreparedData> read);

 private:
  void start(RunThread::Make make, const std::string& folder, bool running);
  void start_fresh(bool running, const ResetTraining& changed = {});
  void begin_training(bool running);  // from the open model's weights; never trained: its first steps
  void follow_model();
  bool begins_afresh() const;
  bool resumes_model() const;  // Train would resume the run that saved the open model
  void show_newest(const RunNews& news);

  SessionCommon& common_;
  Runs& runs_;
  Notices& notices_;
  Settings& settings_;
  SceneDesk& scenes_;
  VariantDesk& variants_;
  bool pausing_ = false;  // asked for, and a step is still under way
};

}  // namespace glassformer
