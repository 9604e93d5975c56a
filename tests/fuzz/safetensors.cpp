#include "engine/files/safetensors.h"

#include "tests/fuzz/readers.h"

void glassformer::fuzz_safetensors(std::string_view bytes) {
  refused_or_read([&] {
    const Safetensors file = Safetensors::parse(std::string(bytes), "weights.safetensors");
    for (const auto& each : file.entries()) {
      const std::string& name = each.first;
      const std::size_t count = each.second.count();
      must_hold(file.same(name, name), "a tensor is itself");
      refused_or_read([&] { must_hold(file.floats(name).size() == count, "every number is read"); });
      refused_or_read([&] { must_hold(file.integers(name).size() == count, "every id is read"); });
      refused_or_read([&] { must_hold(file.shorts(name).size() == count, "every unit is read"); });
    }
  });
}
