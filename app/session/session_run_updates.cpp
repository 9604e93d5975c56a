// The part of the session that follows a training run: what it has become, how it ended, and what the next
// start of the program offers.
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/extension_words.h"
#include "app/session/run_name.h"
#include "app/session/session_state.h"

namespace glassformer {

namespace fs = std::filesystem;

bool Session::State::take_what_ended() {
  return std::erase_if(endings, [this](const Ending& ending) {
           if (ending.ended.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
           const std::string& problem = ending.ended.get();
           if (ending.run && *ending.run) {
             waiting.push_back({.thread = std::move(*ending.run),
                                .shown = {.folder = ending.folder, .why = problem, .failed_saves = 1}});
           } else if (!problem.empty()) {
             ++lost;
             complain(Place::training, problem);
           }
           return true;
         }) > 0;
}

bool Session::State::take_run_update() {
  if (!thread) return false;
  std::optional<RunUpdate> update = thread->take();
  if (!update) return false;
  const RunPhase before = run.phase;
  const bool had_diverged = run.diverged;
  if (update->state.phase == RunPhase::preparing) {
    run.message = update->state.message;
    run.progress = update->state.progress;
  } else {
    run = std::move(update->state);
  }
  if (before == RunPhase::preparing && update->snapshot) let_go_of_behind();
  change_variant_too();
  if (!update->moved_to.empty()) {
    forget_unfinished(run_folder);
    run_folder = update->moved_to;
    remember(settings.runs_elsewhere, run_folder);
    remember(settings.recent_models, run_folder);
    say(Place::training, "The run is kept in " + run_folder + " from now on.");
    remember_unfinished_run();
  }
  tell_of_failed_save("The run", *update);
  if (!update->copy_error.empty()) {
    ++lost;
    notify(not_saved(update->copy_error));
  }
  if (!update->saved_to.empty()) {
    say(Place::model, "Saved to " + update->saved_to + ".");
    remember(settings.recent_models, update->saved_to);
  }
  if (run.phase == RunPhase::training) remember_unfinished_run();
  if (update->in_folder && (!begins_model_again() || run.phase == RunPhase::stopped))
    settings.last_model = run_folder;
  if (update->written_anew)
    say(Place::training,
        "The folder of this run was gone. What is kept of the run was written there anew: " + run_folder);
  if (update->extended_by)
    say(Place::training,
        "The plan had ended. Training goes on" + further_in_words(*update->extended_by) + ".");
  if (run.phase == RunPhase::stopped && settings.unfinished_run == run_folder && update->snapshot &&
      run.unsaved.empty())
    forget_unfinished_run();
  if (run.diverged && !had_diverged) tell_of_divergence();
  if (run.phase == RunPhase::stopped && before != RunPhase::stopped && !run.message.empty()) {
    tell_of_the_end(*update);
  }
  if (update->ended) {
    thread.reset();
    if (before == RunPhase::preparing) return_from_preparing();
  }
  if (!update->snapshot) return true;

  run_tokenizers = update->tokenizers;
  snapshot = update->snapshot;
  if (tokenizers.source != update->tokenizers.source || tokenizers.target != update->tokenizers.target) {
    tokenizers = update->tokenizers;
  }
  if (scene_follows_run) {
    scene_follows_run = false;
    std::vector<SceneSentence> sentences;
    for (const HeldOutSentence& sentence : run.held_out) {
      sentences.push_back({sentence.pair.source, std::nullopt, sentence.pair.target});
    }
    title = title_of(snapshot->config, recipe->data, run.data_name);
    start_with(sentences);
  }
  if (!looked_at) ask(run.phase == RunPhase::training && before == RunPhase::training);
  return true;
}

void Session::State::tell_of_divergence() {
  notify({.place = Place::training,
          .error = true,
          .text = "At " + run.message + " They are shown, and Train goes on with them.",
          .action = "Go on at a lower rate",
          .command = Train{.further = true}});
}

// What ended it, and what Train would do now.
void Session::State::tell_of_the_end(const RunUpdate& update) {
  const bool begun = update.snapshot != nullptr;
  Notice notice{.place = Place::training, .error = true, .text = run.message, .action = "", .command = {}};
  if (begun && update.ended) {
    notice.text =
        "Training was stopped by an error (" + run.message + "). The run is kept as of its last save.";
    if (!run_folder.empty()) notice.action = "Go on with it", notice.command = ContinueRun{run_folder};
  } else if (begun) {
    notice.error = false;
    notice.text =
        "Training has ended: " + run.message + ". Train goes on" + further_in_words(run.extension) + ".";
    notice.action = "Train " + more_in_words(run.extension);
    notice.command = Train{.further = true};
  }
  if (!run.unsaved.empty()) {
    notice.error = true;
    notice.text = "Training has ended: " + run.message + ". The newest steps are not saved: " + run.unsaved +
                  ". Nothing is lost while the program is open.";
    notice.action = kKeepRun, notice.command = OpenDialog{"unsaved"};
  }
  notify(std::move(notice));
}

void Session::State::offer_unfinished_run() {
  const auto kept = [](const std::string& folder) {
    std::error_code failed;
    return !folder.empty() && fs::exists(fs::path(folder) / "training.json", failed);
  };
  const bool one = kept(settings.unfinished_run), beside = kept(settings.unfinished_variant);
  if (!one && !beside) return;
  const auto words = [](const std::string& folder) {
    return run_in_words(fs::path(folder).filename().string());
  };
  const std::string folder = one ? settings.unfinished_run : settings.unfinished_variant;
  std::string text = std::string(one ? "The run " : "The variant ") + words(folder) +
                     " was still going on when the program ended. It is kept as of its last save.";
  if (one && beside)
    text += " So is the one beside it, " + words(settings.unfinished_variant) + ": Model, Runs… opens it.";
  notify({.place = Place::training,
          .text = std::move(text),
          .action = "Go on with it",
          .command = ContinueRun{folder}});
}

bool Session::State::run_is_open() const {
  return thread && run.step > 0 && (run.phase == RunPhase::training || run.phase == RunPhase::paused);
}

void Session::State::remember_unfinished_run() {
  const bool one = run_is_open() && !run_folder.empty();
  const bool beside = variant_thread() && variant->shown.run.step > 0 && !variant->folder.empty();
  if (!one && !beside) return;
  settings.unfinished_run = one ? run_folder : "";
  settings.unfinished_variant = beside ? variant->folder : "";
}

void Session::State::forget_unfinished(const std::string& folder) {
  for (std::string* unfinished : {&settings.unfinished_run, &settings.unfinished_variant})
    if (*unfinished == folder) unfinished->clear();
}

void Session::State::forget_unfinished_run() {
  settings.unfinished_run.clear();
  settings.unfinished_variant.clear();
}

}  // namespace glassformer
