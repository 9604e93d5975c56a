// Reading files that a person gives us: never waiting for one that never answers, never more than is allowed.
#pragma once

#include <cstddef>
#include <string>

namespace glassformer {

constexpr long kMostFileBytes = 1L << 30;

// A file that is open for reading. Only regular files are, since a pipe may never answer and a device may
// never end. One is text that comes in through a pipe of this process (/dev/stdin, /dev/fd/63), where the
// reader can take it.
class InputFile {
 public:
  enum class Pipes { refused, read };

  // Throws Error when it is missing, a folder, a device, a socket, or a pipe that is not to be read.
  explicit InputFile(const std::string& path, Pipes pipes = Pipes::refused);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // The next bytes, `size` of them unless the file ends before. Throws Error when the disk fails, and while a
  // pipe is silent when a blocked SIGINT, SIGTERM or SIGHUP is pending.
  std::size_t read(char* to, std::size_t size);
  // Likewise from byte `begin` of a regular file on, which leaves the next bytes where they are.
  std::size_t read_at(std::size_t begin, char* to, std::size_t size) const;
  // All that is left. Throws Error when that makes more than `max_bytes`, before it is read where the size is
  // known.
  void append_rest(std::string& bytes, long max_bytes);

  std::size_t size() const { return size_; }  // in bytes; 0 for a pipe
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  int handle_ = -1;
  std::size_t size_ = 0;
  bool pipe_ = false;

  void wait_for_bytes() const;
};

// The whole of a regular file as bytes. Throws Error when it cannot be read or is longer than `max_bytes`.
std::string read_file(const std::string& path, long max_bytes = kMostFileBytes);
// Throws Error when so many bytes of the file are more than `max_bytes`.
void check_size(const std::string& path, std::size_t bytes, long max_bytes);

}  // namespace glassformer
