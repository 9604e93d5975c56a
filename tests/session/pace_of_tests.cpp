// In tests nobody looks at a screen: no thread gives way, for what is waited for is what such threads compute
// (beside a build they would get next to nothing of a core), and what is saved soon is saved at once.
#include "app/session/pace.h"
#include "app/session/priority.h"

namespace glassformer {

void give_way(Patience) {}

Seconds first_save_after() {
  return std::chrono::milliseconds(200);
}

Seconds settings_saved_after() {
  return std::chrono::milliseconds(100);
}

}  // namespace glassformer
