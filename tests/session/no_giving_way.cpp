// In tests no thread gives way: nobody looks at a screen meanwhile, and what is waited for is what such
// threads compute. (Beside a build they would get next to nothing of a core.)
#include "app/session/priority.h"

namespace glassformer {

void give_way(Patience) {}

}  // namespace glassformer
