// Which files of a folder are a model's, opened.
#pragma once

#include <string>

#include "engine/import/import_plan.h"

namespace glassformer {

// Whether the file begins as weights of another program do, or the folder has such a file and is no model of
// ours. Reads no more than a beginning, and throws nothing.
bool may_hold_foreign_model(const std::string& path);

// A file, or a folder with one; config.json beside it is read too. Throws Error where there is none, or
// several.
ForeignModel open_foreign_model(const std::string& source);

}  // namespace glassformer
