// A folder in which this program keeps its files, beside whatever else people keep there.
//
// Only files that this program wrote there are ever replaced or deleted. Their names are in a list in the
// folder, ".glassformer", and are added before the files are made: a kill at any moment leaves no file of
// ours unnamed. A name is bare ("config.json") or one level down ("history/120.safetensors"); links are never
// followed. Of files that people may edit the list also keeps a hash of what was written: once changed,
// they are theirs.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/folder_lock.h"

namespace glassformer {

class OwnedFolder {
 public:
  enum class Use {
    alone,   // locked: nobody else writes there
    beside,  // a file more in a folder that may be in use, which is there already
  };

  OwnedFolder() = default;  // none
  // Makes the folder when it is not there and locks it for writing. `known`: what older programs wrote there,
  // when the folder has no list yet. Throws Error when somebody else writes there, or the list is not one.
  explicit OwnedFolder(const std::string& path, const std::vector<std::string>& known = {},
                       Use use = Use::alone);
  // A folder that was made and stayed empty goes again.
  ~OwnedFolder();
  OwnedFolder(OwnedFolder&&) noexcept = default;
  OwnedFolder& operator=(OwnedFolder&&) noexcept;

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const;  // its path
  // It is not the folder any more that was opened: it was deleted, or another one is in its place.
  bool gone() const;

  bool owns(std::string_view name) const { return names_.contains(name); }
  const std::set<std::string, std::less<>>& names() const { return names_; }
  // Throws Error when one of them is somebody's file, link or folder.
  void check(const std::vector<std::string>& names) const;
  // Checks these names: they are this program's from now on.
  void claim(const std::vector<std::string>& names);
  // Claims the name and writes it whole or not at all.
  void write(const std::string& name, std::string_view bytes);
  // As write(), for a file that people may edit: Error when somebody changed it since it was written.
  void write_unless_changed(const std::string& name, std::string_view bytes);
  // Throws Error, before anything is written, where one of them could not be written so.
  void check_unchanged(const std::vector<std::string>& names) const;
  bool as_written(const std::string& name) const;  // or not there
  // From one name to another, of this program both. Throws Error.
  void rename(const std::string& from, const std::string& to);
  // Nothing happens to what is not this program's.
  void remove(const std::vector<std::string>& names);

 private:
  void record(const std::vector<std::string>& names);
  void add_lines(std::string lines);
  bool exists(const std::string& name) const;

  std::string path_;
  Use use_ = Use::alone;
  FolderLock lock_;
  bool made_ = false;
  std::set<std::string, std::less<>> names_;
  std::map<std::string, std::vector<std::string>, std::less<>> hashes_;  // of what was written, newest last
};

bool has_list(const std::string& folder);
// The names in the folder's list; none when it has no list. Throws Error when the list is not one.
std::vector<std::string> recorded_names(const std::string& folder);
// Whether all that lies in the folder is in its list, or among `known` when it has none.
bool holds_only_own(const std::string& folder, const std::vector<std::string>& known = {});
// Whether all that the list names has a hash there and is unchanged, or gone.
bool all_as_written(const std::string& folder);
// Deletes what the folder's list names (without a list: `known`), and the folder when nothing else lies
// there. Throws Error when something of ours cannot be deleted; false: other things were kept.
bool delete_own(const std::string& folder, const std::vector<std::string>& known = {});

}  // namespace glassformer
