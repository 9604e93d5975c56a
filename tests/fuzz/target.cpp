// The program of one reader: libFuzzer has the main function. FUZZED is set by CMakeLists.txt.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  glassformer::FUZZED({reinterpret_cast<const char*>(data), size});
  return 0;
}
