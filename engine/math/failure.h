// Any failure in a person's words, for the places where everything is caught: main, and a worker's entry.
#pragma once

#include <exception>
#include <string>

namespace glassformer {

// One sentence: an Error (engine/math/error.h) as it stands; of the standard library's own kinds the path and
// the reason, or that memory is short.
std::string failure_words(const std::exception& error);

}  // namespace glassformer
