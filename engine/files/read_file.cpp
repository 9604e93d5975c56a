#include "engine/files/read_file.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "engine/math/error.h"

namespace glassformer {
namespace {

bool is_own_handle(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

// What it is when it is no regular file.
std::string kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe, which may never end";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device, which may never end";
}

[[noreturn]] void refuse_kind(const std::string& path, mode_t mode) {
  throw Error(path, "expected a file, found " + kind_of(mode) +
                        (S_ISDIR(mode) ? "" : "; save what it gives in a file, and choose that"));
}

[[noreturn]] void refuse_opening(const std::string& path, int error) {
  struct stat status {};
  if (error == ENXIO && ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    refuse_kind(path, status.st_mode);
  throw Error(path, "the file cannot be opened (" + std::generic_category().message(error) +
                        "); check the path and its permissions");
}

// A signal to end waits where a program answers it in its own time.
bool asked_to_end() {
  sigset_t waiting;
  if (::sigpending(&waiting) != 0) return false;
  return sigismember(&waiting, SIGTERM) == 1 || sigismember(&waiting, SIGINT) == 1 ||
         sigismember(&waiting, SIGHUP) == 1;
}

}  // namespace

InputFile::InputFile(const std::string& path, Pipes pipes) : path_(path) {
  // Without O_NONBLOCK, opening a named pipe waits for someone to write.
  do {
    handle_ = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  } while (handle_ < 0 && errno == EINTR);
  if (handle_ < 0) refuse_opening(path, errno);

  struct stat status {};
  const bool known = ::fstat(handle_, &status) == 0;
  const bool regular = known && S_ISREG(status.st_mode);
  const bool own_pipe = known && pipes == Pipes::read && is_own_handle(path) &&
                        (S_ISFIFO(status.st_mode) || ::isatty(handle_) == 1);
  if (!regular && !own_pipe) {
    ::close(handle_);
    refuse_kind(path, known ? status.st_mode : 0);
  }
  ::fcntl(handle_, F_SETFL, O_RDONLY);  // from here on, wait for the bytes
  if (regular) size_ = static_cast<std::size_t>(status.st_size);
  pipe_ = !regular;
}

InputFile::~InputFile() {
  ::close(handle_);
}

// Whoever writes into a pipe may never do so again.
void InputFile::wait_for_bytes() const {
  constexpr int kLookEvery = 100;  // milliseconds
  pollfd waiting{handle_, POLLIN, 0};
  while (::poll(&waiting, 1, kLookEvery) <= 0)
    if (asked_to_end()) throw Error(path_, "it was not read to its end, as the program is to end");
}

namespace {

// Calls `more` for the bytes from the one given on until there are `size` or the file ends.
std::size_t read_all(const std::string& path, std::size_t size, const auto& more) {
  std::size_t all = 0;
  while (all < size) {
    const ssize_t got = more(all);
    if (got == 0) break;
    if (got > 0) {
      all += static_cast<std::size_t>(got);
    } else if (errno != EINTR) {
      throw Error(path, "the file cannot be read to its end (" + std::generic_category().message(errno) +
                            "); check the disk and try again");
    }
  }
  return all;
}

}  // namespace

std::size_t InputFile::read(char* to, std::size_t size) {
  return read_all(path_, size, [&](std::size_t at) {
    if (pipe_) wait_for_bytes();
    return ::read(handle_, to + at, size - at);
  });
}

std::size_t InputFile::read_at(std::size_t begin, char* to, std::size_t size) const {
  return read_all(path_, size, [&](std::size_t at) {
    return ::pread(handle_, to + at, size - at, static_cast<off_t>(begin + at));
  });
}

void InputFile::append_rest(std::string& bytes, long max_bytes) try {
  check_size(path_, size_, max_bytes);
  // One byte more than the file should have: a size that is right costs one look at the end.
  std::size_t more = std::max<std::size_t>(size_ - std::min(size_, bytes.size()) + 1, 1 << 16);
  while (true) {
    const std::size_t before = bytes.size();
    bytes.resize(before + more);
    const std::size_t got = read(bytes.data() + before, more);
    bytes.resize(before + got);
    check_size(path_, bytes.size(), max_bytes);
    if (got < more) return;
    more = 1 << 20;
  }
} catch (const std::bad_alloc&) {
  throw Error(path_, "this computer has not enough memory to read it (" + std::to_string(size_) +
                         " bytes); give a smaller file");
}

std::string read_file(const std::string& path, long max_bytes) {
  InputFile file(path);
  std::string bytes;
  file.append_rest(bytes, max_bytes);
  return bytes;
}

void check_size(const std::string& path, std::size_t bytes, long max_bytes) {
  if (std::cmp_less_equal(bytes, max_bytes)) return;
  throw Error(path, "the file holds more than " + std::to_string(max_bytes) +
                        " bytes, the most that is read; give a part of it");
}

}  // namespace glassformer
