// The part of the session that trains a second run beside the open one, with one thing changed.
#include <algorithm>
#include <utility>

#include "app/session/run_name.h"
#include "app/session/session_state.h"

namespace glassformer {

// Empty: there can be one.
std::string Session::State::why_no_variant() const {
  if (run.phase == RunPhase::preparing)
    return "The data are still being prepared; a variant can be trained as soon as the run is ready.";
  if (begin.weights || (run.curves && begun_with_others(*run.curves)))
    return "This run began with the weights of an earlier step. A variant begins with fresh ones: open the "
           "run that they come from, and compare with that.";
  return {};
}

// Both have the data, the vocabulary and the seed in common, so that they see the same batches in the same
// order. A run that has not begun yet begins with its variant.
void Session::State::carry_out(const TrainVariant& what) {
  const std::optional<NewRun> base = known_recipe();
  if (!base) return tell_of_no_recipe();
  if (const std::string why = why_no_variant(); !why.empty()) return say(Place::training, why);
  end_variant();
  const Variation& one = what.variation;
  Variant& beside = variant.emplace();
  beside.recipe = {one.config, base->data, one.training};
  beside.recipe.training.threads = options.threads;
  beside.shown = {.about = one.about, .name = one.name, .run = {}};
  beside.shown.run.phase = RunPhase::preparing;
  beside.shown.run.options = one.training;
  if (options.keep_runs) beside.folder = run_folder_for(title.name + ", " + beside.shown.title());
  const Tokenizers& given = recipe ? run_tokenizers : model->tokenizers;
  beside.thread = std::make_unique<RunThread>(make_run(beside.recipe, data, given, {}),
                                              RunThread::Options{.folder = beside.folder,
                                                                 .running = true,
                                                                 .history = history_bytes() / 2,
                                                                 .moments = wants_moments,
                                                                 .wake = options.wake});
  beside.first = first_settings(one.config, one.training);
  beside.first_of_run = first_settings(base->config, base->training);
  change_variant_too();
  if (thread && run.phase == RunPhase::ready) thread->go();
  notify({.place = Place::training,
          .text = "A second run learns beside this one, from its first step: " + beside.shown.title() + ". " +
                  one.shows,
          .action = "Compare the two",
          .command = Compare{OtherRun{}}});
}

void Session::State::carry_out(const EndVariant&) {
  if (!variant) return;
  forget_unfinished(variant->folder);
  const bool kept = !variant->folder.empty() && variant->shown.run.step > 0;
  const std::string words = "The variant (" + variant->shown.title() + ") was ended. ";
  end_variant();
  if (kept)
    notify({.place = Place::training,
            .text = words + "It stays among the runs, with its curves and all that it learned.",
            .action = "Runs…",
            .command = OpenDialog{"runs"}});
}

void Session::State::end_variant() {
  if (!variant) return;
  if (compares_runs()) stop_comparing();
  clear_offer_to_compare();
  end_thread(std::move(variant->thread), variant->folder);
  variant.reset();
}

void Session::State::clear_offer_to_compare() {
  std::erase_if(notices,
                [](const Notice& notice) { return notice.command && notice.command->is<Compare>(); });
}

bool Session::State::variant_goes_on() const {
  return variant && variant->thread && variant->shown.run.phase == RunPhase::training;
}

// Not over: what goes on with the run goes on with it.
RunThread* Session::State::variant_thread() const {
  return variant && variant->shown.run.phase != RunPhase::stopped ? variant->thread.get() : nullptr;
}

bool Session::State::compares_runs() const {
  return comparison && std::holds_alternative<OtherRun>(comparison->other);
}

// What is changed for the run is changed for both, at the same step, but for what the two differ in.
void Session::State::change_variant_too() {
  if (!variant_thread() || !run.curves) return;
  const std::vector<RunMark>& marks = run.curves->marks;
  variant->marks_told = std::min(variant->marks_told, marks.size());  // the run began again
  for (; variant->marks_told < marks.size(); ++variant->marks_told) {
    const RunMark& mark = marks[variant->marks_told];
    if (!mark.change) continue;
    const auto changed = [&](double LiveSettings::*setting) {
      const bool moved = mark.change->before.*setting != mark.change->after.*setting;
      const bool shared = variant->first.*setting == variant->first_of_run.*setting;
      return moved && shared ? std::optional(mark.change->after.*setting) : std::nullopt;
    };
    variant_thread()->change({.rate_scale = changed(&LiveSettings::rate_scale),
                              .dropout = changed(&LiveSettings::dropout),
                              .smoothing = changed(&LiveSettings::smoothing),
                              .clip = changed(&LiveSettings::clip)},
                             mark.step);
  }
}

bool Session::State::take_variant_update() {
  if (!variant || !variant->thread) return false;
  std::optional<RunUpdate> update = variant->thread->take();
  if (!update) return false;
  RunState& theirs = variant->shown.run;
  const RunPhase before = theirs.phase;
  const bool had_diverged = theirs.diverged;
  if (update->state.phase == RunPhase::preparing) {
    theirs.message = update->state.message;
    theirs.progress = update->state.progress;
  } else {
    theirs = std::move(update->state);
  }
  if (!update->moved_to.empty()) {
    forget_unfinished(variant->folder);
    variant->folder = update->moved_to;
    remember(settings.runs_elsewhere, variant->folder);
    remember(settings.recent_models, variant->folder);
    remember_unfinished_run();
  }
  tell_of_failed_save("The variant", *update);
  if (theirs.phase == RunPhase::training) remember_unfinished_run();
  const bool over = theirs.phase == RunPhase::stopped && before != RunPhase::stopped;
  if (over) forget_unfinished(variant->folder);
  if (over && !theirs.message.empty()) {
    const std::string words =
        "The variant (" + variant->shown.title() + ") has ended: " + theirs.message + ".";
    if (!theirs.unsaved.empty()) {
      tell_of_failed_save("The variant has ended and", *update);
    } else if (!update->snapshot) {
      complain(Place::training, words);
    } else {
      say(Place::training, words);
    }
  }
  if (theirs.diverged && !had_diverged)
    complain(Place::training, "The variant (" + variant->shown.title() + "), at " + theirs.message +
                                  " Train goes on with them at a lower rate.");
  if (update->ended) variant->thread.reset();
  if (!update->snapshot) return true;
  variant->snapshot = update->snapshot;
  variant->tokenizers = update->tokenizers;
  if (compares_runs() && !comparison->held && (!looked_at || !comparison->shown.second))
    ask_other(theirs.phase == RunPhase::training && before == RunPhase::training);
  return true;
}

}  // namespace glassformer
