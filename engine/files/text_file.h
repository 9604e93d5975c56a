// The bytes of a file that a person gives us, packed with gzip or not.
#pragma once

#include <string>

namespace glassformer {

// The whole file, unpacked when its first bytes say gzip (the name does not matter; several members in a row
// are one file). Throws Error when it cannot be read, is a folder, is damaged or cut short, or holds more
// than `max_bytes` after unpacking.
std::string read_unpacked(const std::string& path, long max_bytes);

}  // namespace glassformer
