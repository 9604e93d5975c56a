// What views and panels ask for. They never change the session themselves: they push commands, which are
// carried out after the frame.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/scene/recurrent_run.h"
#include "app/scene/recurrent_scene.h"
#include "app/scene/scene.h"
#include "app/scene/selection.h"
#include "app/scene/trials.h"
#include "engine/layers/schedule.h"
#include "engine/model/config.h"
#include "engine/text/data.h"
#include "engine/train/live_settings.h"
#include "engine/train/options.h"
#include "engine/train/variation.h"

namespace glassformer {

// Looking. A hover lasts while the mouse stays; a pin (a click) becomes the selection.
struct SetHover {
  Selection selection;
};
struct SetPin {
  Selection selection;
};
struct ClearPin {};
// Ctrl-click: these words as well, or no longer.
struct AddPin {
  Selection selection;
};
// How many output tokens are shown; -1: all. The row that writes the last of them becomes the pinned query.
struct ShowDecodeStep {
  int steps = -1;
};
// The training slider: the weights of the kept step nearest to this one; absent: the newest again.
struct ShowStep {
  std::optional<long> step;
  bool recurrent = false;  // of the recurrent model beside
};

// Changing the Scene: each of these can be undone.
struct SetSource {
  std::string text;
};
// The sentences behind the typed one, which fill the batch of the Masks view.
struct SetBatch {
  std::vector<SceneSentence> others;
};
struct SetTarget {
  std::optional<std::string> text;
};
struct SetWhatIf {
  WhatIf what_if;
};
struct SetDecode {
  DecodeOptions options;
};
struct Undo {};
struct Redo {};

// Two Scenes at once: the open one and another that differs from it in one thing.
struct OtherStep {
  long step = 0;  // of the open run; the nearest that is kept
};
struct OtherSentence {
  std::string source;
};
struct OtherModel {
  std::string folder;
};
// A variant that trains beside the open one: at the step that the slider shows, or held at one of its own.
struct OtherRun {
  std::optional<long> step = {};
  int variant = 0;  // RunBeside::id; 0: the newest
};
struct OtherUntouched {};  // without the what-ifs
using Other = std::variant<OtherStep, OtherSentence, OtherModel, OtherRun, OtherUntouched>;
struct Compare {
  Other other;
};
struct StopComparing {};

// The open view needs the gradients of one sentence of the Scene; -1: no longer.
struct WantGradients {
  int sentence = 0;
};
// It needs the gradients of the weights and Adam's moments too: copied for it while training continues.
struct WantMoments {
  bool wanted = false;
};
// It shows sentences or words of the training text, which is read for it.
struct WantTrainingText {
  bool wanted = false;
};

// Training. Train starts or resumes a run: with the open model's own, past its plan in a new one from
// its weights, and by a recipe alone where nothing has been learned. A reset begins the same run again from
// step 0.
struct Train {
  bool further = false;  // a run that is over as well, also when a variant is there to continue alone
};
struct PauseTraining {};
struct TrainOneStep {};
struct ResetTraining {
  bool new_seed = false;
  std::optional<Schedule> schedule = {};  // of the learning rate, in place of the one it had
};
// A new run that begins with the weights of the earlier step that is looked at, with fresh moments, and
// learns by these settings; the run it comes from stays as it is.
struct ForkRun {
  TrainingOptions training;
  double dropout = 0;
};
// A further run beside the open one, the same but for one thing, from its first step on.
struct TrainVariant {
  Variation variation;
};
// It stays among the kept runs, and the others continue.
struct EndVariant {
  int variant = 0;  // RunBeside::id; 0: the newest
};
// These one after another, in the background; nothing when others still learn.
struct TrySettings {
  std::vector<Trial> trials;
  int at_once = 1;
};
struct CancelTrials {};
// A fresh model learns by the recipe of the open one, or as "quick" where that is the paper's (presets.h),
// while somebody looks on; the open one stays open. Stopped, it stays among the runs.
struct WatchOne {};
struct SetWatching {
  bool running = true;
};
struct StopWatching {};
struct CancelPreparing {};  // of a run that has not begun: the model before it is shown again
// While running.
using SetLearning = LearningWish;

// At most so much memory for the weights of earlier steps of a run, now and from now on; half as much again
// for each variant beside it. 0: no more of them are kept.
struct KeepHistory {
  int megabytes = 0;
};

// Models and data. ReadData fills Session::preview(); NewRun makes fresh weights for the data read, or reads
// them.
struct OpenModel {
  std::string folder;  // empty: the bundled model
};
struct CancelOpening {};  // the model before it stays
struct ContinueRun {
  std::string folder;  // a saved run, exactly where it was
};
struct SaveModel {
  std::string folder;
  bool replace = false;  // the model that is there, as the person said
};
// The kept runs; what became of it is Session::run_folder_change().
struct RenameRun {
  std::string folder, name;
};
struct DeleteRun {
  std::string folder;
};
// The runs of Session::unsaved(), once more; in a new folder, where they are kept from then on (the second in
// one beside it).
struct SaveRuns {};
struct KeepRunsIn {
  std::string folder;
};
struct ReadData {
  DataOptions data;
};
struct CancelReading {};
struct NewRun {
  Config config;  // vocabulary sizes and special ids come from the data
  DataOptions data;
  TrainingOptions training;
};

// The screen's own.
struct OpenView {
  std::string view;  // a name of the view table
  // One of its controls and what it is to be set to, as a lesson would (View::set); empty: as it is.
  std::string control = {}, value = {};
};
// To the step of the Walk that computes this number; `pin` also makes it the one explained.
struct OpenStep {
  CellRef cell;
  bool pin = true;
};
// A recurrent model learns beside the Transformer; nothing while one does.
struct TrainRecurrent {
  NewRecurrentRun recipe;
};
struct StopRecurrent {};
struct ResumeRecurrent {};  // with the one that was stopped, or was opened
// A recurrent model beside the Transformer: which sentence of it, and what is looked at there.
using ShowRecurrent = RecurrentLook;
struct PinRecurrent {
  RecurrentPin pin;
};
struct OpenDialog {
  std::string name;  // "new model", "open model", "open corpus", "save figure", "keys", ...
};
struct SaveFigure {
  std::string path;
  double scale = 2;        // 1 to 4, of a PNG
  double print_cm = 0;     // the width of a column of print; 0: by the scale
  bool white = true;       // background; else the theme's paper
  std::string panel = {};  // one part of the view alone; empty: all of it
};
struct CopyText {
  std::string text;
};

// Which commands there are, in one list.
template <class... Each>
struct CommandList {
  template <class Wanted>
  static constexpr bool has = (std::is_same_v<Wanted, Each> || ...);
};
using AllCommands =
    CommandList<SetHover, SetPin, ClearPin, AddPin, ShowDecodeStep, ShowStep, SetSource, SetTarget, SetBatch,
                SetWhatIf, SetDecode, Undo, Redo, Compare, StopComparing, WantGradients, WantMoments,
                WantTrainingText, Train, PauseTraining, TrainOneStep, ResetTraining, ForkRun, TrainVariant,
                EndVariant, TrySettings, CancelTrials, WatchOne, SetWatching, StopWatching, CancelPreparing,
                SetLearning, KeepHistory, OpenModel, CancelOpening, ContinueRun, SaveModel, RenameRun,
                DeleteRun, SaveRuns, KeepRunsIn, ReadData, CancelReading, NewRun, OpenView, OpenStep,
                TrainRecurrent, StopRecurrent, ResumeRecurrent, ShowRecurrent, PinRecurrent, OpenDialog,
                SaveFigure, CopyText>;

// One of them. It never changes, so copies share it. Not a std::variant: with forty kinds, the compiler would
// spend two seconds on that in every file that a command passes through.
class Command {
 public:
  template <class Kind>
  requires(AllCommands::has<Kind>) Command(Kind command)
      : content_(std::make_shared<const Content<Kind>>(std::move(command))) {}

  // Throws std::bad_cast when it is another kind.
  template <class Kind>
  const Kind& get() const {
    static_assert(AllCommands::has<Kind>);
    return dynamic_cast<const Content<Kind>&>(*content_).command;
  }
  // Null when it is another kind.
  template <class Kind>
  const Kind* get_if() const {
    static_assert(AllCommands::has<Kind>);
    const auto* content = dynamic_cast<const Content<Kind>*>(content_.get());
    return content ? &content->command : nullptr;
  }
  template <class Kind>
  bool is() const {
    return get_if<Kind>() != nullptr;
  }
  // Calls `visitor` with the command; it has to take every kind.
  template <class Visitor>
  void visit(Visitor&& visitor) const {
    visit(visitor, AllCommands());
  }

 private:
  struct AnyContent {
    virtual ~AnyContent() = default;
  };
  template <class Kind>
  struct Content : AnyContent {
    explicit Content(Kind kind) : command(std::move(kind)) {}
    Kind command;
  };
  template <class Visitor, class... Each>
  void visit(Visitor& visitor, CommandList<Each...>) const {
    const auto visit_if = [&](const auto* command) {
      if (command) visitor(*command);
      return command != nullptr;
    };
    (visit_if(get_if<Each>()) || ...);
  }

  std::shared_ptr<const AnyContent> content_;
};

using Commands = std::vector<Command>;

}  // namespace glassformer
