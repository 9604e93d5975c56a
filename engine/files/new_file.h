// A file where there was none.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

// As write_atomically(), where nothing of that name may stand yet, not even a link. Throws Error.
void write_new_file(const std::string& path, std::string_view bytes);

}  // namespace glassformer
