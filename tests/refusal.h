// What a refusal says.
#pragma once

#include <string>

#include "engine/math/error.h"

namespace glassformer::testing {

// The message of the Error that `work` throws; "no error" when it throws none.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace glassformer::testing
