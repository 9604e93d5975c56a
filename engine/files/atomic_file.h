// Files that are there whole or not at all.
#pragma once

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

// Creates the folder and those above it. Throws Error.
void create_folder(const std::string& path);

}  // namespace glassformer
