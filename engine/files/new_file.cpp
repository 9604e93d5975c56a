#include "engine/files/new_file.h"

#include <filesystem>

#include "engine/files/atomic_file.h"
#include "engine/math/error.h"

namespace glassformer {

void write_new_file(const std::string& path, std::string_view bytes) {
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, failed)))
    throw Error(path, "there is something of this name; give another one");
  write_atomically(path, bytes);
}

}  // namespace glassformer
