// A training run: what it is made by, where it is kept, what is known of it, and the thread that trains
// it. All runs are alike, whichever place they have in the session.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/command.h"
#include "app/scene/compared.h"
#include "app/scene/run_state.h"
#include "app/session/data_reader.h"
#include "app/session/run_thread.h"

namespace glassformer {

// What a forked run begins with.
struct Beginning {
  std::shared_ptr<const KeptWeights> weights;  // null: fresh ones
  std::string from;                            // in words: "step 150 of “my model”"
  std::string folder;                          // of the run or model that they come from
};

// The run of this recipe, on data that are ready, or are being prepared, or are to be read.
RunThread::Make make_run(const NewRun& recipe, std::shared_ptr<const PreparedData> ready,
                         const FutureData& ahead, const Tokenizers& given, const Beginning& begin);

// A saved run, or a model to be fine-tuned.
struct ResumedRun {
  std::string folder;
  DataOptions data;
  bool whole = true;  // Adam's moments were kept; else it continues with fresh ones
  bool own = true;    // it is resumed in its folder
};
// Resumes from there, as soon as what still writes into the folder is done.
RunThread::Make make_resumed(const ResumedRun& from, const FutureData& ahead, const Tokenizers& given,
                             int threads, std::vector<std::shared_future<std::string>> still_saving);

enum class RunPlace {
  open,            // the screen shows it; without a thread: what the open model itself records
  beside,          // learns beside it, with one thing changed: a variant
  trial,           // learns in the background, as one of the settings that are tried
  watched,         // learns from noise while somebody looks on
  pending,         // was open before the one that is being prepared, and comes back if that comes to nothing
  pending_beside,  // learned beside that
  unsaved,         // was ended, and waits until it can be saved
};

// What has become of a run since it was last asked.
struct RunNews {
  RunUpdate update;  // without its state, which the run has
  RunPhase before = RunPhase::none;
  bool had_diverged = false;
  std::string moved_from = {};  // the folder that it was kept in before; empty: it stays where it is
  bool ends = false;            // it is over now
};

struct Run {
  RunPlace place = RunPlace::open;
  std::optional<NewRun> recipe;              // what a reset begins again
  std::shared_ptr<const PreparedData> data;  // kept for a reset; null: to be read
  Tokenizers tokenizers;                     // null: to be learned from the data
  Beginning begin;
  std::string folder;                        // empty: it is kept nowhere
  RunBeside shown;                           // its state, and what sets a variant apart
  std::shared_ptr<const Snapshot> snapshot;  // the newest weights; null: none yet
  std::unique_ptr<RunThread> thread;         // null: over, or never begun here
  bool of_model = false;                     // it learns what the open model learned: one sentence for both
  bool from_weights = false;                 // it began with the weights of the open model
  bool scene_follows = false;                // the next held-out sentences become the Scene
  std::shared_ptr<const KeptWeights> looked_at;  // an earlier step, which is shown instead; null: the newest

  // Of a variant: how the two begin, and how many of the open run's changes it knows of.
  LiveSettings first, first_of_open;
  std::size_t marks_known = 0;

  // All but the thread: what the next run begins from.
  Run record() const;

  RunState& state() { return shown.run; }
  const RunState& state() const { return shown.run; }
  bool learns() const { return thread && state().phase == RunPhase::training; }
  bool under_way() const;  // begun and not over
  // Null when it is over: there is nothing to continue.
  RunThread* active() const { return state().phase != RunPhase::stopped ? thread.get() : nullptr; }
  // A model that begins again has learned nothing worth opening.
  bool begins_again() const { return of_model && !from_weights; }
  bool is_unsaved() const { return thread && !state().unsaved.empty(); }
  UnsavedRun as_unsaved() const;

  std::optional<RunNews> take();  // state, weights and folder are the newest afterwards
  // Takes over what was changed for the open run, at the same step, but for what the two differ in.
  void follow_changes(const Curves& of_open);
};

}  // namespace glassformer
