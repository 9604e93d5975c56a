// Memory of many megabytes in large pages, where the system has them for those who ask: it is there with
// fewer steps, and read with fewer look-ups of where it lies.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace glassformer {

// Before the numbers are first written. A wish: what the system answers changes no number.
inline void ask_for_large_pages(void* numbers, std::size_t bytes) {
  constexpr std::uintptr_t kPage = 4096;
  constexpr std::size_t kWorthIt = std::size_t{128} << 10U;  // smaller blocks share their pages with others
  if (bytes < kWorthIt) return;
  const auto first = (reinterpret_cast<std::uintptr_t>(numbers) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<std::uintptr_t>(numbers) + bytes) / kPage * kPage;
  madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

}  // namespace glassformer
