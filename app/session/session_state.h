// What a Session is made of: its desks (Scenes, runs, comparison, notices, work on folders), the open model,
// and the commands, which the State hands to them. Only the session's own files include this.
#pragma once

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/aside.h"
#include "app/session/comparison.h"
#include "app/session/data_reader.h"
#include "app/session/folder_work.h"
#include "app/session/notices.h"
#include "app/session/recurrent_desk.h"
#include "app/session/recurrent_reader.h"
#include "app/session/runs.h"
#include "app/session/scenes.h"
#include "app/session/session.h"
#include "app/session/settings_writer.h"
#include "app/session/trials.h"
#include "app/session/unfamiliar_words.h"
#include "app/session/watching.h"

namespace glassformer {

// The model that the menu always offers: it is not among those opened lately.
bool is_default_model(const std::string& folder);

struct Session::State {
  explicit State(SessionOptions session_options);

  // Models.
  void open(const std::string& folder);  // empty: the bundled one
  void open_to_go_on(const std::string& folder, bool running);
  // How far it is, for both threads.
  struct Opening {
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    std::atomic<double> share = 0;
    std::atomic<bool> stopped = false;
  };
  std::future<OpenedModel> open_soon(const std::string& folder,
                                     std::shared_ptr<Opening> progress = std::make_shared<Opening>()) const;
  void stop_opening();
  bool take_opened_model();
  std::optional<Notice> show(OpenedModel opened);  // what is to be told of a training that this ends
  std::vector<SceneSentence> sentences_to_begin_with() const;
  void start_with(const std::vector<SceneSentence>& sentences);

  // Scenes, and the second one beside.
  void compute(bool low_priority = false);  // the Scene as it is now, by the weights that are looked at
  void compute_changed(bool changed);       // of a Scene that a person changed
  void look_at_newest();
  bool take_scene();
  void keep_sentence();
  bool sentences_are_own = true;  // and not a lesson's
  void report_reading();
  std::string about_new_words();
  // One of the data, where the open sentence has words that the model never saw.
  std::optional<SceneSentence> known_sentence();
  std::optional<TrainingWords::Source> training_source();  // nothing: no data are recorded
  SceneComparison::First first_side() const;
  bool compares_runs() const { return comparison && comparison->variant() > 0; }
  void compute_second(bool low_priority = false);
  bool take_second();
  void stop_comparing();
  void withdraw_offer_to_compare(int variant = 0);  // 0: whatever it offers

  // Files and settings.
  void keep_settings();  // soon, and not in the frame
  bool take_reading();
  void end_reading();
  void save_looked_at(const SaveModel& what);
  void take(const FolderWork::Saved& saved);
  bool take_saved_models();
  void finish_copies(std::vector<std::string>& problems);  // waits, and adds what went wrong
  bool take_run_folder_change(bool wait);
  void follow_run_folder(const std::string& from, const std::string& to);

  // Runs (session_runs.cpp).
  void start_run(RunThread::Make make, const std::string& folder, bool running);
  void start_fresh_run(bool running, const ResetTraining& changed = {});
  void begin_training(bool running);  // from the open model's weights; never trained: its first steps
  void resume_open_model(bool running, bool whole);  // `whole`: exactly as its run stood, else slowly
  void follow_model();
  std::optional<NewRun> known_recipe() const;  // of the run, else of the open model
  bool learns_on() const;                      // Train would go on from the open model's weights in a new run
  bool begins_afresh() const;
  bool resumes_model() const;      // Train would go on with the run that the open model was saved by
  TrainWould train_would() const;  // while nothing learns
  std::string why_no_variant() const;
  std::string open_folder() const;
  std::string pending_folder() const;
  RunThread* keeper() const;  // that has what the screen shows; null: no run has
  std::optional<Notice> about_stopping() const;
  void set_beside_aside();
  void end_beside(Run& variant);
  void end_all_beside();
  void discard_pending();
  void return_from_preparing();
  // What has become of them (session_run_news.cpp).
  bool take_open_run();
  bool take_variant(Run& variant);
  bool take_trials();
  bool take_unsaved();
  bool take_ended();
  void show_newest(const RunNews& news);
  void follow_moved_run(const RunNews& news, const Run& run);
  void remember_unfinished_run();
  void forget_unfinished_run();
  void forget_unfinished(const std::string& folder);
  void offer_unfinished_run();
  std::size_t history_bytes() const;  // for the steps of a run, by the settings
  bool finish_saving();

  void carry_out(const SetHover& what) { scenes.hover(what.selection); }
  void carry_out(const SetPin& what) { scenes.pin(what.selection); }
  void carry_out(const ClearPin&) { scenes.clear_pin(); }
  void carry_out(const AddPin& what) { scenes.add_pin(what.selection); }
  void carry_out(const ShowDecodeStep& what) { scenes.show_decode_step(what.steps); }
  void carry_out(const ShowStep& what);
  void carry_out(const SetSource& what) { compute_changed(scenes.set_source(what.text)); }
  void carry_out(const SetTarget& what) { compute_changed(scenes.set_target(what.text)); }
  void carry_out(const SetBatch& what) { compute_changed(scenes.set_batch(what.others)); }
  void carry_out(const SetWhatIf& what);
  void look_for_held_out();  // where a change takes a mean over them
  void carry_out(const SetDecode& what) { compute_changed(scenes.set_decode(what.options)); }
  void carry_out(const Undo&) { compute_changed(scenes.undo()); }
  void carry_out(const Redo&) { compute_changed(scenes.redo()); }
  void carry_out(const Compare& what);
  void carry_out(const StopComparing&) { stop_comparing(); }
  void carry_out(const WantGradients& what);
  void carry_out(const WantTrainingText& what) { wants_training_text = what.wanted; }
  void carry_out(const WantMoments& what) { runs.want_moments(what.wanted); }
  void carry_out(const KeepHistory& what);
  void carry_out(const Train& what);
  bool pausing = false;  // asked for, and a step is still under way
  void carry_out(const PauseTraining&) { pausing = true, runs.pause(); }
  void carry_out(const TrainOneStep&);
  void carry_out(const ResetTraining& what);
  void carry_out(const ForkRun&);
  void carry_out(const TrainVariant& what);
  void carry_out(const EndVariant&);
  void carry_out(const TrySettings& what);
  void carry_out(const CancelTrials&) { trials.cancel(); }
  std::string why_no_watching() const;  // a sentence; empty: one can be watched
  void carry_out(const WatchOne&);
  void carry_out(const SetWatching& what) { watching.set_running(what.running); }
  void carry_out(const StopWatching&) { watching.end(); }
  void carry_out(const CancelPreparing&);
  void carry_out(const SetLearning& what);
  void carry_out(const OpenModel& what);
  void carry_out(const CancelOpening&);
  void carry_out(const ContinueRun& what);
  void carry_out(const SaveModel& what);
  void carry_out(const RenameRun& what);
  void carry_out(const DeleteRun& what);
  void carry_out(const SaveRuns&);
  void carry_out(const KeepRunsIn& what);
  void carry_out(const ReadData& what);
  void carry_out(const CancelReading&);
  void carry_out(const NewRun& what);
  // The screen's own commands.
  void carry_out(const OpenView&) {}
  void carry_out(const OpenStep&) {}
  void carry_out(const TrainRecurrent& what);
  void open_recurrent(const std::string& folder);
  void offer_unfinished_recurrent();
  void remember_unfinished_recurrent();
  std::shared_ptr<const RecurrentRunState> take_recurrent_end();  // null: nothing has ended since
  bool take_recurrent();  // what has become of it, and the typed sentence in it
  void carry_out(const StopRecurrent&);
  void carry_out(const GoOnWithRecurrent&) { recurrent_desk.go_on(options.threads); }
  void carry_out(const ShowRecurrent& what) { recurrent = what; }
  void carry_out(const PinRecurrent& what) { recurrent.pin = what.pin; }
  void carry_out(const OpenDialog&) {}
  void carry_out(const SaveFigure&) {}
  void carry_out(const CopyText&) {}

  SessionOptions options;
  Settings settings;
  std::unique_ptr<SettingsWriter> writer;  // null: settings are not kept
  Notices notices;

  std::future<OpenedModel> opening;
  std::shared_ptr<Opening> opening_progress;
  std::string opening_folder;
  std::optional<bool> go_on;         // with the run that is being opened; true: training at once
  std::optional<OpenedModel> model;  // the folder that is open; the run may have gone on from it
  ModelTitle title;
  std::shared_ptr<const Snapshot> snapshot;  // the newest weights
  Tokenizers tokenizers;

  std::unique_ptr<DataReader> reader;
  std::optional<DataPreview> preview;
  TrainingWords words;
  RecurrentLook recurrent;
  RecurrentDesk recurrent_desk{options.wake};
  RecurrentReader recurrent_reader{options.wake};
  bool wants_training_text = false;  // the open view shows it
  FolderWork folders;
  Aside aside;
  DataAhead ahead;  // of the open model
  Runs runs;
  Trials trials{runs};
  Watching watching{runs, options.wake};
  std::unique_ptr<SceneComparison> comparison;  // null: one Scene is shown
  int lost = 0;  // so many copies and ends of runs that could not be written were told of
  bool closed = false;
  Scenes scenes;  // last: its worker ends first
};

}  // namespace glassformer
