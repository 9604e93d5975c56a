// A file where there was none, or only one of this program's own.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// As write_atomically(), where nothing of that name may stand yet, not even a link. Throws Error.
void write_new_file(const std::string& path, std::string_view bytes);

// For a file whose name nobody typed, but follows from one that somebody did (a caption beside its picture):
// it is written where there is none, or in place of one that this program wrote there, by the folder's list
// (owned_folder.h), and nobody changed since. check: throws Error where that is not so, before work is lost.
void check_named_after(const std::string& path);
void write_named_after(const std::string& path, std::string_view bytes);

}  // namespace glassformer
