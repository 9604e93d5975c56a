#include "app/session/folder_work.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <utility>

#include "app/session/model_folder.h"
#include "app/session/run_record.h"
#include "app/session/run_table.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"
#include "engine/model/checkpoint.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

// True when the person has not said yet that the model there may go.
bool has_to_ask(const SaveModel& what) {
  return !what.replace && content_of(what.folder) == FolderContent::model;
}

Notice question(const SaveModel& what) {
  return {.place = Place::model,
          .error = true,
          .text = what.folder + " holds a model already. Once replaced it cannot be brought back.",
          .action = "Replace it",
          .command = SaveModel{.folder = what.folder, .replace = true}};
}

}  // namespace

Notice not_saved(const std::string& words) {
  return {.place = Place::model,
          .error = true,
          .text = words,
          .action = "Choose another place",
          .command = OpenDialog{"save model"}};
}

void FolderWork::save(const SaveModel& what, bool by_run, std::shared_ptr<const Snapshot> weights,
                      const Tokenizers& tokenizers, const std::string& record_of) {
  saving_.push_back(std::async(std::launch::async, [what, by_run, weights = std::move(weights),
                                                    texts = tokenizers, record_of, wake = wake_] {
    Saved saved;
    try {
      if (has_to_ask(what)) {
        saved.notice = question(what);
      } else if (by_run) {
        saved.by_run = {.folder = what.folder, .replace = true};
      } else {
        write_model_folder(what.folder, [&](const std::string& to) {
          save_model(to, *weights, texts);
          copy_record(record_of, weights->step, to);
        });
        saved.notice = {.place = Place::model, .text = "Saved to " + what.folder + "."};
        saved.done = what;
      }
    } catch (const std::exception& error) {
      saved.notice = not_saved(failure_words(error));
    }
    if (wake) wake();
    return saved;
  }));
}

std::vector<FolderWork::Saved> FolderWork::take_saved() {
  std::vector<Saved> all;
  std::erase_if(saving_, [&](std::future<Saved>& written) {
    if (!is_ready(written)) return false;
    all.push_back(written.get());
    return true;
  });
  return all;
}

std::optional<FolderWork::Saved> FolderWork::wait_for_saved() {
  if (saving_.empty()) return std::nullopt;
  Saved saved = saving_.back().get();
  saving_.pop_back();
  return saved;
}

bool FolderWork::rename(const RenameRun& what, std::vector<std::string> in_use) {
  const std::string to = (fs::path(what.folder).parent_path() / what.name).string();
  return begin({.folder = what.folder, .to = to}, std::move(in_use),
               [folder = what.folder, name = what.name] { rename_run(folder, name); });
}

bool FolderWork::remove(const DeleteRun& what, std::vector<std::string> in_use) {
  return begin({.folder = what.folder}, std::move(in_use), [folder = what.folder] { delete_run(folder); });
}

// A large run takes a while to go.
bool FolderWork::begin(RunFolderChange change, std::vector<std::string> in_use,
                       const std::function<void()>& work) {
  if (changing_.valid()) return false;
  change.under_way = true;
  change_ = std::move(change);
  changing_ = std::async(
      std::launch::async, [folder = change_->folder, in_use = std::move(in_use), work, wake = wake_] {
        Changed changed{.problem = {}, .given = folder, .real = {}};
        try {
          std::error_code failed;
          changed.real = fs::weakly_canonical(folder, failed).string();
          const auto is = [&](const std::string& one) {
            return !one.empty() && fs::equivalent(folder, one, failed);
          };
          if (std::ranges::any_of(in_use, is))
            throw Error(fs::path(folder).filename().string(), "it is open; open another model first");
          work();
        } catch (const std::exception& error) {
          changed.problem = failure_words(error);
        }
        if (wake) wake();
        return changed;
      });
  return true;
}

std::vector<std::string> FolderWork::take_changed(bool wait) {
  if (!changing_.valid() || (!wait && !is_ready(changing_))) return {};
  const Changed changed = changing_.get();
  change_->under_way = false;
  change_->problem = changed.problem;
  if (!changed.problem.empty()) return {};
  std::vector<std::string> names;
  for (const std::string& name : {changed.given, changed.real})
    if (!name.empty()) names.push_back(name);
  return names;
}

}  // namespace glassformer
