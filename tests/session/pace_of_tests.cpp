// In tests nobody looks at a screen: no thread gives way, for what is waited for is what such threads compute
// (beside a build they would get next to nothing of a core), and what is saved soon is saved at once.
#include "app/session/pace.h"
#include "app/session/priority.h"
#include "tests/session/session_helpers.h"

namespace glassformer {

std::atomic<bool> others_compute = false;

void give_way(Patience) {}

double processor_seconds() {
  return others_compute
             ? 0
             : std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Seconds first_save_after() {
  return std::chrono::milliseconds(200);
}

Seconds settings_saved_after() {
  return std::chrono::milliseconds(100);
}

}  // namespace glassformer
