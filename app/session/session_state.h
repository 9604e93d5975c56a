// What a Session is made of. Only the session's own files include this.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/data_reader.h"
#include "app/session/run_thread.h"
#include "app/session/scene_worker.h"
#include "app/session/session.h"
#include "app/session/settings_writer.h"
#include "app/session/unfamiliar_words.h"

namespace glassformer {

// A model that could not be written, and the way out.
Notice not_saved(const std::string& words);

// The way out for a run that could not be saved.
inline const char* const kKeepRun = "Keep the run…";

// The model that the menu always offers: it is not among those opened lately.
bool is_default_model(const std::string& folder);

// What a forked run begins with.
struct Beginning {
  std::shared_ptr<const KeptWeights> weights;  // null: fresh ones
  std::string from;                            // in words: "step 150 of “my model”"
  std::string folder;                          // of the run or model that they come from
};

// The run of this recipe, on data that are ready or are to be read.
RunThread::Make make_run(const NewRun& recipe, std::shared_ptr<const PreparedData> ready,
                         const Tokenizers& given, const Beginning& begin);

// The run that is open; without a thread, what the open model records of its own.
struct OpenRun {
  std::optional<NewRun> recipe;              // what a reset begins again
  std::shared_ptr<const PreparedData> data;  // kept for a reset
  Tokenizers run_tokenizers;                 // known before its data are read; null: to be learned
  Beginning begin;
  std::string run_folder;
  RunState run;
  bool scene_follows_run = false;  // the next held-out sentences become the Scene
  bool run_of_model = false;       // the run learns what the open model learned: they share their sentence
  bool goes_on = false;            // it began with the weights of the open model
  std::shared_ptr<const KeptWeights> looked_at;  // an earlier step, which is shown instead; null: the newest
};

struct Session::State : OpenRun {
  explicit State(SessionOptions session_options);

  // Models.
  void open(const std::string& folder);
  void open_to_go_on(const std::string& folder, bool running);
  std::future<OpenedModel> open_soon(const std::string& folder) const;  // empty: the bundled one
  void stop_opening();
  bool take_opened_model();
  std::optional<Notice> show(OpenedModel opened);

  // Scenes.
  // For a new result of the present Scene and weights; `at_leisure` as the worker has it.
  void ask(bool at_leisure = false);
  void look_at_newest();
  bool take_scene_answer();
  void leave_scene(std::vector<Scene>& to);
  void change_scene(Scene next);  // undoable
  void start_with(const std::vector<SceneSentence>& sentences);
  std::vector<SceneSentence> sentences_to_begin_with() const;
  void keep_sentence();
  SceneSentence sentence_of(const std::string& source) const;  // with its reference, when that is known
  void tell_of_reading();                                      // session_words.cpp
  std::string about_new_words();
  bool take_training_words();

  // Runs.
  void start_run(RunThread::Make make, const std::string& folder, bool running);
  void start_fresh_run(bool running, const ResetTraining& changed = {});
  void tell_of_no_recipe();
  void follow_model();
  void begin_training(bool running);  // where the open model stands, if its run was kept whole; else afresh
  void resume_open_model(bool running);
  bool learns_on() const;
  bool run_is_open() const;  // begun and not over
  std::string open_folder() const;
  std::string folder_behind() const;  // of what waits behind a run that is being prepared; empty: nothing
  bool waits_behind(const std::string& folder) const;  // a run that waits, in that folder
  RunThread* keeper() const;                           // that has what the screen shows; null: no run has
  void set_aside();
  void set_variant_aside();
  void let_go_of_behind();
  void take_back_behind();
  std::optional<Notice> about_stopping() const;
  void end_run();
  void end_thread(std::unique_ptr<RunThread> ending, const std::string& folder);
  std::vector<std::shared_future<std::string>> saves_into(const std::string& folder) const;
  void return_from_preparing();
  bool begins_model_again() const;
  bool take_run_update();
  void tell_of_fresh_model();
  void tell_of_divergence();
  void tell_of_the_end(const RunUpdate& update);
  bool take_what_ended();
  void offer_unfinished_run();
  void remember_unfinished_run();
  void forget_unfinished_run();
  void forget_unfinished(const std::string& folder);

  // Kept runs that get another name or go (session_run_folders.cpp).
  void change_run_folder(RunFolderChange change, const std::function<void()>& work);
  bool take_run_folder_change();
  void finish_run_folder_change();  // waits
  void follow_run_folder(const std::string& from, const std::string& to);

  // Runs that could not be saved (session_unsaved.cpp).
  std::vector<UnsavedRun> unsaved() const;
  std::vector<RunThread*> unsaved_threads() const;
  bool finish_saving();
  void tell_of_failed_save(const std::string& which, const RunUpdate& update);
  bool take_waiting_updates();

  // The variant beside the run (session_variant.cpp).
  std::optional<NewRun> known_recipe() const;
  std::string why_no_variant() const;
  void end_variant();
  void clear_offer_to_compare();
  bool variant_goes_on() const;       // it is stepping
  RunThread* variant_thread() const;  // null: there is none, or it is over
  bool compares_runs() const;         // the run with the variant
  void change_variant_too();
  bool take_variant_update();

  // The other Scene (session_compare.cpp).
  void ask_other(bool at_leisure = false);
  void stop_comparing();
  bool take_other();
  struct Side;
  Side second_side() const;
  Scene other_scene() const;
  void name_both(const Side& side);

  // Ends what may take a while to end; the screen does not wait for it.
  template <class Owned>
  void end_aside(Owned what) {
    endings.push_back({.ended = std::async(std::launch::async, [ending = std::move(what)]() mutable {
                                  { const Owned last = std::move(ending); }
                                  return std::string();
                                }).share()});
  }

  // Messages.
  void notify(Notice notice);
  void say(Place place, const std::string& text) {
    notify({.place = place, .text = text, .action = "", .command = {}});
  }
  void complain(Place place, const std::string& text) {
    notify({.place = place, .error = true, .text = text, .action = "", .command = {}});
  }
  void clear(Place place);
  void keep_settings();  // soon, and not in the frame
  void end_reading();
  void remember_corpora();  // of the preview, when they could be read
  struct Saved;
  void take(const Saved& saved);
  bool take_saved_models();
  void finish_saving(std::vector<std::string>& problems);  // waits, and adds what went wrong

  void carry_out(const SetHover& what) { hover = what.selection; }
  void carry_out(const SetPin& what);
  void carry_out(const ClearPin&);
  void carry_out(const AddPin& what);
  void carry_out(const ShowDecodeStep& what);
  void carry_out(const ShowStep& what);
  void carry_out(const SetSource& what);
  void carry_out(const SetTarget& what);
  void carry_out(const SetWhatIf& what);
  void carry_out(const SetDecode& what);
  void carry_out(const Undo&);
  void carry_out(const Redo&);
  void carry_out(const Compare& what);
  void carry_out(const StopComparing&);
  void carry_out(const WantGradients& what);
  void carry_out(const WantMoments& what);
  void carry_out(const KeepHistory& what);
  void carry_out(const Train& what);
  void carry_out(const LearnOn&);
  void carry_out(const PauseTraining&);
  void carry_out(const TrainOneStep&);
  void carry_out(const ResetTraining& what);
  void carry_out(const ForkRun&);
  void carry_out(const TrainVariant& what);
  void carry_out(const EndVariant&);
  void carry_out(const CancelPreparing&);
  void carry_out(const SetLearning& what);
  void carry_out(const OpenModel& what);
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
  void carry_out(const OpenDialog&) {}
  void carry_out(const SaveFigure&) {}
  void carry_out(const CopyText&) {}

  SessionOptions options;
  Settings settings;

  std::future<OpenedModel> opening;
  std::string opening_folder;
  std::optional<bool> go_on;         // with the run that is being opened; true: training at once
  std::optional<OpenedModel> model;  // the folder that is open; the run may have gone on from it
  ModelTitle title;
  std::shared_ptr<const Snapshot> snapshot;  // the newest weights
  Tokenizers tokenizers;

  Scene scene;
  std::vector<Scene> past, future;
  bool refused = false;              // the Scene could not be computed
  std::vector<SceneSentence> known;  // sentences whose reference is known
  std::shared_ptr<const SceneResult> result;
  Selection pinned;
  std::optional<Selection> hover;
  int shown_steps = -1;
  bool wants_moments = false;
  std::size_t history_bytes() const;  // for the steps of a run, by the settings
  int gradients_of = -1;              // sentence whose gradients the open view needs; -1: none

  std::unique_ptr<RunThread> thread;  // of the run

  struct Variant {
    RunBeside shown;
    NewRun recipe;
    std::string folder;
    std::unique_ptr<RunThread> thread;  // null: over
    Tokenizers tokenizers;
    std::shared_ptr<const Snapshot> snapshot;  // the newest weights; null: none yet
    LiveSettings first, first_of_run;          // as the two begin
    std::size_t marks_told = 0;                // of the run's: the changes that it knows of
  };
  std::optional<Variant> variant;

  // What was open before the run that is being prepared, and stays so if that comes to nothing.
  struct Behind {
    OpenRun run;
    std::unique_ptr<RunThread> thread;
    std::optional<Variant> variant;  // that does not go with the new run
  };
  std::optional<Behind> behind;

  struct Comparison {
    Comparison(Other what, const std::function<void()>& wake) : other(std::move(what)), worker(wake) {}
    Other other;
    Compared shown;
    std::future<OpenedModel> opening;  // of OtherModel
    std::optional<OpenedModel> model;
    std::shared_ptr<const KeptWeights> held;   // of OtherRun: its own step; null: as the slider
    std::string refused;                       // why it could not be opened
    std::shared_ptr<const Snapshot> snapshot;  // of that model
    RunState recorded;
    SceneWorker worker;
  };
  std::unique_ptr<Comparison> comparison;

  DataOptions words_data;                 // whose words are known or being read
  std::optional<WordSet> training_words;  // of the source side
  std::future<WordSet> words_reading;

  std::unique_ptr<DataReader> reader;
  std::optional<DataPreview> preview;

  std::vector<Notice> notices;
  // What ends by itself; the screen does not wait for it.
  struct Ending {
    std::shared_future<std::string> ended;                 // a sentence when something could not be saved
    std::string folder = {};                               // of a run, which holds it until it has ended
    bool saves = false;                                    // the run past its preparing, before it ends
    std::shared_ptr<std::unique_ptr<RunThread>> run = {};  // still there when it could not be saved
  };
  std::vector<Ending> endings;
  // Runs that were ended and could not be saved.
  struct Waiting {
    std::unique_ptr<RunThread> thread;
    UnsavedRun shown;
  };
  std::vector<Waiting> waiting;
  // A model that is being written, or the question whether its folder is free.
  struct Saved {
    Notice notice;
    SaveModel done, by_run;  // with the folder that was written; that the run is to write
  };
  std::vector<std::future<Saved>> saving;
  std::optional<RunFolderChange> folder_change;  // the last that was asked for
  struct ChangedFolder {
    std::string problem;
    std::string given, real;  // as it was asked for, and without links
  };
  std::future<ChangedFolder> changing_folder;
  std::unique_ptr<SettingsWriter> writer;  // null: settings are not kept
  int lost = 0;  // so many copies and ends of runs that could not be written were told of
  bool closed = false;
  SceneWorker worker;  // last: ends first
};

}  // namespace glassformer
