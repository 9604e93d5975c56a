// Models written and kept runs renamed behind the screen's back, without a session.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "app/session/folder_work.h"
#include "engine/files/read_file.h"
#include "tests/random_models.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

namespace fs = std::filesystem;

std::shared_ptr<const Snapshot> some_model() {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->config = small_config();
  snapshot->weights = std::make_shared<const Transformer<float>>(random_model<float>(snapshot->config, 5));
  return snapshot;
}

}  // namespace

TEST_CASE("a model is written once it is clear that no other one stands there") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("mine");
  FolderWork work({});
  CHECK_FALSE(work.wait_for_saved());
  work.save({folder}, false, some_model(), {}, "");
  CHECK(work.saving());
  const auto first = work.wait_for_saved();
  REQUIRE(first);
  CHECK(first->done.folder == folder);
  CHECK(fs::exists(fs::path(folder) / "weights.safetensors"));
  const std::string before = read_file(folder + "/weights.safetensors");

  work.save({folder}, false, some_model(), {}, "");
  const auto asked = work.wait_for_saved();
  REQUIRE(asked);
  CHECK(asked->done.folder.empty());
  CHECK(asked->notice.command->get<SaveModel>().replace);
  CHECK(read_file(folder + "/weights.safetensors") == before);

  work.save({.folder = folder, .replace = true}, true, some_model(), {}, "");
  const auto free = work.wait_for_saved();
  REQUIRE(free);
  CHECK(free->by_run.folder == folder);  // the run is to write it: nothing is done here
  CHECK(free->done.folder.empty());
}

TEST_CASE("a folder in use keeps its name, and only one change is under way at a time") {
  const ScratchFolder scratch;
  const std::string folder = scratch.path("run");
  fs::create_directories(folder);
  FolderWork work({});
  CHECK(work.change() == nullptr);
  REQUIRE(work.rename({folder, "other"}, {"", folder}));
  CHECK(work.change()->under_way);
  CHECK_FALSE(work.remove({folder}, {}));
  CHECK(work.take_changed(true).empty());
  CHECK_FALSE(work.changing());
  CHECK(work.change()->problem.find("it is open") != std::string::npos);
  CHECK(fs::exists(folder));
  CHECK_FALSE(fs::exists(scratch.path("other")));
}
