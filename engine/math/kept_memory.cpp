#include "engine/math/kept_memory.h"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace glassformer {

void keep_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * kMegabyte);  // the most that it takes
  mallopt(M_TRIM_THRESHOLD, 256 * kMegabyte);
#endif
}

}  // namespace glassformer
