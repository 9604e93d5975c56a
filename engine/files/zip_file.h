// The one text in a zip archive.
#pragma once

#include <string>
#include <string_view>

namespace glassformer {

bool is_zip(std::string_view bytes);

// What the archive's only file holds; folders and what macOS adds do not count. Throws Error when there are
// several, when it is an office document, locked, damaged, holds more than `max_bytes`, or unpacks to a
// thousand times its size.
std::string unzipped(std::string_view bytes, const std::string& where, long max_bytes);

}  // namespace glassformer
