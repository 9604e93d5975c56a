// How much packed text may unpack to.
#pragma once

#include <cstddef>
#include <string>

#include "engine/math/error.h"

namespace glassformer {

// No text repeats itself so often. Throws Error when `unpacked` bytes came of `packed` ones.
inline void refuse_bomb(const std::string& where, std::size_t unpacked, std::size_t packed) {
  constexpr std::size_t kFrom = 1 << 20, kMostTimes = 1000;
  if (unpacked <= kFrom || unpacked / kMostTimes <= packed) return;
  throw Error(where, "it unpacks to more than " + std::to_string(kMostTimes) +
                         " times its size, as no text does; unpack it yourself if you trust it");
}

}  // namespace glassformer
