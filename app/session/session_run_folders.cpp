// The part of the session that gives kept runs other names or deletes them, and sees to it that what named
// their folders does not name what is gone.
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/session/run_table.h"
#include "app/session/session_state.h"
#include "engine/math/error.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

// That its way out opens, or goes on with; empty: none.
std::string folder_in(const Notice& notice) {
  if (!notice.command) return {};
  if (const auto* open = notice.command->get_if<OpenModel>()) return open->folder;
  if (const auto* go_on = notice.command->get_if<ContinueRun>()) return go_on->folder;
  return {};
}

}  // namespace

void Session::State::carry_out(const RenameRun& what) {
  const std::string to = (fs::path(what.folder).parent_path() / what.name).string();
  change_run_folder({.folder = what.folder, .to = to},
                    [folder = what.folder, name = what.name] { rename_run(folder, name); });
}

void Session::State::carry_out(const DeleteRun& what) {
  change_run_folder({.folder = what.folder}, [folder = what.folder] { delete_run(folder); });
}

// A large run takes a while to go: the screen does not wait for it.
void Session::State::change_run_folder(RunFolderChange change, const std::function<void()>& work) {
  if (changing_folder.valid())
    return complain(Place::model, "A run is being renamed or deleted already; try again in a moment.");
  change.under_way = true;
  folder_change = std::move(change);
  changing_folder = std::async(std::launch::async, [folder = folder_change->folder, open = open_folder(),
                                                    waits = folder_behind(), work, wake = options.wake] {
    ChangedFolder changed{.problem = {}, .given = folder, .real = {}};
    try {
      std::error_code failed;
      changed.real = fs::weakly_canonical(folder, failed).string();
      const auto is = [&](const std::string& one) {
        return !one.empty() && fs::equivalent(folder, one, failed);
      };
      if (is(open) || is(waits))
        throw Error(fs::path(folder).filename().string(), "it is open; open another model first");
      work();
    } catch (const std::exception& error) {
      changed.problem = failure_words(error);
    }
    if (wake) wake();
    return changed;
  });
}

bool Session::State::take_run_folder_change() {
  if (!changing_folder.valid() ||
      changing_folder.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return false;
  finish_run_folder_change();
  return true;
}

void Session::State::finish_run_folder_change() {
  if (!changing_folder.valid()) return;
  const ChangedFolder changed = changing_folder.get();
  folder_change->under_way = false;
  folder_change->problem = changed.problem;
  if (!changed.problem.empty()) return;
  for (const std::string& from : {changed.given, changed.real}) {
    if (!from.empty()) follow_run_folder(from, folder_change->to);
  }
}

void Session::State::follow_run_folder(const std::string& from, const std::string& to) {
  const std::string unfinished = settings.unfinished_run;
  follow_folder(settings, from, to);
  if (begin.folder == from) begin.folder = to;
  if (behind && behind->run.begin.folder == from) behind->run.begin.folder = to;
  if (model && model->folder == from && !to.empty()) model->folder = to;
  if (comparison) {
    if (auto* other = std::get_if<OtherModel>(&comparison->other); other && other->folder == from)
      other->folder = to;
  }

  // The offer to go on names the run, and the one beside it.
  const bool offered = std::ranges::any_of(notices, [&](const Notice& notice) {
    return notice.place == Place::training && folder_in(notice) == unfinished;
  });
  if (offered && !unfinished.empty()) {
    clear(Place::training);
    offer_unfinished_run();
  }
  if (to.empty()) std::erase_if(notices, [&](const Notice& notice) { return folder_in(notice) == from; });
  for (Notice& notice : notices) {
    if (folder_in(notice) != from) continue;
    if (notice.command->is<OpenModel>())
      notice.command = OpenModel{to};
    else
      notice.command = ContinueRun{to};
  }
}

}  // namespace glassformer
