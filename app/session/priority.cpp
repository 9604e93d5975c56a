#include "app/session/priority.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace glassformer {

void give_way(Patience patience) {
  // On Linux niceness belongs to the thread.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), static_cast<int>(patience));
}

}  // namespace glassformer
