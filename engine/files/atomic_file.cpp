#include "engine/files/atomic_file.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/files/disk.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

std::string reason(int error) {
  return std::generic_category().message(error);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Nobody can have put anything at this name before.
std::string unpredictable_name(const std::string& path) {
  std::array<unsigned char, kTemporaryDigits / 2> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    throw Error(path, "the system has no random numbers for the name of a temporary file");
  std::string name = path + std::string(kTemporaryMark);
  for (const unsigned char byte : random) {
    name += "0123456789abcdef"[byte >> 4U];
    name += "0123456789abcdef"[byte & 15U];
  }
  return name;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), folder_(folder_of(path)) {
  if (open_stream()) return;
  open_unnamed();
  if (handle_ < 0) open_named();
  if (handle_ < 0) fail("created");
  struct stat old;
  if (::lstat(path.c_str(), &old) != 0) return;
  // The owner can be kept by the superuser alone; the mode last, since a new owner clears part of it.
  [[maybe_unused]] const int owner = ::fchown(handle_, old.st_uid, old.st_gid);
  if (disk::set_mode(handle_, old.st_mode & 07777U) != 0) fail("written");
}

// What is no file is written to, never replaced.
bool AtomicFile::open_stream() {
  struct stat name, target;
  if (::lstat(path_.c_str(), &name) != 0) return false;
  const bool link = S_ISLNK(name.st_mode);
  if (link && ::stat(path_.c_str(), &target) != 0)
    throw Error(path_, "it is a link that leads nowhere; give a file");
  if (!link) target = name;
  if (S_ISDIR(target.st_mode)) throw Error(path_, "expected a file, found a folder");
  if (S_ISREG(target.st_mode)) {
    if (link)
      throw Error(path_, "it is a link, and the file it leads to is left alone; give that file itself");
    return false;
  }
  if (!S_ISFIFO(target.st_mode) && !S_ISCHR(target.st_mode))
    throw Error(path_, "expected a file, found a disk or a socket");
  stream_ = true;
  handle_ = disk::open(path_, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (handle_ < 0) fail("opened");
  return true;
}

void AtomicFile::open_unnamed() {
  if (::access("/proc/self/fd", X_OK) != 0) return;  // by which it gets its name
  handle_ = disk::open(folder_, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
}

// On file systems that know no file without a name.
void AtomicFile::open_named() {
  temporary_ = unpredictable_name(path_);
  handle_ = disk::open(temporary_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

AtomicFile::~AtomicFile() {
  if (handle_ < 0) return;
  disk::close(handle_);
  if (!temporary_.empty()) disk::unlink(temporary_);
}

void AtomicFile::write(std::string_view bytes) {
  if (!disk::write_all(handle_, bytes)) fail("written");
}

void AtomicFile::commit() {
  if (stream_) {
    if (disk::close(std::exchange(handle_, -1)) != 0) fail("written");
    return;
  }
  if (disk::sync(handle_) != 0) fail("written");
  put_in_place();
  if (!disk::sync_folder(folder_)) fail("written");
}

// It gets a name only now, and the target's at once where there is none yet.
void AtomicFile::put_in_place() {
  bool placed = false;
  if (temporary_.empty()) {
    placed = disk::link(handle_, path_) == 0;
    if (!placed && errno != EEXIST) fail("written");
    if (!placed) {
      temporary_ = unpredictable_name(path_);
      if (disk::link(handle_, temporary_) != 0) fail("written");
    }
  }
  const bool closed = disk::close(std::exchange(handle_, -1)) == 0;
  if (closed && (placed || disk::rename(temporary_, path_) == 0)) return;
  const int error = errno;
  if (!temporary_.empty()) disk::unlink(temporary_);
  errno = error;
  fail("written");
}

void AtomicFile::fail(const char* action) {
  const int error = errno;
  if (handle_ >= 0) {
    disk::close(std::exchange(handle_, -1));
    if (!temporary_.empty()) disk::unlink(temporary_);
  }
  throw Error(path_, std::string("the file cannot be ") + action + " (" + reason(error) + ")");
}

void append(const std::string& path, std::string_view bytes, Sync sync) {
  const auto failed = [&] { return Error(path, "the file cannot be written (" + reason(errno) + ")"); };
  const int handle =
      disk::open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
  if (handle < 0) throw failed();
  bool written = disk::write_all(handle, bytes);
  if (sync == Sync::yes) written = written && disk::sync(handle) == 0;
  const int error = errno;
  disk::close(handle);
  errno = error;
  if (!written || (sync == Sync::yes && !disk::sync_folder(folder_of(path)))) throw failed();
}

void write_atomically(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void create_folder(const std::string& path) {
  std::vector<std::string> missing;
  std::error_code error;
  for (std::filesystem::path each = path; !each.empty() && !std::filesystem::exists(each, error);
       each = each.parent_path()) {
    if (each.has_filename()) missing.push_back(each.string());
    if (each == each.parent_path()) break;
  }
  for (auto each = missing.rbegin(); each != missing.rend(); ++each)
    if (disk::make_folder(*each) != 0 && errno != EEXIST)
      throw Error(path, "the folder cannot be created (" + reason(errno) + ")");
  if (!std::filesystem::is_directory(path, error))
    throw Error(path, "the folder cannot be created (" + reason(ENOTDIR) + ")");
  for (const std::string& each : missing)
    if (!disk::sync_folder(folder_of(each)))
      throw Error(each, "the folder cannot be kept on the disk (" + reason(errno) + ")");
}

namespace {

OwnedFolder folder_beside(const std::filesystem::path& path) {
  const std::string folder = path.parent_path().string();
  return OwnedFolder(folder.empty() ? "." : folder, {}, OwnedFolder::Use::beside);
}

std::string bare_name(const std::filesystem::path& path) {
  return path.filename().string();
}

}  // namespace

void write_new_file(const std::string& path, std::string_view bytes) {
  std::error_code failed;
  if (std::filesystem::exists(std::filesystem::symlink_status(path, failed)))
    throw Error(path, "there is something of this name; give another one");
  write_atomically(path, bytes);
}

void check_named_after(const std::string& path) {
  folder_beside(path).check_unchanged({bare_name(path)});
}

void write_named_after(const std::string& path, std::string_view bytes) {
  folder_beside(path).write_unless_changed(bare_name(path), bytes);
}

}  // namespace glassformer
