// One writer for a folder: two runs that save into the same folder would leave a state of neither.
#pragma once

#include <string>

namespace glassformer {

// Held while the object lives; the system releases it when the program dies, whatever it dies of. Nothing
// is written into the folder. Where a folder cannot be locked (it is missing, or its file system has no
// locks) nothing is held and nobody is kept out.
class FolderLock {
 public:
  enum class Kind {
    writer,  // alone
    reader,  // with other readers
  };

  FolderLock() = default;  // holds nothing
  // Throws Error when somebody else holds the folder: another window, a command, another run of this window.
  explicit FolderLock(const std::string& folder, Kind kind = Kind::writer);
  ~FolderLock();
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&& other) noexcept;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  // Whether the folder that is held is at this path still. Where nothing is held: whether one is
  // there.
  bool holds(const std::string& folder) const;
  // True while a writer holds the folder.
  static bool taken(const std::string& folder);

 private:
  int handle_ = -1;
};

}  // namespace glassformer
