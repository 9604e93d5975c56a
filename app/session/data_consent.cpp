#include "app/session/data_consent.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "app/session/paths.h"
#include "app/session/settings.h"
#include "engine/files/atomic_file.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

fs::path noted_folders() {
  return runs_folder().parent_path() / "folders-written-here.txt";
}

// The folder itself, not its name: another one that is at its place later is not meant. Empty: none.
std::string identity(const std::string& folder) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return {};
  return std::to_string(status.st_dev) + " " + std::to_string(status.st_ino) + " " +
         plain_path(folder).string();
}

bool written_here(const std::string& folder) {
  if (plain_path(folder).parent_path() == runs_folder()) return true;
  const std::string wanted = identity(folder);
  if (wanted.empty()) return false;
  try {
    const std::string noted = "\n" + read_file(noted_folders().string());
    return noted.find("\n" + wanted + "\n") != std::string::npos;
  } catch (const Error&) {
    return false;  // none are noted yet
  }
}

bool lies_in(const fs::path& file, const fs::path& folder) {
  const fs::path inside = plain_path(file).lexically_relative(plain_path(folder));
  return !inside.empty() && *inside.begin() != "..";
}

}  // namespace

bool comes_with_program(const std::string& path) {
  const auto in = [&](const char* part) {
    try {
      return lies_in(resolved(path), program_file(part));
    } catch (const Error&) {
      return false;  // an incomplete copy of the program
    }
  };
  return in("assets") || in("models");
}

bool read_unasked(const DataOptions& data, const std::string& folder) {
  std::vector<std::string> files;
  for (const DataSource* source : {&data.training, &data.validation})
    for (const std::string* path : {&source->grammar, &source->corpus, &source->source, &source->target})
      if (!path->empty() && !comes_with_program(*path)) files.push_back(*path);
  for (const std::string* path : {&data.leave_out, &data.source_embedding, &data.target_embedding})
    if (!path->empty() && !comes_with_program(*path)) files.push_back(*path);
  if (files.empty() || written_here(folder)) return true;
  const std::vector<std::string> chosen = read_settings(settings_file()).recent_corpora;
  return std::ranges::all_of(
      files, [&](const std::string& path) { return std::ranges::find(chosen, path) != chosen.end(); });
}

void note_written_here(const std::string& folder) {
  const std::string line = identity(folder);
  if (line.empty() || line.find('\n') != std::string::npos || written_here(folder)) return;
  try {
    create_folder(noted_folders().parent_path().string());
    append(noted_folders().string(), line + "\n", Sync::no);
  } catch (const Error&) {
    // It is asked for later.
  }
}

}  // namespace glassformer
