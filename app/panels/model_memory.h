// Whether a model that is to be made has room on this machine.
#pragma once

#include <string>

namespace glassformer {

std::string memory_words(double bytes);  // "35 MB", "2 GB"

// Throws Error, which says both and the way out, where a model that takes so many bytes while training has no
// room.
void check_memory(double bytes, const std::string& way_out);

}  // namespace glassformer
