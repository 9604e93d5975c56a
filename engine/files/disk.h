// The system calls that change what is on the disk, in one place: each is made again when a signal interrupts
// it. A test puts a Watcher between them and the disk, to let one of them fail, or end the program there.
//
// All return what the call of that name does, and leave its reason in errno.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer::disk {

int open(const std::string& path, int flags, mode_t mode = 0);
ssize_t write(int handle, std::string_view bytes);  // at most so many: fewer may be taken
int set_mode(int handle, mode_t mode);
int sync(int handle);
int close(int handle);                          // cannot be made again
int link(int handle, const std::string& name);  // gives a file without a name one
int rename(const std::string& from, const std::string& to);
int exchange(const std::string& one, const std::string& other);
int unlink_at(int folder, const std::string& name);  // a file
int unlink(const std::string& path);
int make_folder(const std::string& path);
int remove_folder(const std::string& path);  // an empty one

// Everything of the bytes. False: see errno.
bool write_all(int handle, std::string_view bytes);
// So that a new name in the folder survives a power cut. False: see errno. Some file systems keep no such
// order and say so: that is no failure.
bool sync_folder(const std::string& path);

enum class Call {
  open,
  write,
  set_mode,
  sync,
  close,
  link,
  rename,
  exchange,
  unlink,
  make_folder,
  remove_folder
};

class Watcher {
 public:
  virtual ~Watcher() = default;
  // Before each call, on this path or handle (-1: a path). An errno that it is to fail with; 0: none.
  virtual int before(Call call, const std::string& path, int handle) = 0;
  // After a call that succeeded; `handle` is that of the file that was opened, written or synced.
  virtual void after(Call call, const std::string& path, int handle) = 0;
  // How many of so many bytes the disk takes at once.
  virtual std::size_t taken(std::size_t size) { return size; }
};

// Watches all calls of this thread while it lives.
class Watching {
 public:
  explicit Watching(Watcher& watcher);
  ~Watching();
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
};

}  // namespace glassformer::disk
