#include "app/session/pace.h"

namespace glassformer {

Seconds first_save_after() {
  return std::chrono::seconds(2);
}

Seconds settings_saved_after() {
  return std::chrono::seconds(1);
}

}  // namespace glassformer
