#include "engine/import/pickle.h"

#include "tests/fuzz/readers.h"

void glassformer::fuzz_pickle(std::string_view bytes) {
  refused_or_read([&] {
    const Pickle pickle(bytes, "data.pkl");
    must_hold(pickle.size() <= bytes.size(), "no more is read than there is");
    for (const PickleValue& value : pickle.values()) {
      const auto* const tensor = value.as<PickledTensor>();
      if (!tensor) continue;
      must_hold(tensor->storage != nullptr && tensor->offset >= 0, "a tensor lies in a storage");
      for (const long stride : tensor->strides) must_hold(stride >= 0, "a tensor goes on");
    }
  });
}
