#include "engine/files/owned_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "engine/files/atomic_file.h"
#include "engine/files/disk.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "engine/math/text_hash.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kList = ".glassformer";
constexpr std::string_view kListHead = "files that Glassformer wrote here\n";
constexpr long kLongestList = 64L << 20;
constexpr std::size_t kListToShorten = 1 << 16;  // bytes, beside four times what the names take
// Behind the last one: sixteen digits of what was written, a blank and the name.
constexpr std::string_view kAdded = "+ ", kRemoved = "- ", kWritten = "= ";
constexpr std::size_t kHashDigits = 16, kHashesKept = 2;

// Of this folder or one below it, whatever a list from elsewhere says.
bool may_be_owned(std::string_view name) {
  const auto plain = [](std::string_view part) {
    return !part.empty() && part != "." && part != ".." && part.find('/') == part.npos;
  };
  const std::size_t slash = name.find('/');
  if (name.find('\n') != name.npos || name == kList) return false;
  return slash == name.npos ? plain(name) : plain(name.substr(0, slash)) && plain(name.substr(slash + 1));
}

fs::file_type kind_of_file(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type();
}

// What a kill can leave of a file that was to take the place of another: the old one's name, and a name for
// the moment (AtomicFile). Empty: it is none.
std::string_view replaced_by(std::string_view name) {
  const std::size_t cut = name.rfind(kTemporaryMark);
  const std::string_view digits = cut == name.npos ? "" : name.substr(cut + kTemporaryMark.size());
  const bool ours =
      digits.size() == kTemporaryDigits && digits.find_first_not_of("0123456789abcdef") == digits.npos;
  return ours ? name.substr(0, cut) : std::string_view();
}

std::string line_of(std::string_view sign, std::string_view name) {
  return std::string(sign).append(name).append("\n");
}

std::string hash_line(const std::string& hash, std::string_view name) {
  return line_of(kWritten, hash + " " + std::string(name));
}

using Names = std::set<std::string, std::less<>>;
using Hashes = std::map<std::string, std::vector<std::string>, std::less<>>;

std::string whole_list(const Names& names, const Hashes& hashes) {
  std::string text(kListHead);
  for (const std::string& name : names) text += line_of(kAdded, name);
  for (const auto& [name, all] : hashes)
    for (const std::string& hash : all) text += hash_line(hash, name);
  return text;
}

// The stored list; empty: there is none. Throws Error when it is somebody's file.
std::string list_text(const std::string& folder) {
  const std::string list = folder + "/" + kList;
  if (kind_of_file(list) == fs::file_type::not_found) return {};
  if (kind_of_file(list) != fs::file_type::regular)
    throw Error(list,
                "expected the list of files written there, found something else; choose another folder");
  std::string text = read_file(list, kLongestList);
  if (!text.starts_with(kListHead))
    throw Error(list, "it is not the list of files that this program keeps; choose another folder");
  return text;
}

void keep_hash(std::vector<std::string>& known, const std::string& hash) {
  std::erase(known, hash);
  known.push_back(hash);
  if (known.size() > kHashesKept) known.erase(known.begin());
}

Names names_in(std::string_view text, Hashes* hashes = nullptr) {
  Names names;
  // A last line without an end was cut short by a kill: then its file was not made.
  for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1)) {
    const std::string_view line = text.substr(0, end);
    if (line.size() <= kAdded.size()) continue;
    std::string name(line.substr(kAdded.size()));
    if (line.starts_with(kRemoved)) {
      names.erase(name);
      if (hashes != nullptr) hashes->erase(name);
    }
    if (line.starts_with(kAdded) && may_be_owned(name)) names.insert(name);
    if (!line.starts_with(kWritten) || hashes == nullptr || name.size() <= kHashDigits + 1) continue;
    const std::string hash = name.substr(0, kHashDigits);
    name.erase(0, kHashDigits + 1);
    if (names.contains(name)) keep_hash((*hashes)[name], hash);
  }
  return names;
}

// The folder that holds the name, opened without following a link; -1: it is not there or is none.
int open_holder(const std::string& folder, std::string_view name) {
  const std::size_t slash = name.find('/');
  const int top = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (top < 0 || slash == name.npos) return top;
  const std::string below(name.substr(0, slash));
  const int handle = ::openat(top, below.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  ::close(top);
  return handle;
}

// Only a regular file goes. False: it could not.
bool remove_file(const std::string& folder, std::string_view name) {
  const int holder = open_holder(folder, name);
  if (holder < 0) return true;
  const std::string last(name.substr(name.find('/') == name.npos ? 0 : name.find('/') + 1));
  struct stat info;
  const bool there =
      ::fstatat(holder, last.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
  const bool gone = !there || disk::unlink_at(holder, last) == 0 || errno == ENOENT;
  ::close(holder);
  return gone;
}

// The names of the folder and of those one level down.
std::vector<std::string> names_there(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const std::string name = entry->path().filename().string();
    if (kind_of_file(entry->path()) != fs::file_type::directory) {
      names.push_back(name);
      continue;
    }
    for (fs::directory_iterator below(entry->path(), failed); !failed && below != end;
         below.increment(failed))
      names.push_back(name + "/" + below->path().filename().string());
  }
  if (failed) throw Error(folder, "the folder cannot be read (" + failed.message() + ")");
  return names;
}

// Looks only where own files are.
void remove_half_replaced(const std::string& folder, const Names& own) {
  std::set<std::string> places{""};
  for (const std::string& name : own) places.insert(name.substr(0, name.find('/') + 1));
  for (const std::string& place : places) {
    if (kind_of_file(folder + "/" + place + ".") != fs::file_type::directory) continue;
    std::error_code failed;
    std::vector<std::string> found;
    for (fs::directory_iterator entry(folder + "/" + place, failed), end; !failed && entry != end;
         entry.increment(failed))
      found.push_back(place + entry->path().filename().string());
    for (const std::string& name : found)
      if (const std::string_view old = replaced_by(name); old == kList || own.contains(old))
        remove_file(folder, name);
  }
}

// A regular file of one of its hashes, or gone.
bool unchanged(const std::string& folder, const std::string& name, const Hashes& hashes) {
  const fs::path path = folder + "/" + name;
  if (kind_of_file(path) == fs::file_type::not_found) return true;
  const auto known = hashes.find(name);
  if (known == hashes.end() || kind_of_file(path) != fs::file_type::regular) return false;
  const std::string now = hash_digits(text_hash(read_file(path.string())));
  return std::ranges::find(known->second, now) != known->second.end();
}

}  // namespace

bool has_list(const std::string& folder) {
  return kind_of_file(folder + "/" + kList) != fs::file_type::not_found;
}

std::vector<std::string> recorded_names(const std::string& folder) {
  const auto names = names_in(list_text(folder));
  return {names.begin(), names.end()};
}

OwnedFolder::OwnedFolder(const std::string& path, const std::vector<std::string>& known, Use use)
    : path_(path), use_(use) {
  if (use == Use::alone) {
    made_ = kind_of_file(path) == fs::file_type::not_found;
    create_folder(path);
    lock_ = FolderLock(path);
  }
  const std::string text = list_text(path);
  names_ = names_in(text, &hashes_);
  if (text.empty()) std::ranges::copy_if(known, std::inserter(names_, names_.end()), may_be_owned);
  if (use == Use::alone && !text.empty()) remove_half_replaced(path, names_);
  const std::string shortest = whole_list(names_, hashes_);
  if (use == Use::alone && text.size() > kListToShorten + 4 * shortest.size())
    write_atomically(file(kList), shortest);
}

OwnedFolder::~OwnedFolder() {
  if (!made_ || path_.empty() || gone()) return;
  disk::remove_folder(path_);  // unless something lies there
}

OwnedFolder& OwnedFolder::operator=(OwnedFolder&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(use_, other.use_);
  std::swap(lock_, other.lock_);
  std::swap(made_, other.made_);
  std::swap(names_, other.names_);
  std::swap(hashes_, other.hashes_);
  return *this;
}

std::string OwnedFolder::file(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

bool OwnedFolder::gone() const {
  return !lock_.holds(path_);
}

bool OwnedFolder::exists(const std::string& name) const {
  const std::size_t slash = name.find('/');
  if (slash != name.npos) {
    const fs::file_type holder = kind_of_file(file(name.substr(0, slash)));
    if (holder == fs::file_type::not_found) return false;
    if (holder != fs::file_type::directory) return true;  // a link, say: what it leads to is not ours
  }
  return kind_of_file(file(name)) != fs::file_type::not_found;
}

void OwnedFolder::check(const std::vector<std::string>& names) const {
  for (const std::string& name : names) {
    const std::size_t slash = name.find('/');
    const std::string holder = file(name.substr(0, slash));
    const bool through_link = slash != name.npos && kind_of_file(holder) == fs::file_type::symlink;
    if (!may_be_owned(name) || through_link || (!owns(name) && exists(name)))
      throw Error(through_link ? holder : file(name),
                  "it is not of this program's making, and is left alone; choose a new folder");
  }
}

void OwnedFolder::claim(const std::vector<std::string>& names) {
  check(names);
  std::vector<std::string> fresh;
  for (const std::string& name : names)
    if (!owns(name)) fresh.push_back(name);
  record(fresh);
}

void OwnedFolder::record(const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string lines;
  for (const std::string& name : names) lines += line_of(kAdded, name);
  add_lines(lines);
  names_.insert(names.begin(), names.end());
  made_ = false;
}

// Synced before the files are made. The list begins whole; a line that a kill cut short is ended so that it
// names nothing. Beside others, a second head does no harm, and a list in the place of theirs would.
void OwnedFolder::add_lines(std::string lines) {
  const std::string text = list_text(path_);
  if (text.empty() && use_ == Use::alone) {
    write_atomically(file(kList), whole_list(names_, hashes_) + lines);
    return;
  }
  if (text.empty()) lines.insert(0, whole_list(names_, hashes_));
  if (!text.empty() && !text.ends_with('\n')) lines.insert(0, "/\n");
  append(file(kList), lines, Sync::yes);
}

void OwnedFolder::write(const std::string& name, std::string_view bytes) {
  claim({name});
  write_atomically(file(name), bytes);
}

bool OwnedFolder::as_written(const std::string& name) const {
  return !hashes_.contains(name) || unchanged(path_, name, hashes_);
}

void OwnedFolder::check_unchanged(const std::vector<std::string>& names) const {
  check(names);
  for (const std::string& name : names)
    if (!as_written(name))
      throw Error(file(name),
                  "it was changed since this program wrote it, and is left alone; give it another name, or "
                  "choose a new folder");
}

// The hash before the file: of a kill between them, the one before is known still.
void OwnedFolder::write_unless_changed(const std::string& name, std::string_view bytes) {
  check_unchanged({name});
  claim({name});
  const std::string hash = hash_digits(text_hash(bytes));
  std::vector<std::string>& known = hashes_[name];
  if (known.empty() || known.back() != hash) add_lines(hash_line(hash, name));
  keep_hash(known, hash);
  write_atomically(file(name), bytes);
}

void OwnedFolder::rename(const std::string& from, const std::string& to) {
  claim({from, to});
  if (disk::rename(file(from), file(to)) != 0)
    throw Error(file(to), "the file cannot be put there (" + std::generic_category().message(errno) + ")");
}

void OwnedFolder::remove(const std::vector<std::string>& names) {
  std::vector<std::string> gone;
  std::set<std::string> holders;
  for (const std::string& name : names) {
    if (!owns(name) || !remove_file(path_, name)) continue;
    gone.push_back(name);
    holders.insert(file(name.substr(0, name.find('/') == name.npos ? 0 : name.find('/'))));
  }
  // What a power cut may bring back is in the list still.
  for (const std::string& holder : holders)
    if (kind_of_file(holder) == fs::file_type::directory && !disk::sync_folder(holder)) return;
  std::string lines;
  for (const std::string& name : gone) {
    lines += line_of(kRemoved, name);
    names_.erase(name);
    hashes_.erase(name);
  }
  if (!lines.empty() && has_list(path_)) append(file(kList), lines, Sync::no);
}

bool holds_only_own(const std::string& folder, const std::vector<std::string>& known) {
  const std::vector<std::string> listed = has_list(folder) ? recorded_names(folder) : known;
  Names own(listed.begin(), listed.end());
  own.insert(kList);
  return std::ranges::all_of(names_there(folder), [&](const std::string& name) {
    return (own.contains(name) || own.contains(replaced_by(name))) &&
           kind_of_file(folder + "/" + name) == fs::file_type::regular;
  });
}

bool all_as_written(const std::string& folder) {
  Hashes hashes;
  const Names names = names_in(list_text(folder), &hashes);
  return std::ranges::all_of(names, [&](const std::string& name) { return unchanged(folder, name, hashes); });
}

bool delete_own(const std::string& folder, const std::vector<std::string>& known) {
  const std::vector<std::string> listed = has_list(folder) ? recorded_names(folder) : known;
  Names own;
  std::ranges::copy_if(listed, std::inserter(own, own.end()), may_be_owned);
  remove_half_replaced(folder, own);
  const auto refuse = [&](const std::string& name) {
    throw Error(folder + "/" + name, "it cannot be deleted");
  };
  std::set<std::string> below;
  for (const std::string& name : own) {
    if (!remove_file(folder, name)) refuse(name);
    if (const std::size_t slash = name.find('/'); slash != name.npos) below.insert(name.substr(0, slash));
  }
  for (const std::string& each : below) {
    if (kind_of_file(folder + "/" + each) != fs::file_type::directory) continue;
    const bool gone = disk::remove_folder(folder + "/" + each) == 0;
    if (!gone && errno != ENOTEMPTY && errno != EEXIST) refuse(each);
  }
  // The list last: what it names is gone.
  if (!remove_file(folder, kList)) refuse(kList);
  return disk::remove_folder(folder) == 0;
}

}  // namespace glassformer
