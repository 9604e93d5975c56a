#include "app/session/model_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/files/atomic_file.h"
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
bool cannot_exchange(const std::error_code& failed) {
  const auto is = [&](int reason) { return failed == std::error_code(reason, std::generic_category()); };
  return is(EINVAL) || is(ENOSYS) || is(ENOTSUP);
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

// The old model steps aside, and back when the new one cannot take its place.
std::error_code replace_by_steps(const fs::path& fresh, const fs::path& place, const FolderNames& names) {
  const fs::path aside = free_beside(place);
  std::error_code failed = names.rename(place, aside);
  if (failed) return failed;
  failed = names.rename(fresh, place);
  if (failed && names.rename(aside, place))
    throw Error(place.string(), "the model cannot be put there (" + failed.message() +
                                    "), and the one that stood there now stands in " + aside.string());
  if (failed) return failed;
  delete_own(aside.string(), names_of_older_run(aside.string()));
  return {};
}

}  // namespace

FolderNames::FolderNames()
    : exchange([](const fs::path& one, const fs::path& other) {
        const bool done = ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0;
        return done ? std::error_code() : std::error_code(errno, std::generic_category());
      }),
      rename([](const fs::path& from, const fs::path& to) {
        std::error_code failed;
        fs::rename(from, to, failed);
        return failed;
      }) {}

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

void write_model_folder(const std::string& folder, const std::function<void(const std::string&)>& write,
                        const FolderNames& names) {
  const fs::path wanted = fs::path(folder).lexically_normal();
  const fs::path place = wanted.has_filename() ? wanted : wanted.parent_path();
  const auto refuse_others = [&] {
    if (content_of(place.string()) == FolderContent::others)
      throw Error(folder, "other things than a model are kept there; choose a new name");
  };
  refuse_others();
  if (place.has_parent_path()) create_folder(place.parent_path().string());
  const Beside fresh(place);
  write(fresh.path.string());

  // Change places; what stood there is now beside and goes with it.
  refuse_others();
  std::error_code failed;
  if (!fs::exists(place, failed)) {
    failed = names.rename(fresh.path, place);
  } else {
    const FolderLock nobody_else(place.string());
    failed = names.exchange(fresh.path, place);
    if (cannot_exchange(failed)) failed = replace_by_steps(fresh.path, place, names);
  }
  if (failed) throw Error(folder, "the model cannot be put there (" + failed.message() + ")");
}

}  // namespace glassformer
