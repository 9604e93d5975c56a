#include "app/session/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace glassformer {

void give_way(Patience patience) {
  // On Linux both belong to the thread.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), static_cast<int>(patience));
  // A core that only trains counts as free for a thread that wakes.
  const sched_param none{};
  if (patience == Patience::training) sched_setscheduler(0, SCHED_IDLE, &none);
}

}  // namespace glassformer
