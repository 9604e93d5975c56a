// The part of the session that trains a second run beside the open one, with one thing changed.
#include <utility>

#include "app/session/run_name.h"
#include "app/session/session_state.h"

namespace glassformer {

// Both have the data, the vocabulary and the seed in common, so that they see the same batches in the same
// order. A run that has not begun yet begins with its variant.
void Session::State::carry_out(const TrainVariant& what) {
  const std::optional<NewRun> base = known_recipe();
  if (!base) return tell_of_no_recipe();
  if (run.phase == RunPhase::preparing)
    return say(Place::training,
               "The data are still being prepared; a variant can be trained as soon as the run is ready.");
  end_variant();
  const Variation& one = what.variation;
  Variant& beside = variant.emplace();
  beside.recipe = {one.config, base->data, one.training};
  beside.recipe.training.threads = options.threads;
  beside.shown = {.name = one.about + ": " + one.name, .run = {}};
  beside.shown.run.phase = RunPhase::preparing;
  beside.shown.run.options = one.training;
  if (options.keep_runs) beside.folder = run_folder_for(title.name + ", " + beside.shown.name);
  const Tokenizers& given = recipe ? run_tokenizers : model->tokenizers;
  const bool same_shape = one.config == base->config;
  beside.thread = std::make_unique<RunThread>(
      make_run(beside.recipe, data, given, same_shape ? begin : nullptr),
      RunThread::Options{
          .folder = beside.folder, .running = true, .history = options.history, .wake = options.wake});
  if (thread && run.phase == RunPhase::ready) thread->go();
  notify({.place = Place::training,
          .text = "A second run learns beside this one, from its first step: " + beside.shown.name + ". " +
                  one.shows,
          .action = "Compare the two",
          .command = Compare{OtherRun{}}});
}

void Session::State::carry_out(const EndVariant&) {
  end_variant();
}

void Session::State::end_variant() {
  if (!variant) return;
  if (comparison && std::holds_alternative<OtherRun>(comparison->other)) stop_comparing();
  end_thread(std::move(variant->thread), variant->folder);
  variant.reset();
}

bool Session::State::variant_goes_on() const {
  return variant && variant->thread && variant->shown.run.phase == RunPhase::training;
}

bool Session::State::take_variant_update() {
  if (!variant || !variant->thread) return false;
  std::optional<RunUpdate> update = variant->thread->take();
  if (!update) return false;
  RunState& theirs = variant->shown.run;
  const RunPhase before = theirs.phase;
  if (update->state.phase == RunPhase::preparing) {
    theirs.message = update->state.message;
    theirs.progress = update->state.progress;
  } else {
    theirs = std::move(update->state);
  }
  if (!update->save_error.empty()) complain(Place::training, update->save_error);
  const bool over = theirs.phase == RunPhase::stopped && before != RunPhase::stopped;
  if (over && !theirs.message.empty()) {
    const std::string words = "The variant (" + variant->shown.name + ") has ended: " + theirs.message + ".";
    if (theirs.diverged || !update->snapshot) {
      complain(Place::training, words);
    } else {
      say(Place::training, words);
    }
  }
  if (update->ended) variant->thread.reset();
  if (!update->snapshot) return true;
  variant->snapshot = update->snapshot;
  variant->tokenizers = update->tokenizers;
  if (comparison && std::holds_alternative<OtherRun>(comparison->other) && !looked_at) ask_other();
  return true;
}

}  // namespace glassformer
