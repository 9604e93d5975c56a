#include "engine/files/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "engine/math/error.h"

namespace glassformer {

namespace {

int open_folder(const std::string& folder) {
  return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, Kind kind) : handle_(open_folder(folder)) {
  if (handle_ < 0) return;
  if (::flock(handle_, (kind == Kind::writer ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(std::exchange(handle_, -1));
  if (reason == EWOULDBLOCK)
    throw Error(
        folder,
        "a run is being trained and saved there at this moment, in another window or by a command; end "
        "that one first, or choose another folder");
}

FolderLock::~FolderLock() {
  if (handle_ >= 0) ::close(handle_);
}

FolderLock::FolderLock(FolderLock&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

FolderLock& FolderLock::operator=(FolderLock&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

bool FolderLock::holds(const std::string& folder) const {
  struct stat held, there;
  if (::stat(folder.c_str(), &there) != 0 || !S_ISDIR(there.st_mode)) return false;
  if (handle_ < 0) return true;
  return ::fstat(handle_, &held) == 0 && held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

bool FolderLock::taken(const std::string& folder) {
  const int handle = open_folder(folder);
  if (handle < 0) return false;
  const bool free = ::flock(handle, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  ::close(handle);
  return !free;
}

}  // namespace glassformer
