#include "app/session/model_folder.h"

#include <filesystem>
#include <system_error>

#include "engine/files/owned_folder.h"
#include "engine/files/replaced_folder.h"
#include "engine/math/error.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace fs = std::filesystem;

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
  const auto refuse_others = [&](const std::string& place) {
    if (content_of(place) == FolderContent::others)
      throw Error(folder, "other things than a model are kept there; choose a new name");
  };
  const auto fill = [&](const std::string& to) {
    write(to);
    return true;
  };
  replace_folder(folder, {.check = refuse_others, .fill = fill, .known = names_of_older_run});
}

}  // namespace glassformer
