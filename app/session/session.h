// Everything behind the screen: the open model, the Scenes and their undo, the worker that runs the engine on
// a Scene, the training run on its own thread, and the settings. The screen reads it and sends Commands;
// nothing here draws, and nothing here waits: a frame takes what is finished and continues.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/command.h"
#include "app/scene/compared.h"
#include "app/scene/data_preview.h"
#include "app/scene/notice.h"
#include "app/scene/run_state.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/scene/shown.h"
#include "app/scene/training_text.h"
#include "app/scene/watch_state.h"
#include "app/session/opened_model.h"
#include "app/session/settings.h"

namespace glassformer {

struct SessionOptions {
  std::string model;           // folder; empty: the last one used, else the bundled English-French model
  std::string corpus;          // opened with its preview; empty: none
  bool keep_settings = true;   // false: neither read nor write (tests, pictures)
  bool keep_runs = true;       // false: training is never written to the runs folder
  int threads = 0;             // of training; 0: all cores
  std::function<void()> wake;  // called from workers when a frame would show something new
};

// What Train would do now.
enum class TrainWould {
  nothing,     // no model is open, or nobody knows what it was trained on
  pause,       // what learns
  wait,        // the data are being prepared
  begin,       // the first step of a run that is ready
  resume,      // the run, where it was; or fine-tune the open weights in a new one
  slower,      // the run that diverged, at a lower rate
  extend,      // past the end of its plan
  of_variant,  // the variant, whose run beside it is over
  fresh        // a new model by the recipe of the open one, from step 0
};

class Session {
 public:
  // Opens the model; a model that cannot be opened leaves a notice and the bundled one (or none) open.
  explicit Session(SessionOptions options);
  // close(), then waits for every worker to end.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Saves a run that is not finished and the settings, and returns when both are safe: with a sentence when
  // something could not be saved. What is only being read, prepared or looked at is not waited for: a program
  // that ends leaves it to the system.
  std::string close();
  // Before that: saves what is not saved yet and waits for it. False when something could not be saved: the
  // notices and unsaved() say so, and the session stays open.
  bool finish_saving();

  // Takes what the workers finished. True when something that is shown has changed.
  bool begin_frame();
  // Carries out what the screen asked for. Commands of the screen itself (OpenView, OpenDialog, SaveFigure,
  // CopyText) are not for the session and are passed over.
  void apply(const Commands& commands);

  // The last finished result; null until the first one (a moment after the start) or when no model is open.
  std::shared_ptr<const SceneResult> result() const;
  // What is wanted: differs from result()->scene while the worker is on it.
  const Scene& scene() const;
  // The sentences behind the first that opening the model again does not bring: of a run its folder gives
  // others.
  std::vector<SceneSentence> own_batch() const;
  bool working() const;         // the worker is on a Scene right now
  bool notice_pending() const;  // something runs in the background that ends with a notice
  // A model that is being opened, once that takes longer than a moment: the part that is read. Nothing: none.
  std::optional<double> opening() const;
  double working_seconds() const;           // for how long; the screen shows a bar after 0.2 s
  const Snapshot* snapshot() const;         // the newest weights; null when no model is open
  std::optional<long> looked_back() const;  // the earlier step that is shown; nothing: the newest
  const Tokenizers& tokenizers() const;
  const RunState& run() const;
  const ModelTitle& title() const;
  const OpenedModel* model() const;  // the folder that is open; null: none
  // Of the run, else of the model; empty: neither has one. A run that has learned nothing yet is not there.
  std::string open_folder() const;

  // All of it in one value, made once a change.
  std::shared_ptr<const Shown> all_shown() const;

  const Compared* compared() const;            // the other Scene of a comparison; null: one is shown
  std::optional<Other> compared_with() const;  // what it is of
  // The recurrent model that is beside the Transformer.
  const RecurrentLook& recurrent() const;
  std::shared_ptr<const RecurrentRunState> recurrent_run() const;  // null: none
  RunsBeside beside() const;                                       // the variants that train beside the run
  const TrialsState& trials() const;                               // the settings that are or were tried
  const WatchState* watched() const;     // the model that is watched as it learns; null: none
  std::string why_no_watching() const;   // a sentence; empty: one can be watched
  std::string why_no_variant() const;    // a sentence; empty: one can be trained
  std::optional<NewRun> recipe() const;  // what the run was or would be made by; absent: not recorded

  const Selection& pinned() const;
  const Selection& shown() const;  // hovered, else pinned
  bool hovering() const;
  int shown_steps() const;  // output tokens shown; -1: all
  bool can_undo() const;
  bool can_redo() const;

  // At most one a place, the newest.
  const std::vector<Notice>& notices() const;
  void keep_sentences(bool on);  // for the next start; off while a lesson chooses them
  void dismiss(Place place);     // the person has read it
  void notify(Notice notice);    // the screen's own messages (a figure that was saved)

  // The data chosen for the next run and what a first reading found; null before anything was chosen.
  const DataPreview* preview() const;

  std::vector<UnsavedRun> unsaved() const;

  const RunFolderChange* run_folder_change() const;  // the last that was asked for; null: none

  Settings& settings();   // written within a second of a change
  bool training() const;  // the run is stepping right now, or a variant beside it
  bool pausing() const;   // it stops after the step that is under way
  TrainWould train_would() const;
  bool would_fine_tune() const;  // Train would fine-tune the open model in a new run
  bool keeps_run() const;        // closing now would leave a run that the next start offers to resume

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glassformer
