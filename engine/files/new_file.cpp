#include "engine/files/new_file.h"

#include <filesystem>

#include "engine/files/atomic_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

OwnedFolder folder_beside(const std::filesystem::path& path) {
  const std::string folder = path.parent_path().string();
  return OwnedFolder(folder.empty() ? "." : folder, {}, OwnedFolder::Use::beside);
}

std::string bare_name(const std::filesystem::path& path) {
  return path.filename().string();
}

}  // namespace

void write_new_file(const std::string& path, std::string_view bytes) {
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, failed)))
    throw Error(path, "there is something of this name; give another one");
  write_atomically(path, bytes);
}

void check_named_after(const std::string& path) {
  folder_beside(path).check_unchanged({bare_name(path)});
}

void write_named_after(const std::string& path, std::string_view bytes) {
  folder_beside(path).write_unless_changed(bare_name(path), bytes);
}

}  // namespace glassformer
