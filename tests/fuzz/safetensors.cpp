#include "engine/files/safetensors.h"

#include "tests/fuzz/readers.h"

void glassformer::fuzz_safetensors(std::string_view bytes) {
  refused_or_read([&] {
    const Safetensors file = Safetensors::parse(std::string(bytes), "weights.safetensors");
    for (const auto& [name, entry] : file.entries()) {
      must_hold(file.same(name, name), "a tensor is itself");
      refused_or_read([&] { must_hold(file.floats(name).size() == entry.count(), "every number is read"); });
      refused_or_read([&] { must_hold(file.integers(name).size() == entry.count(), "every id is read"); });
      refused_or_read([&] { must_hold(file.shorts(name).size() == entry.count(), "every unit is read"); });
    }
  });
}
