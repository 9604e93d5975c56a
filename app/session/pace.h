// How soon a session writes what it should not lose.
#pragma once

#include <chrono>

namespace glassformer {

using Seconds = std::chrono::duration<double>;

Seconds first_save_after();      // of training: from then on a kill leaves a run to find
Seconds settings_saved_after();  // of a change in them, which others mostly follow

}  // namespace glassformer
