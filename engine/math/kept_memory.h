// What a program frees it keeps for its next use, up to some hundreds of MB: getting pages from the system
// anew takes a search of a small model longer than its arithmetic.
#pragma once

namespace glassformer {

// Once, when a program starts; nothing where the C library has no such setting.
void keep_freed_memory();

}  // namespace glassformer
