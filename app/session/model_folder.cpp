#include "app/session/model_folder.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "engine/files/atomic_file.h"
#include "engine/files/folder_lock.h"
#include "engine/math/error.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 12> kModelFiles = {
    "config.json",  "weights.safetensors", "training.json", "tokenizer.json",
    "source.model", "source.vocab",        "target.model",  "target.vocab",
    "shared.model", "shared.vocab",        "notes.txt",     "held-out.json"};

// "history" holds STEP.safetensors of a run's steps.
bool is_history(const fs::path& folder) {
  std::error_code failed;
  if (folder.filename() != "history" || !fs::is_directory(folder, failed)) return false;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (name.find_first_not_of("0123456789") != name.find(".safetensors")) return false;
  }
  return !failed;
}

bool belongs_to_a_model(const std::string& name) {
  if (std::ranges::find(kModelFiles, std::string_view(name)) != kModelFiles.end()) return true;
  const bool state =
      (name.starts_with("last-") || name.starts_with("best-")) && name.ends_with(".safetensors");
  return state || name.find(".writing-") != std::string::npos;
}

// A folder of ours beside the one that is wanted, gone when it was not used.
struct Beside {
  fs::path path;
  ~Beside() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
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
  std::error_code ignored;
  fs::remove_all(aside, ignored);
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

FolderContent content_of(const std::string& folder) {
  std::error_code failed;
  if (!fs::exists(fs::symlink_status(folder, failed))) return FolderContent::free;
  if (!fs::is_directory(folder, failed)) return FolderContent::others;
  bool config = false, any = false;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (!belongs_to_a_model(name) && !is_history(entry->path())) return FolderContent::others;
    any = true;
    config = config || name == "config.json";
  }
  if (failed) return FolderContent::others;
  return !any ? FolderContent::free : config ? FolderContent::model : FolderContent::others;
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
  const Beside fresh{place.string() + ".writing-" + std::to_string(::gettid())};
  std::error_code none_left;
  fs::remove_all(fresh.path, none_left);  // by a program that was killed
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
