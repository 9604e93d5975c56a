// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glassformer {

// Writes a file without a name in the same folder; commit() syncs it and puts it in the place of the old one,
// so that a kill at any moment leaves the old content or the new, and nothing else. Mode and owner of a file
// that is replaced stay. A pipe or a terminal (/dev/null too) is written to directly and never replaced.
// Throws Error when the target is a link to a file, a folder, a disk or a socket, when the folder cannot be
// written, or when the disk is full.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  bool open_stream();
  void open_unnamed();
  void open_named();
  void put_in_place();
  [[noreturn]] void fail(const char* action);

  std::string path_, folder_;
  std::string temporary_;  // its name; empty: it has none yet, or the target itself is written to
  bool stream_ = false;    // the target itself is
  int handle_ = -1;
};

// A file that is to replace another has the other's name, this and so many hexadecimal digits for a moment.
constexpr std::string_view kTemporaryMark = ".writing-";
constexpr std::size_t kTemporaryDigits = 16;

void write_atomically(const std::string& path, std::string_view bytes);

// Adds to the end of a file of the program's own, made when it is not there. Follows no link. Throws Error.
enum class Sync { no, yes };  // yes: it survives a power cut
void append(const std::string& path, std::string_view bytes, Sync sync);

// Creates the folder and those above it, each synced into the one that holds it. Throws Error.
void create_folder(const std::string& path);

// A file where there was none, or only one of this program's own.

// As write_atomically(), where nothing of that name may exist yet, not even a link. Throws Error.
void write_new_file(const std::string& path, std::string_view bytes);

// For a file whose name nobody typed, but follows from one that somebody did (a caption beside its picture):
// it is written where there is none, or in place of one that this program wrote there, by the folder's list
// (owned_folder.h), and nobody changed since. check: throws Error where that is not so, before work is lost.
void check_named_after(const std::string& path);
void write_named_after(const std::string& path, std::string_view bytes);

}  // namespace glassformer
