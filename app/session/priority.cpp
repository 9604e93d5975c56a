#include "app/session/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace glassformer {

void give_way(Patience patience) {
  // On Linux both belong to the thread.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), static_cast<int>(patience));
  // A core that only trains counts as free for a thread that wakes.
  const sched_param none{};
  if (patience == Patience::training) sched_setscheduler(0, SCHED_IDLE, &none);
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace glassformer
