// Model folders that people name: what is there already, and writing one whole or not at all.
#pragma once

#include <functional>
#include <string>

namespace glassformer {

enum class FolderContent {
  free,    // nothing, or an empty folder
  model,   // a model that this program wrote, and nothing else: it may be replaced when the person says so
  others,  // something of somebody's
};
FolderContent content_of(const std::string& folder);

// Has `write` fill a folder beside it and then puts that one in its place, so that a kill leaves the old
// model or the new, and nothing of the old one stays in the new. Throws Error when other things than a model
// are there, when a run is being saved there, or when it cannot be written: the old model is unchanged
// then, or the error says where.
void write_model_folder(const std::string& folder, const std::function<void(const std::string& to)>& write);

}  // namespace glassformer
