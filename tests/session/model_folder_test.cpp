#include "app/session/model_folder.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "app/session/settings.h"
#include "engine/files/disk.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/math/error.h"
#include "tests/fault_disk.h"
#include "tests/refusal.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

// Writes a model that says so.
std::function<void(const std::string&)> model_saying(const std::string& words) {
  return [words](const std::string& to) { OwnedFolder(to).write("config.json", words); };
}

// A file system on which exchanging names fails in this way, and of the renamings of folders those of these
// numbers.
struct OddNames : disk::Watcher {
  int no_exchange = 0;  // an errno; 0: it works
  std::set<int> refused = {};
  std::string place;  // of the folder
  int next = 0;

  OddNames(const std::string& folder, int exchange, std::set<int> renamings)
      : no_exchange(exchange), refused(std::move(renamings)), place(folder) {}
  int before(disk::Call call, const std::string& path, int) override {
    if (call == disk::Call::exchange) return no_exchange;
    if (call != disk::Call::rename || !path.starts_with(place) || path.starts_with(place + "/") ||
        path.find(".writing-") != path.npos)
      return 0;
    return refused.contains(next++) ? EIO : 0;
  }
  void after(disk::Call, const std::string&, int) override {}
};

std::ptrdiff_t entries(const ScratchFolder& scratch) {
  const fs::directory_iterator all(scratch.path(""));
  return std::distance(begin(all), end(all));
}

}  // namespace

TEST_CASE("a model replaces another, on a file system that cannot exchange names too") {
  for (const int no_exchange : {0, EINVAL, ENOTSUP}) {
    const ScratchFolder scratch;
    const std::string folder = scratch.path("model");
    write_model_folder(folder, model_saying("old"));
    OddNames names(folder, no_exchange, {});
    const disk::Watching watching(names);
    write_model_folder(folder, model_saying("new"));
    CHECK(read_file(folder + "/config.json") == "new");
    CHECK(entries(scratch) == 1);
  }
}

TEST_CASE("a model that cannot be put there leaves the old one in its place") {
  // The last: the second renaming fails, the way back does not.
  const std::vector<std::pair<int, std::set<int>>> all = {{EACCES, {}}, {EINVAL, {0}}, {EINVAL, {1}}};
  for (const auto& [no_exchange, refused] : all) {
    const ScratchFolder scratch;
    const std::string folder = scratch.path("model");
    write_model_folder(folder, model_saying("old"));
    OddNames names(folder, no_exchange, refused);
    const disk::Watching watching(names);
    CHECK_THROWS_WITH_AS(write_model_folder(folder, model_saying("new")),
                         doctest::Contains("cannot be put there"), Error);
    CHECK(read_file(folder + "/config.json") == "old");
    CHECK(entries(scratch) == 1);
  }
}

TEST_CASE("a model that cannot get back to its place stays beside it, and the error says where") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("model");
  for (const std::string old : {"old", "older"}) {  // the second time something is aside already
    write_model_folder(folder, model_saying(old));
    OddNames names(folder, EINVAL, {1, 2});
    std::string said;
    {
      const disk::Watching watching(names);
      said = testing::refusal([&] { write_model_folder(folder, model_saying("new")); });
    }
    const std::string words = "now stands in ";
    REQUIRE(said.find(words) != std::string::npos);
    CHECK(read_file(said.substr(said.find(words) + words.size()) + "/config.json") == old);
    CHECK_FALSE(fs::exists(folder));
  }
  CHECK(entries(scratch) == 2);
}

TEST_CASE("a model that replaces another is the old one or the new one, whatever strikes") {
  for (const testing::Fault fault : testing::kAllFaults) {
    testing::at_each_operation(
        fault,
        [](const ScratchFolder& scratch) {
          write_model_folder(scratch.path("model"), model_saying("old"));
          return 0;
        },
        [](const ScratchFolder& scratch, int) {
          write_model_folder(scratch.path("model"), model_saying("new"));
        },
        [](const ScratchFolder& scratch, bool done) {
          const std::string words = read_file(scratch.path("model/config.json"));
          CHECK((words == "old" || words == "new"));
          if (done) CHECK(words == "new");
          write_model_folder(scratch.path("model"), model_saying("newer"));
          CHECK(read_file(scratch.path("model/config.json")) == "newer");
        });
  }
}

TEST_CASE("settings are the old ones or the new ones, whatever strikes, and a failure is said") {
  Settings old, fresh;
  old.last_model = "/old";
  fresh.last_model = "/new";
  for (const testing::Fault fault : testing::kAllFaults) {
    testing::at_each_operation(
        fault,
        [&](const ScratchFolder& scratch) {
          REQUIRE(write_settings(scratch.path("a/settings.json"), old, Settings()).empty());
          return 0;
        },
        [&](const ScratchFolder& scratch, int) {
          const std::string problem = write_settings(scratch.path("a/settings.json"), fresh, old);
          if (!problem.empty()) throw Error("settings", problem);
        },
        [&](const ScratchFolder& scratch, bool done) {
          const std::string found = read_settings(scratch.path("a/settings.json")).last_model;
          CHECK((found == "/old" || found == "/new"));
          if (done) CHECK(found == "/new");
        });
  }
}
