// The files within a zip archive, as PyTorch and NumPy pack tensors. Nothing is unpacked to disk.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace glassformer {

class ZipArchive {
 public:
  // Throws Error when it is no zip archive, is cut off, holds a name twice, an absolute one or one with "..",
  // or announces more than it can hold. What macOS adds (__MACOSX) is passed over. Names are found whatever
  // their case, as PyTorch finds them.
  explicit ZipArchive(const std::string& path);
  ~ZipArchive();

  struct Entry {
    std::string name;  // as in the archive
    std::uint64_t index = 0;
    std::size_t size = 0;  // unpacked, in bytes
  };
  const std::map<std::string, Entry, std::less<>>& entries() const { return entries_; }  // lower-case names
  const Entry* find(std::string_view name) const;  // null: it is not there

  // All of its bytes. Throws Error when the checksum is wrong or it cannot be unpacked.
  std::string read(const Entry& entry) const;
  // So many of the first, or all; no checksum is compared.
  std::string beginning(const Entry& entry, std::size_t most) const;
  const std::string& path() const { return path_; }

 private:
  struct Library;
  struct OpenEntry;
  void add(std::uint64_t index);

  std::string path_;
  std::unique_ptr<Library> library_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace glassformer
