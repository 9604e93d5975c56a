// What the engine was compiled for; of a portable program, which of its engines is used.
#pragma once

#include <string>

namespace glassformer {

// "AVX-512", "AVX2", "AVX", "SSE2", or "no vector instructions of its own".
std::string vector_instructions();

}  // namespace glassformer
