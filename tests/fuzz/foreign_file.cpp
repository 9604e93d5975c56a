#include <unistd.h>

#include "engine/files/safetensors.h"
#include "engine/import/foreign_tensors.h"
#include "tests/fuzz/readers.h"

namespace {

// The bytes as a file of this process.
std::string as_file(std::string_view bytes) {
  static const std::string path = "/dev/shm/glassformer-fuzz-" + std::to_string(getpid());
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  glassformer::must_hold(file != nullptr, "there is room in /dev/shm");
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  return path;
}

}  // namespace

// Of PyTorch, NumPy or safetensors, by what it begins with.
void glassformer::fuzz_foreign_file(std::string_view bytes) {
  refused_or_read([&] {
    ForeignTensors found = read_foreign_file(as_file(bytes));
    take_prefixes_off(found);
    for (const auto& each : found.tensors) {
      std::size_t count = 1;
      for (const long extent : each.second.shape) count *= static_cast<std::size_t>(extent);
      if (!each.second.holds_floats() || count > 1'000'000) continue;
      refused_or_read([&] { must_hold(each.second.numbers().size() == count, "every number is read"); });
    }
  });
}
