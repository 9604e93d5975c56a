// What becomes of runs that learn: their newest weights are shown, what happened is told, and what the next
// start of the program should offer is noted.
#include <utility>

#include "app/scene/sentences.h"
#include "app/session/change_words.h"
#include "app/session/run_reports.h"
#include "app/session/session_state.h"

namespace glassformer {

bool Session::State::take_open_run() {
  Run& run = runs.open();
  const std::optional<RunNews> news = run.take();
  if (!news) return false;
  const RunUpdate& update = news->update;
  const RunState& state = run.state();
  const bool begins = news->before == RunPhase::preparing;
  if (begins && update.snapshot) {
    discard_pending();
    if (const auto notice = fresh_model_notice(run, model ? model->folder : "")) notices.notify(*notice);
  }
  if (state.curves)
    for (Run* const each : runs.all_beside()) each->follow_changes(*state.curves);
  if (!update.moved_to.empty()) {
    follow_moved_run(*news, run);
    notices.say(Place::training, "The run is kept in " + run.folder + " from now on.");
  }
  if (const auto notice = failed_save_notice("The run", update)) notices.notify(*notice);
  if (!update.copy_error.empty()) {
    ++lost;
    notices.notify(not_saved(update.copy_error));
  }
  if (!update.saved_to.empty()) {
    notices.say(Place::model, "Saved to " + update.saved_to + ".");
    remember(settings.recent_models, update.saved_to);
  }
  if (state.phase == RunPhase::training) remember_unfinished_run();
  if (update.in_folder && (!run.begins_again() || state.phase == RunPhase::stopped))
    settings.last_model = run.folder;
  if (update.written_anew)
    notices.say(
        Place::training,
        "The folder of this run was gone. What is kept of the run was written there anew: " + run.folder);
  if (update.extended_by)
    notices.say(Place::training,
                "The plan had ended. Training goes on" + further_in_words(*update.extended_by) + ".");
  if (state.phase == RunPhase::stopped && settings.unfinished_run == run.folder && update.snapshot &&
      state.unsaved.empty())
    forget_unfinished_run();
  if (run.goes_on && model && state.curves && notices.offers(Place::training, model->folder))
    notices.notify(learns_on_notice(*model, state.curves.get()));
  if (state.diverged && !news->had_diverged) notices.notify(divergence_notice(run));
  if (news->ends && !state.message.empty()) notices.notify(end_notice(run, update));
  if (update.ended) run.thread.reset();
  if (update.snapshot)
    show_newest(*news);
  else if (update.ended && begins)
    return_from_preparing();  // last: the run is no more
  return true;
}

// The open run's newest weights, unless an earlier step is looked at.
void Session::State::show_newest(const RunNews& news) {
  Run& run = runs.open();
  snapshot = news.update.snapshot;
  tokenizers = news.update.tokenizers;
  if (std::exchange(run.scene_follows, false)) {
    std::vector<SceneSentence> sentences;
    for (const HeldOutSentence& sentence : run.state().held_out)
      sentences.push_back({sentence.pair.source, std::nullopt, sentence.pair.target});
    title = title_of(snapshot->config, run.recipe->data, run.state().data_name);
    start_with(sentences);
  }
  const bool learns = run.state().phase == RunPhase::training && news.before == RunPhase::training;
  if (!run.looked_at) compute(learns);
}

void Session::State::follow_moved_run(const RunNews& news, const Run& run) {
  forget_unfinished(news.moved_from);
  remember(settings.runs_elsewhere, run.folder);
  remember(settings.recent_models, run.folder);
  remember_unfinished_run();
}

bool Session::State::take_variant(Run& variant) {
  const std::optional<RunNews> news = variant.take();
  if (!news) return false;
  const RunUpdate& update = news->update;
  const RunState& state = variant.state();
  const std::string named = "The variant (" + variant.shown.title() + ")";
  if (!update.moved_to.empty()) follow_moved_run(*news, variant);
  if (const auto notice = failed_save_notice(named, update)) notices.notify(*notice);
  if (state.phase == RunPhase::training) remember_unfinished_run();
  if (news->ends) {
    forget_unfinished(variant.folder);
    if (!state.unsaved.empty()) {
      if (const auto notice = failed_save_notice(named + " has ended and", update)) notices.notify(*notice);
    } else if (!state.message.empty()) {
      const std::string ended = named + " has ended: " + state.message + ".";
      if (update.snapshot)
        notices.say(Place::training, ended);
      else
        notices.complain(Place::training, ended);
    }
  }
  if (state.diverged && !news->had_diverged)
    notices.complain(Place::training,
                     named + ", at " + state.message + " Train goes on with them at a lower rate.");
  if (update.ended) variant.thread.reset();
  const bool learns = state.phase == RunPhase::training && news->before == RunPhase::training;
  if (update.snapshot && comparison && comparison->variant() == variant.shown.id &&
      comparison->follows_variant(first_side()))
    compute_second(learns);
  return true;
}

bool Session::State::take_trials() {
  const bool changed = trials.take();
  if (!trials.take_end()) return changed;
  const TrialsState& state = trials.state();
  notices.notify({.place = Place::training,
                  .error = !state.problems.empty(),
                  .text = "The settings that were tried: " + trials_in_words(state),
                  .action = "Runs…",
                  .command = OpenDialog{"runs"}});
  return true;
}

bool Session::State::take_unsaved() {
  bool changed = false;
  for (Run* const each : runs.ended_unsaved()) {
    const std::optional<RunNews> news = each->take();
    if (!news) continue;
    changed = true;
    const std::string name = run_name_of(each->folder);
    if (each->is_unsaved()) {
      if (const auto notice = failed_save_notice("The run " + name, news->update)) notices.notify(*notice);
    } else {
      notices.say(Place::training, "The run " + name + " is saved.");
      aside.end(runs.remove(*each));
    }
  }
  return changed;
}

bool Session::State::take_ended() {
  std::vector<std::string> problems;
  const bool some = runs.take_ended(problems);
  for (const std::string& problem : problems) {
    ++lost;
    notices.complain(Place::training, problem);
  }
  return some;
}

void Session::State::carry_out(const SaveRuns&) {
  for (Run* const each : runs.unsaved()) each->thread->save();
}

void Session::State::carry_out(const KeepRunsIn& what) {
  int number = 1;
  for (Run* const each : runs.unsaved()) {
    each->thread->keep_in(what.folder + (number == 1 ? "" : "-" + std::to_string(number)));
    ++number;
  }
}

bool Session::State::finish_saving() {
  std::vector<std::string> problems;
  finish_copies(problems);
  if (!runs.finish_saving_pending()) return_from_preparing();
  runs.finish_saving();
  return joined(problems).empty();
}

void Session::State::offer_unfinished_run() {
  if (const auto notice = unfinished_notice(settings)) notices.notify(*notice);
}

void Session::State::remember_unfinished_run() {
  const Run& run = runs.open();
  const bool one = run.under_way() && !run.folder.empty();
  std::vector<std::string> beside;
  for (const Run* const each : runs.all_beside())
    if (each->active() && each->state().step > 0 && !each->folder.empty()) beside.push_back(each->folder);
  if (!one && beside.empty()) return;
  settings.unfinished_run = one ? run.folder : "";
  settings.unfinished_variants = std::move(beside);
}

void Session::State::forget_unfinished(const std::string& folder) {
  if (settings.unfinished_run == folder) settings.unfinished_run.clear();
  std::erase(settings.unfinished_variants, folder);
}

void Session::State::forget_unfinished_run() {
  settings.unfinished_run.clear();
  settings.unfinished_variants.clear();
}

}  // namespace glassformer
