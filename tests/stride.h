// Where many cases are alike, some represent all.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace glassformer::testing {

// One of so many cases is tried; without the word of the build, which has others to test as well, each.
inline int stride() {
  const char* every = std::getenv("GLASSFORMER_TRY_EVERY");
  return every ? std::max(1, std::atoi(every)) : 1;
}

}  // namespace glassformer::testing
