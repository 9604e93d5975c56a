// Model folders that people name: what stands there already, and writing one whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>

namespace glassformer {

enum class FolderContent {
  free,    // nothing, or an empty folder
  model,   // a model that this program wrote, and nothing else: it may be replaced when the person says so
  others,  // something of somebody's
};
FolderContent content_of(const std::string& folder);

// The calls by which folders change names; a test has others, as of a file system that lacks one.
struct FolderNames {
  using Call = std::function<std::error_code(const std::filesystem::path&, const std::filesystem::path&)>;
  FolderNames();  // the system's
  Call exchange, rename;
};

// Has `write` fill a folder beside it and then puts that one in its place, so that a kill leaves the old
// model or the new, and nothing of the old one stays in the new. Throws Error when other things than a model
// stand there, when a run is being saved there, or when it cannot be written: the old model stands as it did
// then, or the error says where.
void write_model_folder(const std::string& folder, const std::function<void(const std::string& to)>& write,
                        const FolderNames& names = {});

}  // namespace glassformer
