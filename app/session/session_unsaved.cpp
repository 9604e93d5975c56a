// The part of the session that sees to runs whose newest steps could not be saved: the disk is full, or the
// folder may not be written. They wait until they can be, or until the person lets go of them.
#include <filesystem>
#include <utility>

#include "app/scene/sentences.h"
#include "app/session/run_name.h"
#include "app/session/session_state.h"

namespace glassformer {

namespace {

UnsavedRun as_unsaved(const RunState& run, const std::string& folder) {
  return {folder, run.unsaved, run.step, run.saved_step, run.failed_saves, run.not_moved};
}

}  // namespace

std::vector<UnsavedRun> Session::State::unsaved() const {
  std::vector<UnsavedRun> all;
  if (thread && !run.unsaved.empty()) all.push_back(as_unsaved(run, run_folder));
  if (variant && variant->thread && !variant->shown.run.unsaved.empty())
    all.push_back(as_unsaved(variant->shown.run, variant->folder));
  for (const Waiting& each : waiting) all.push_back(each.shown);
  return all;
}

std::vector<RunThread*> Session::State::unsaved_threads() const {
  std::vector<RunThread*> all;
  if (thread && !run.unsaved.empty()) all.push_back(thread.get());
  if (variant && variant->thread && !variant->shown.run.unsaved.empty()) all.push_back(variant->thread.get());
  for (const Waiting& each : waiting) all.push_back(each.thread.get());
  return all;
}

void Session::State::carry_out(const SaveRuns&) {
  for (RunThread* const each : unsaved_threads()) each->save();
}

void Session::State::carry_out(const KeepRunsIn& what) {
  int number = 1;
  for (RunThread* const each : unsaved_threads()) {
    each->keep_in(what.folder + (number == 1 ? "" : "-" + std::to_string(number)));
    ++number;
  }
}

void Session::State::tell_of_failed_save(const std::string& which, const RunUpdate& update) {
  if (update.save_error.empty()) return;
  notify({.place = Place::training,
          .error = true,
          .text = which + " could not be saved: " + update.save_error +
                  ". It waits, and nothing is lost while the program is open.",
          .action = kKeepRun,
          .command = OpenDialog{"unsaved"}});
}

bool Session::State::take_waiting_updates() {
  bool changed = false;
  std::erase_if(waiting, [&](Waiting& each) {
    const std::optional<RunUpdate> update = each.thread->take();
    if (!update) return false;
    changed = true;
    if (!update->moved_to.empty()) each.shown.folder = update->moved_to;
    each.shown = as_unsaved(update->state, each.shown.folder);
    const std::string name = run_in_words(std::filesystem::path(each.shown.folder).filename().string());
    if (!each.shown.why.empty()) {
      tell_of_failed_save("The run " + name, *update);
      return false;
    }
    say(Place::training, "The run " + name + " is saved.");
    end_aside(std::move(each.thread));
    return true;
  });
  return changed;
}

// What waits behind a run that is being prepared comes back when it cannot be saved.
bool Session::State::finish_saving() {
  std::vector<std::string> problems;
  finish_saving(problems);
  for (const Ending& ending : endings) {
    if (ending.saves) ending.ended.wait();
  }
  for (RunThread* const each : {behind ? behind->thread.get() : nullptr,
                                behind && behind->variant ? behind->variant->thread.get() : nullptr}) {
    if (each && behind && !each->finish_saving().empty()) return_from_preparing();  // nothing is behind then
  }
  for (RunThread* const each : {thread.get(), variant ? variant->thread.get() : nullptr}) {
    if (each) each->finish_saving();
  }
  for (const Waiting& each : waiting) each.thread->finish_saving();
  return joined(problems).empty();
}

}  // namespace glassformer
