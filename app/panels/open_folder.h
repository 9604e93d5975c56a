// Shows a folder in the desktop's file manager.
#pragma once

#include <string>

namespace glassformer {

// Asks xdg-open of the desktop for it and returns at once. Why it cannot, a sentence; empty: it was asked.
std::string open_folder(const std::string& folder);

}  // namespace glassformer
