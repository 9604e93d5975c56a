// What learns beside the open run: variants of it, settings that are tried, and the model that is watched.
#pragma once

#include <string>

#include "app/session/scene_desk.h"
#include "app/session/trials.h"
#include "app/session/watching.h"

namespace glassformer {

class VariantDesk {
 public:
  VariantDesk(SessionCommon& common, SceneDesk& scenes)
      : common_(common), runs_(common.runs), notices_(common.notices), scenes_(scenes) {}

  std::string why_no_variant() const;   // a sentence; empty: there can be one
  std::string why_no_watching() const;  // a sentence; empty: one can be watched
  const TrialsState& trials() const { return trials_.state(); }
  const WatchState* watched() const { return watching_.state(); }

  bool take();           // true when something that is shown has changed
  void end_all();        // the variants
  void set_all_aside();  // they have no place beside the new run

  void carry_out(const TrainVariant& what);
  void carry_out(const EndVariant& what);
  void carry_out(const TrySettings& what);
  void carry_out(const CancelTrials&) { trials_.cancel(); }
  void carry_out(const WatchOne&);
  void carry_out(const SetWatching& what) { watching_.set_running(what.running); }
  void carry_out(const StopWatching&) { watching_.end(); }

 private:
  bool take(Run& variant);
  bool take_trials();
  void end(Run& variant);

  SessionCommon& common_;
  Runs& runs_;
  Notices& notices_;
  SceneDesk& scenes_;
  Trials trials_{runs_};
  Watching watching_{runs_, common_.options.wake};
};

}  // namespace glassformer
