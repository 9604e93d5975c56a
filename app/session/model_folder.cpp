#include "app/session/model_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/files/atomic_file.h"
#include "engine/files/disk.h"
#include "engine/files/folder_lock.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

// A new folder of ours beside the one that is wanted, under a name that nobody can have taken. What is left
// of it in the end, the new model or the old one, goes.
struct Beside {
  explicit Beside(const fs::path& place) {
    std::string name = place.string() + ".writing-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(place.parent_path().string(),
                  "a folder cannot be made there (" + std::generic_category().message(errno) + ")");
    ::chmod(name.c_str(), 0755);
    path = name;
  }
  ~Beside() {
    try {
      delete_own(path.string(), names_of_older_run(path.string()));
    } catch (const std::exception&) {
      // It stays, whole or in part: nothing of it is missed.
    }
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  fs::path path;
};

// The file system's answer where two names cannot change places.
bool cannot_exchange(int error) {
  return error == EINVAL || error == ENOSYS || error == ENOTSUP;
}

// An errno; 0: done.
int renamed(const fs::path& from, const fs::path& to) {
  return disk::rename(from.string(), to.string()) == 0 ? 0 : errno;
}

// Nothing else stands there, not even what a killed program left.
fs::path free_beside(const fs::path& place) {
  const std::string stem = place.string() + ".replaced-" + std::to_string(::gettid());
  fs::path path = stem;
  std::error_code failed;
  for (int number = 2; fs::exists(fs::symlink_status(path, failed)); ++number)
    path = stem + "-" + std::to_string(number);
  return path;
}

// The old model steps aside, and back when the new one cannot take its place. An errno; 0: done.
int replace_by_steps(const fs::path& fresh, const fs::path& place) {
  const fs::path aside = free_beside(place);
  int failed = renamed(place, aside);
  if (failed != 0) return failed;
  failed = renamed(fresh, place);
  if (failed != 0 && renamed(aside, place) != 0)
    throw Error(place.string(), "the model cannot be put there (" + std::generic_category().message(failed) +
                                    "), and the one that stood there now stands in " + aside.string());
  if (failed != 0) return failed;
  delete_own(aside.string(), names_of_older_run(aside.string()));
  return 0;
}

}  // namespace

FolderContent content_of(const std::string& folder) try {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(folder, failed))) return FolderContent::free;
  if (!fs::is_directory(fs::symlink_status(folder, failed))) return FolderContent::others;
  if (fs::is_empty(folder)) return FolderContent::free;
  const bool ours = holds_only_own(folder, names_of_older_run(folder));
  return ours && fs::exists(folder + "/config.json") ? FolderContent::model : FolderContent::others;
} catch (const std::exception&) {
  return FolderContent::others;
}

void write_model_folder(const std::string& folder, const std::function<void(const std::string&)>& write) {
  const fs::path wanted = fs::path(folder).lexically_normal();
  const fs::path place = wanted.has_filename() ? wanted : wanted.parent_path();
  const auto refuse_others = [&] {
    if (content_of(place.string()) == FolderContent::others)
      throw Error(folder, "other things than a model are kept there; choose a new name");
  };
  refuse_others();
  const std::string above = place.has_parent_path() ? place.parent_path().string() : ".";
  create_folder(above);
  const Beside fresh(place);
  write(fresh.path.string());

  // Change places; what stood there is now beside and goes with it.
  refuse_others();
  int failed = 0;
  if (!fs::exists(place)) {
    failed = renamed(fresh.path, place);
  } else {
    const FolderLock nobody_else(place.string());
    failed = disk::exchange(fresh.path.string(), place.string()) == 0 ? 0 : errno;
    if (cannot_exchange(failed)) failed = replace_by_steps(fresh.path, place);
  }
  if (failed != 0)
    throw Error(folder, "the model cannot be put there (" + std::generic_category().message(failed) + ")");
  if (!disk::sync_folder(above))
    throw Error(folder, "the model stands there, but a power cut may undo that (" +
                            std::generic_category().message(errno) + "); save it once more");
}

}  // namespace glassformer
