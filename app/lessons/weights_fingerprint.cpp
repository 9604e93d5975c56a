#include "app/lessons/weights_fingerprint.h"

#include <bit>
#include <cstdint>

#include "engine/math/text_hash.h"
#include "engine/model/transformer.h"

namespace glassformer {

std::string weights_fingerprint(const Snapshot& snapshot) {
  std::uint64_t hash = kHashOfNothing;
  snapshot.weights->visit([&](const std::string& name, Parameter<const float> tensor) {
    hash = text_hash(name, hash);
    for (const int length : tensor.shape()) hash = text_hash(" " + std::to_string(length), hash);
    for (std::size_t i = 0; i < tensor.size(); ++i)
      hash = (hash ^ std::bit_cast<std::uint32_t>(tensor.data[i])) * 0x100000001B3U;
  });
  return hash_digits(hash);
}

}  // namespace glassformer
