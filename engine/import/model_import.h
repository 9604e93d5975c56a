// Another program's model becomes one of ours: what was found, what was made of it, and the folder.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "engine/import/import_plan.h"
#include "engine/model/snapshot.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct ImportedModel {
  Snapshot snapshot;
  Tokenizers tokenizers;  // none where the files have none that is read: ids go in and out
  // What import.json holds: kind, source, files, parameters, mapped, ignored, assumed, changed, suggested.
  nlohmann::json report;
};

// A file or a folder, recognised by content. Nothing in it is run, and nothing is written. Throws Error in
// one sentence: what it is and why it is not read, or which tensor is missing, left over, of another shape
// or not finite.
ImportedModel import_model(const std::string& source, const ImportOptions& options);

// Whether a folder of ours was written so: how its model was trained is not known.
bool was_imported(const std::string& folder);

// Writes the model and import.json into a folder. Throws Error when files of somebody's have these names.
void save_import(const std::string& folder, const ImportedModel& model);

}  // namespace glassformer
