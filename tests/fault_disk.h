// A disk that fails, or a program that ends, at one operation of a piece of work: and all of them in turn.
#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/files/disk.h"
#include "engine/math/error.h"
#include "tests/scratch_folder.h"
#include "tests/stride.h"

namespace glassformer::testing {

enum class Fault {
  broken,        // that operation fails (EIO)
  full,          // from there on whatever takes room fails (ENOSPC)
  read_only,     // from there on everything fails (EROFS)
  interrupted,   // signals interrupt it three times (EINTR)
  short_writes,  // from there on a write takes a third of its bytes, one at least
  killed,        // nothing happens any more
  power_cut,     // nothing happens any more, and what was not synced is lost
};

// What of a folder survives a power cut: of each folder the names that it had when it was synced last, of
// each file the bytes that it had then. What was there at first counts as synced.
class DurableState {
 public:
  explicit DurableState(const std::string& root) : root_(root) { take_all(root); }

  void opened(int handle) {
    struct stat info {};
    // A new file, though its number on the disk may have been another's.
    if (::fstat(handle, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0)
      ids_[info.st_ino] = next_++;
  }
  void synced(int handle) {
    struct stat info {};
    if (::fstat(handle, &info) != 0) return;
    const std::string path = "/proc/self/fd/" + std::to_string(handle);
    if (S_ISREG(info.st_mode)) bytes_[id_of(info.st_ino)] = bytes_of(path);
    if (S_ISDIR(info.st_mode)) take_names(std::filesystem::read_symlink(path));
  }
  // Before a name goes or another file takes it.
  void forget(const std::string& path) {
    struct stat info {};
    if (::lstat(path.c_str(), &info) == 0 && info.st_nlink <= (S_ISDIR(info.st_mode) ? 2U : 1U))
      ids_.erase(info.st_ino);
  }
  void restore() const { restore(root_, ids_.at(number_of(root_))); }

 private:
  struct Name {
    std::string name;
    int id;
    bool folder;
  };
  static ino_t number_of(const std::string& path) {
    struct stat info {};
    ::lstat(path.c_str(), &info);
    return info.st_ino;
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int id_of(ino_t number) {
    const auto [found, fresh] = ids_.try_emplace(number, next_);
    if (fresh) ++next_;
    return found->second;
  }
  void take_names(const std::string& folder) {
    std::vector<Name> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(
          {entry.path().filename().string(), id_of(number_of(entry.path())), entry.is_directory()});
    names_[id_of(number_of(folder))] = std::move(names);
  }
  void take_all(const std::string& folder) {
    take_names(folder);
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_directory())
        take_all(entry.path());
      else
        bytes_[id_of(number_of(entry.path()))] = bytes_of(entry.path());
    }
  }
  void restore(const std::string& folder, int id) const {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove_all(entry);
    const auto names = names_.find(id);
    if (names == names_.end()) return;
    for (const Name& each : names->second) {
      const std::string path = folder + "/" + each.name;
      if (each.folder) {
        std::filesystem::create_directory(path);
        restore(path, each.id);
      } else {
        const auto bytes = bytes_.find(each.id);
        std::ofstream(path, std::ios::binary) << (bytes == bytes_.end() ? "" : bytes->second);
      }
    }
  }

  std::string root_;
  int next_ = 0;
  std::map<ino_t, int> ids_;
  std::map<int, std::string> bytes_;
  std::map<int, std::vector<Name>> names_;
};

class FaultDisk : public disk::Watcher {
 public:
  FaultDisk(const std::string& root, Fault fault, int at) : fault_(fault), at_(at), durable_(root) {}

  int before(disk::Call call, const std::string& path, int handle) override {
    const bool name_goes =
        call == disk::Call::unlink || call == disk::Call::rename || call == disk::Call::remove_folder;
    const int now = next_++;
    if (now < at_) {
      if (name_goes) durable_.forget(whole(path, handle));
      return 0;
    }
    const bool takes_room = call == disk::Call::open || call == disk::Call::write ||
                            call == disk::Call::link || call == disk::Call::make_folder ||
                            call == disk::Call::sync;
    switch (fault_) {
      case Fault::broken:
        return now == at_ ? EIO : 0;
      case Fault::full:
        return takes_room ? ENOSPC : 0;
      case Fault::read_only:
        return EROFS;
      case Fault::interrupted:
        return now < at_ + 3 && call != disk::Call::close ? EINTR : 0;
      case Fault::short_writes:
        return 0;
      case Fault::killed:
      case Fault::power_cut:
        return EIO;
    }
    return 0;
  }
  void after(disk::Call call, const std::string&, int handle) override {
    if (call == disk::Call::open) durable_.opened(handle);
    if (call == disk::Call::sync) durable_.synced(handle);
  }
  std::size_t taken(std::size_t size) override {
    return fault_ == Fault::short_writes && next_ > at_ && size > 1 ? (size + 2) / 3 : size;
  }

  bool reached() const { return next_ > at_; }
  void cut_power() const {
    if (fault_ == Fault::power_cut) durable_.restore();
  }

 private:
  static std::string whole(const std::string& path, int folder) {
    if (folder < 0) return path;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(folder)) / path;
  }

  Fault fault_;
  int at_, next_ = 0;
  DurableState durable_;
};

// In memory where there is such a place: what is tried thousands of times need not wait for a disk.
inline std::filesystem::path quick_place() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK | X_OK) == 0 ? memory : std::filesystem::temp_directory_path();
}

// Does the work in a folder of its own, once for each operation on the disk at which the fault can strike.
// `work` returns what still holds the folder then (a trainer), or nothing; `check` hears whether it
// succeeded. Returns how many operations there were.
template <class Prepare, class Work, class Check>
int at_each_operation(Fault fault, const Prepare& prepare, const Work& work, const Check& check) {
  for (int at = 0;; at += stride()) {
    CAPTURE(static_cast<int>(fault));
    CAPTURE(at);
    const ScratchFolder folder(quick_place());
    bool done = false, reached = false;
    {
      auto prepared = prepare(folder);
      FaultDisk faults(folder.path(""), fault, at);
      {
        const disk::Watching watching(faults);
        try {
          work(folder, prepared);
          done = true;
        } catch (const Error& error) {
          CHECK_FALSE(std::string(error.what()).empty());
        }
        const bool over = fault == Fault::killed || fault == Fault::power_cut;
        if (over) [[maybe_unused]]
          const auto dies = std::move(prepared);
      }
      reached = faults.reached();
      faults.cut_power();
    }
    if (!reached) CHECK(done);
    if (fault == Fault::interrupted || fault == Fault::short_writes) CHECK(done);
    check(folder, done);
    if (!reached || fault == Fault::short_writes) return at;
  }
}

constexpr Fault kAllFaults[] = {Fault::broken,       Fault::full,   Fault::read_only, Fault::interrupted,
                                Fault::short_writes, Fault::killed, Fault::power_cut};

}  // namespace glassformer::testing
