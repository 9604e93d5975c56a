#include "engine/files/disk.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace glassformer::disk {
namespace {

thread_local Watcher* watching = nullptr;

// One call, as the watcher wants it.
template <class Work>
auto watched(Call call, const std::string& path, int handle, const Work& work) -> decltype(work()) {
  if (watching == nullptr) return work();
  if (const int error = watching->before(call, path, handle)) {
    errno = error;
    return -1;
  }
  const auto result = work();
  if (result >= 0) watching->after(call, path, call == Call::open ? static_cast<int>(result) : handle);
  return result;
}

template <class Work>
auto retried(Call call, const std::string& path, int handle, const Work& work) -> decltype(work()) {
  auto result = watched(call, path, handle, work);
  while (result < 0 && errno == EINTR) result = watched(call, path, handle, work);
  return result;
}

}  // namespace

int open(const std::string& path, int flags, mode_t mode) {
  return retried(Call::open, path, -1, [&] { return ::open(path.c_str(), flags, mode); });
}

ssize_t write(int handle, std::string_view bytes) {
  return retried(Call::write, "", handle, [&] {
    const std::size_t size = watching == nullptr ? bytes.size() : watching->taken(bytes.size());
    return ::write(handle, bytes.data(), size);
  });
}

int set_mode(int handle, mode_t mode) {
  return retried(Call::set_mode, "", handle, [&] { return ::fchmod(handle, mode); });
}

int sync(int handle) {
  return retried(Call::sync, "", handle, [&] { return ::fsync(handle); });
}

int close(int handle) {
  const int closed = ::close(handle);  // whatever becomes of it
  return watched(Call::close, "", -1, [&] { return closed; });
}

int link(int handle, const std::string& name) {
  const std::string open_file = "/proc/self/fd/" + std::to_string(handle);
  return retried(Call::link, name, handle, [&] {
    return ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW);
  });
}

int rename(const std::string& from, const std::string& to) {
  return retried(Call::rename, to, -1, [&] { return ::rename(from.c_str(), to.c_str()); });
}

int exchange(const std::string& one, const std::string& other) {
  return retried(Call::exchange, other, -1, [&] {
    return ::renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE);
  });
}

int unlink_at(int folder, const std::string& name) {
  return retried(Call::unlink, name, folder, [&] { return ::unlinkat(folder, name.c_str(), 0); });
}

int unlink(const std::string& path) {
  return unlink_at(AT_FDCWD, path);
}

int make_folder(const std::string& path) {
  return retried(Call::make_folder, path, -1, [&] { return ::mkdir(path.c_str(), 0777); });
}

int remove_folder(const std::string& path) {
  return retried(Call::remove_folder, path, -1, [&] { return ::rmdir(path.c_str()); });
}

bool write_all(int handle, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(handle, bytes);
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool sync_folder(const std::string& path) {
  const int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return false;
  const bool synced = sync(handle) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int error = errno;
  ::close(handle);
  errno = error;
  return synced;
}

Watching::Watching(Watcher& watcher) {
  watching = &watcher;
}

Watching::~Watching() {
  watching = nullptr;
}

}  // namespace glassformer::disk
