// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace glassformer {

// Writes beside the file under another name; commit() syncs and renames, so that a kill at any moment leaves
// the old content or the new. Without commit() nothing remains. Throws Error when the folder cannot be
// written or the disk is full.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* action);

  std::string path_;
  std::string temporary_;
  int handle_ = -1;
};

void write_atomically(const std::string& path, std::string_view bytes);

// The whole file as bytes. Throws Error when it is missing, a folder, longer than `max_bytes`, or cannot be
// read.
std::string read_file(const std::string& path, long max_bytes = std::numeric_limits<long>::max());
// Throws Error when so many bytes of the file are more than `max_bytes`.
void check_size(const std::string& path, std::size_t bytes, long max_bytes);

// Creates the folder and those above it. Throws Error.
void create_folder(const std::string& path);

}  // namespace glassformer
