#include "engine/export/export_folder.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "engine/files/read_file.h"
#include "engine/files/replaced_folder.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

void refuse_others(const std::string& folder) {
  std::error_code failed;
  const fs::file_status status = fs::symlink_status(folder, failed);
  if (!fs::exists(status)) return;
  if (!fs::is_directory(status)) throw Error(folder, "it is no folder; choose a new one");
  if (fs::equivalent(folder, fs::current_path(), failed))
    throw Error(folder, "it is the folder that the command runs in; name one inside it");
  if (fs::is_empty(folder)) return;
  const std::vector<std::string> names = recorded_names(folder);
  const bool exported = std::ranges::any_of(names, [](const std::string& name) {
    return name == kExportedWeights || name == kExportedEncoder || name == kTrainingScript;
  });
  if (!exported || !holds_only_own(folder))
    throw Error(folder, "it holds other things than an export; choose a new folder");
  OwnedFolder(folder, {}, OwnedFolder::Use::beside).check_unchanged(names);
}

}  // namespace

void write_exported_weights(OwnedFolder& to, std::vector<TensorToWrite> tensors) {
  to.claim({kExportedWeights});
  const std::string file = to.file(kExportedWeights);
  write_safetensors(file, std::move(tensors), {{"format", "pt"}});  // without which transformers reads none
  to.write_unless_changed(kExportedWeights, read_file(file));
}

void write_export(const std::string& folder, const std::function<void(OwnedFolder&)>& fill) {
  replace_folder(folder, {.check = refuse_others, .fill = [&](const std::string& to) {
                            OwnedFolder owned(to);
                            fill(owned);
                            return true;
                          }});
}

}  // namespace glassformer
