// What becomes of the open run, and of those that could not be saved.
#include <utility>

#include "app/scene/sentences.h"
#include "app/session/change_words.h"
#include "app/session/folder_work.h"
#include "app/session/run_desk.h"
#include "app/session/run_reports.h"

namespace glassformer {

bool RunDesk::take() {
  Run& run = runs_.open();
  const std::optional<RunNews> news = run.take();
  if (!news) return false;
  const RunUpdate& update = news->update;
  const RunState& state = run.state();
  const bool begins = news->before == RunPhase::preparing;
  if (begins && update.snapshot) {
    discard_pending();
    if (const auto notice = fresh_model_notice(run, common_.model ? common_.model->folder : ""))
      notices_.notify(*notice);
  }
  if (state.curves)
    for (Run* const each : runs_.all_beside()) each->follow_changes(*state.curves);
  if (!update.moved_to.empty()) {
    common_.follow_moved_run(*news, run);
    notices_.say(Place::training, "The run is kept in " + run.folder + " from now on.");
  }
  if (const auto notice = failed_save_notice("The run", update)) notices_.notify(*notice);
  if (!update.copy_error.empty()) {
    ++common_.lost;
    notices_.notify(not_saved(update.copy_error));
  }
  if (!update.saved_to.empty()) {
    notices_.say(Place::model, "Saved to " + update.saved_to + ".");
    remember(settings_.recent_models, update.saved_to);
  }
  if (state.phase == RunPhase::training) common_.remember_unfinished_run();
  if (update.in_folder && (!run.begins_again() || state.phase == RunPhase::stopped))
    settings_.last_model = run.folder;
  if (update.written_anew)
    notices_.say(
        Place::training,
        "The folder of this run was gone. What is kept of the run was written there anew: " + run.folder);
  if (update.extended_by)
    notices_.say(Place::training,
                 "The plan had ended. Training goes on" + further_in_words(*update.extended_by) + ".");
  if (state.phase == RunPhase::stopped && settings_.unfinished_run == run.folder && update.snapshot &&
      state.unsaved.empty())
    common_.forget_unfinished_run();
  if (run.from_weights && common_.model && state.curves &&
      notices_.offers(Place::training, common_.model->folder))
    notices_.notify(fine_tune_notice(*common_.model, state.curves.get()));
  if (state.diverged && !news->had_diverged) notices_.notify(divergence_notice(run));
  if (news->ends && !state.message.empty()) notices_.notify(end_notice(run, update));
  if (update.ended) run.thread.reset();
  if (update.snapshot)
    show_newest(*news);
  else if (update.ended && begins)
    return_from_preparing();  // last: the run is no more
  return true;
}

// The open run's newest weights, unless an earlier step is looked at.
void RunDesk::show_newest(const RunNews& news) {
  Run& run = runs_.open();
  common_.snapshot = news.update.snapshot;
  common_.tokenizers = news.update.tokenizers;
  if (std::exchange(run.scene_follows, false)) {
    std::vector<SceneSentence> sentences;
    for (const HeldOutSentence& sentence : run.state().held_out)
      sentences.push_back({sentence.pair.source, std::nullopt, sentence.pair.target});
    common_.title = title_of(common_.snapshot->config, run.recipe->data, run.state().data_name);
    scenes_.start_with(sentences);
  }
  const bool learns = run.state().phase == RunPhase::training && news.before == RunPhase::training;
  if (!run.looked_at) scenes_.compute(learns);
}

bool RunDesk::take_unsaved() {
  bool changed = false;
  for (Run* const each : runs_.ended_unsaved()) {
    const std::optional<RunNews> news = each->take();
    if (!news) continue;
    changed = true;
    const std::string name = run_name_of(each->folder);
    if (each->is_unsaved()) {
      if (const auto notice = failed_save_notice("The run " + name, news->update)) notices_.notify(*notice);
    } else {
      notices_.say(Place::training, "The run " + name + " is saved.");
      common_.aside.end(runs_.remove(*each));
    }
  }
  return changed;
}

bool RunDesk::take_ended() {
  std::vector<std::string> problems;
  const bool some = runs_.take_ended(problems);
  for (const std::string& problem : problems) {
    ++common_.lost;
    notices_.complain(Place::training, problem);
  }
  return some;
}

void RunDesk::carry_out(const SaveRuns&) {
  for (Run* const each : runs_.unsaved()) each->thread->save();
}

void RunDesk::carry_out(const KeepRunsIn& what) {
  int number = 1;
  for (Run* const each : runs_.unsaved()) {
    each->thread->keep_in(what.folder + (number == 1 ? "" : "-" + std::to_string(number)));
    ++number;
  }
}

void RunDesk::finish_saving() {
  if (!runs_.finish_saving_pending()) return_from_preparing();
  runs_.finish_saving();
}

void RunDesk::offer_unfinished_run() {
  if (const auto notice = unfinished_notice(settings_)) notices_.notify(*notice);
}

}  // namespace glassformer
