#include "app/session/priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace glassformer {

void give_way(Patience patience) {
  // On Linux both belong to the thread.
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), static_cast<int>(patience));
  // A core that only trains counts as free for a thread that wakes.
  const sched_param none{};
  if (patience == Patience::training) sched_setscheduler(0, SCHED_IDLE, &none);
}

namespace {

constexpr std::chrono::milliseconds kLongest{200};

struct Queue {
  std::mutex mutex;
  std::condition_variable emptied;
  int waiting = 0;
};

// One of all sessions of the program: they share its cores.
Queue& queue() {
  static Queue all;
  return all;
}

}  // namespace

Waiting::Waiting() {
  const std::lock_guard lock(queue().mutex);
  ++queue().waiting;
}

Waiting::~Waiting() {
  const std::lock_guard lock(queue().mutex);
  if (--queue().waiting == 0) queue().emptied.notify_all();
}

void let_them_pass() {
  std::unique_lock lock(queue().mutex);
  queue().emptied.wait_for(lock, kLongest, [] { return queue().waiting == 0; });
}

}  // namespace glassformer
