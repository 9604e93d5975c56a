#include "engine/files/replaced_folder.h"

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

namespace glassformer {

namespace fs = std::filesystem;

namespace {

// A new folder of ours beside the one that is wanted, under a name that nobody can have taken. What is left
// of it in the end, the new one or the old one, goes.
struct Beside {
  Beside(const fs::path& place, const ReplaceFolder& replacing) : how(replacing) {
    std::string name = place.string() + ".writing-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(place.parent_path().string(),
                  "a folder cannot be made there (" + std::generic_category().message(errno) + ")");
    ::chmod(name.c_str(), 0755);
    path = name;
  }
  ~Beside() {
    try {
      delete_own(path.string(), how.known ? how.known(path.string()) : std::vector<std::string>());
    } catch (const std::exception&) {
      // It stays, whole or in part: nothing of it is missed.
    }
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  const ReplaceFolder& how;
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

// Nothing else is there, not even what a killed program left.
fs::path free_beside(const fs::path& place) {
  const std::string stem = place.string() + ".replaced-" + std::to_string(::gettid());
  fs::path path = stem;
  std::error_code failed;
  for (int number = 2; fs::exists(fs::symlink_status(path, failed)); ++number)
    path = stem + "-" + std::to_string(number);
  return path;
}

// The old folder steps aside, and back when the new one cannot take its place. An errno; 0: done.
int replace_by_steps(const Beside& fresh, const fs::path& place) {
  const fs::path aside = free_beside(place);
  int failed = renamed(place, aside);
  if (failed != 0) return failed;
  failed = renamed(fresh.path, place);
  if (failed != 0 && renamed(aside, place) != 0)
    throw Error(place.string(), "the folder cannot be put there (" + std::generic_category().message(failed) +
                                    "), and the one that stood there now stands in " + aside.string());
  if (failed != 0) return failed;
  delete_own(aside.string(), fresh.how.known ? fresh.how.known(aside.string()) : std::vector<std::string>());
  return 0;
}

}  // namespace

void replace_folder(const std::string& folder, const ReplaceFolder& how) {
  const fs::path wanted = fs::path(folder).lexically_normal();
  const fs::path place = wanted.has_filename() ? wanted : wanted.parent_path();
  how.check(place.string());
  const std::string above = place.has_parent_path() ? place.parent_path().string() : ".";
  create_folder(above);
  const Beside fresh(place, how);
  if (!how.fill(fresh.path.string())) return;

  // Change places; what was there is now beside and goes with it.
  how.check(place.string());
  int failed = 0;
  if (!fs::exists(place)) {
    failed = renamed(fresh.path, place);
  } else {
    const FolderLock nobody_else(place.string());
    failed = disk::exchange(fresh.path.string(), place.string()) == 0 ? 0 : errno;
    if (cannot_exchange(failed)) failed = replace_by_steps(fresh, place);
  }
  if (failed != 0)
    throw Error(folder, "the folder cannot be put there (" + std::generic_category().message(failed) + ")");
  if (!disk::sync_folder(above))
    throw Error(folder, "it is written, but a power cut may undo that (" +
                            std::generic_category().message(errno) + "); save it once more");
}

}  // namespace glassformer
