// A kill in the middle of a save, at each of its operations in turn.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "engine/model/checkpoint.h"
#include "engine/train/run_data.h"
#include "tests/scratch_folder.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

namespace fs = std::filesystem;

// Saves until this operation, from 0; false: the save had fewer and is whole.
bool cut_short(Trainer& trainer, const std::string& folder, int operation) {
  struct Killed {};
  int next = 0;
  try {
    trainer.save(folder, [&](const std::string&) {
      if (next++ == operation) throw Killed();
    });
  } catch (const Killed&) {
    return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a save that is cut short anywhere leaves a whole state, the old or the new") {
  Trainer whole(copying_set(), copying_config(), demanding_options());
  run(whole, 20);

  bool cut = true;
  for (int operation = 0; cut; ++operation) {
    CAPTURE(operation);
    const ScratchFolder folder;
    {
      Trainer trainer(copying_set(), copying_config(), demanding_options());
      run(trainer, 6);
      trainer.save(folder.path("run"));
      run(trainer, 7);
      cut = cut_short(trainer, folder.path("run"), operation);
    }

    const auto resumed = Trainer::resume(folder.path("run"), copying_set());
    const long step = resumed->step_count();
    CHECK((step == 6 || step == 13));
    CHECK(load_checkpoint(folder.path("run")).snapshot.weights != nullptr);
    run(*resumed, static_cast<int>(20 - step));
    check_same_curves(whole.curves(), resumed->curves());
    CHECK(same_weights(*whole.kept(), *resumed->kept()));

    // The next save cleans up.
    resumed->save(folder.path("run"));
    int states = 0;
    for (const auto& entry : fs::directory_iterator(folder.path("run"))) {
      const std::string name = entry.path().filename().string();
      CHECK(name.find("best-") == std::string::npos);
      if (name.starts_with("last-")) {
        CHECK(name.starts_with("last-20."));
        ++states;
      }
    }
    CHECK(states == 3);
    if (!cut) CHECK(operation >= 6);
  }
}

TEST_CASE("a second save at the same step that is cut short anywhere leaves a whole state") {
  const auto steps = [](Trainer& trainer, int count) {
    for (int i = 0; i < count; ++i) {
      if (trainer.validation_due()) trainer.validate();
      trainer.step();
    }
  };
  Trainer whole(copying_set(), copying_config(), demanding_options());
  steps(whole, 24);
  whole.validate();

  bool cut = true;
  for (int operation = 0; cut; ++operation) {
    CAPTURE(operation);
    const ScratchFolder folder;
    {
      Trainer trainer(copying_set(), copying_config(), demanding_options());
      steps(trainer, 16);
      trainer.save(folder.path("run"));
      trainer.validate();  // as many averages as before, but others
      cut = cut_short(trainer, folder.path("run"), operation);
    }

    const auto resumed = Trainer::resume(folder.path("run"), copying_set());
    steps(*resumed, 8);
    resumed->validate();
    check_same_curves(whole.curves(), resumed->curves());
    CHECK(same_weights(*whole.kept(), *resumed->kept()));

    resumed->save(folder.path("run"));
    resumed->save(folder.path("run"));
    const auto is_state = [](const auto& entry) {
      return entry.path().filename().string().starts_with("last-");
    };
    const fs::directory_iterator files(folder.path("run"));
    CHECK(std::count_if(begin(files), end(files), is_state) == 3);
  }
}

TEST_CASE("a first save that is cut short leaves a folder that a new run may take") {
  bool cut = true;
  for (int operation = 0; cut; ++operation) {
    CAPTURE(operation);
    const ScratchFolder folder;
    {
      Trainer trainer(copying_set(), copying_config(), small_options());
      cut = cut_short(trainer, folder.path("run"), operation);
      CHECK(holds_a_model(folder.path("run")) == !cut);
      trainer.save(folder.path("run"));
    }
    CHECK(Trainer::resume(folder.path("run"), copying_set())->step_count() == 0);
  }
}

TEST_CASE("a save with its history that is cut short anywhere leaves a run whose steps can be read") {
  bool cut = true;
  for (int operation = 0; cut; ++operation) {
    CAPTURE(operation);
    const ScratchFolder folder;
    {
      Trainer trainer(copying_set(), copying_config(), small_options());
      trainer.keep_history(1 << 20);
      run(trainer, 2);
      trainer.save(folder.path("run"));
      run(trainer, 2);
      cut = cut_short(trainer, folder.path("run"), operation);
    }
    const auto resumed = Trainer::resume(folder.path("run"), copying_set());
    const auto& kept = resumed->history().kept();
    REQUIRE(kept.size() == static_cast<std::size_t>(resumed->step_count()) + 1);
    CHECK(kept.back()->step() == resumed->step_count());
    CHECK(kept.back()->snapshot()->weights != nullptr);
  }
}
