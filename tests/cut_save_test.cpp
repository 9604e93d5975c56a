// Saves on a disk that fails, and in a program that ends, at each of their operations in turn.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "engine/files/atomic_file.h"
#include "engine/files/owned_folder.h"
#include "engine/files/read_file.h"
#include "engine/model/checkpoint.h"
#include "engine/train/run_data.h"
#include "tests/fault_disk.h"
#include "tests/training_helpers.h"

using namespace glassformer;
using namespace glassformer::testing;

namespace {

namespace fs = std::filesystem;

using RunningTrainer = std::unique_ptr<Trainer>;

// Thousands of small runs: threads would cost more than they save.
TrainingOptions demanding() {
  TrainingOptions options = demanding_options();
  options.threads = 1;
  return options;
}

TrainingOptions small() {
  TrainingOptions options = small_options();
  options.threads = 1;
  return options;
}

RunningTrainer trainer_of(const TrainingOptions& options, int steps, std::uint64_t seed = 1) {
  TrainingOptions own = options;
  own.seed = seed;
  auto trainer = std::make_unique<Trainer>(copying_set(), copying_config(), own);
  run(*trainer, steps);
  return trainer;
}

void save(const ScratchFolder& folder, const RunningTrainer& trainer) {
  trainer->save(folder.path("run"));
}

bool loads(const std::string& folder) {
  try {
    return load_checkpoint(folder).snapshot.weights != nullptr;
  } catch (const Error&) {
    return false;
  }
}

// Nothing lies there that no list names: no temporary file either.
void check_only_own(const std::string& folder) {
  if (fs::exists(folder)) CHECK(holds_only_own(folder));
}

// A save that failed may leave a file half made, which the next one takes away.
int leftovers(const std::string& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    count += name.starts_with("best-") || name.find(".writing-") != std::string::npos;
  }
  return count;
}

}  // namespace

TEST_CASE("a file that is written whole or not at all is the old one or the new one, whatever strikes") {
  for (const Fault fault : kAllFaults) {
    for (const bool there : {false, true}) {
      const int operations = at_each_operation(
          fault,
          [&](const ScratchFolder& folder) {
            if (there) folder.write("settings.json", "old");
            return 0;
          },
          [](const ScratchFolder& folder, int) {
            create_folder(folder.path("deep/below"));
            write_atomically(folder.path("settings.json"), "the new one");
          },
          [&](const ScratchFolder& folder, bool done) {
            const std::string path = folder.path("settings.json");
            if (done) CHECK(read_file(path) == "the new one");
            if (there)
              CHECK((read_file(path) == "old" || read_file(path) == "the new one"));
            else if (fs::exists(path))
              CHECK(read_file(path) == "the new one");
          });
      if (fault != Fault::short_writes) CHECK(operations > 8);
    }
  }
}

TEST_CASE("the first save of a run is whole, or nothing takes it for a model and the next save succeeds") {
  for (const Fault fault : {Fault::broken, Fault::full, Fault::read_only, Fault::killed, Fault::power_cut}) {
    at_each_operation(
        fault,
        [](const ScratchFolder&) {
          auto trainer = trainer_of(demanding(), 6);
          trainer->keep_history(1 << 20);
          return trainer;
        },
        save,
        [](const ScratchFolder& folder, bool done) {
          const std::string place = folder.path("run");
          if (done) CHECK(Trainer::resume(place, copying_set(), 1, false)->step_count() == 6);
          if (holds_a_model(place)) CHECK(loads(place));
          check_only_own(place);
          trainer_of(demanding(), 9)->save(place);
          CHECK(Trainer::resume(place, copying_set(), 1)->step_count() == 9);
          CHECK(leftovers(place) == 0);
        });
  }
}

TEST_CASE("a later save leaves the state before it or its own, and the run goes on bit for bit") {
  Trainer whole(copying_set(), copying_config(), demanding());
  run(whole, 20);
  for (const Fault fault :
       {Fault::broken, Fault::full, Fault::short_writes, Fault::killed, Fault::power_cut}) {
    const int operations = at_each_operation(
        fault,
        [](const ScratchFolder& folder) {
          auto trainer = trainer_of(demanding(), 6);
          trainer->save(folder.path("run"));
          run(*trainer, 7);
          return trainer;
        },
        save,
        [&](const ScratchFolder& folder, bool done) {
          const std::string place = folder.path("run");
          check_only_own(place);
          CHECK(loads(place));
          const auto resumed = Trainer::resume(place, copying_set(), 1);
          const long step = resumed->step_count();
          CHECK((step == 6 || step == 13));
          if (done) CHECK(step == 13);
          if (fault != Fault::killed && fault != Fault::power_cut) return;
          run(*resumed, static_cast<int>(20 - step));
          check_same_curves(whole.curves(), resumed->curves());
          CHECK(same_weights(*whole.kept(), *resumed->kept()));

          resumed->save(place);
          CHECK(leftovers(place) == 0);
          const auto is_state = [](const auto& entry) {
            return entry.path().filename().string().starts_with("last-20.");
          };
          const fs::directory_iterator files(place);
          CHECK(std::count_if(begin(files), end(files), is_state) == 3);
        });
    if (fault != Fault::short_writes) CHECK(operations > 30);
  }
}

TEST_CASE("a second save at the same step leaves a whole state as well") {
  const auto steps = [](Trainer& trainer, int count) {
    for (int i = 0; i < count; ++i) {
      if (trainer.validation_due()) trainer.validate();
      trainer.step();
    }
  };
  Trainer whole(copying_set(), copying_config(), demanding());
  steps(whole, 24);
  whole.validate();
  for (const Fault fault : {Fault::power_cut}) {
    at_each_operation(
        fault,
        [&](const ScratchFolder& folder) {
          auto trainer = std::make_unique<Trainer>(copying_set(), copying_config(), demanding());
          steps(*trainer, 16);
          trainer->save(folder.path("run"));
          trainer->validate();  // as many averages as before, but others
          return trainer;
        },
        save,
        [&](const ScratchFolder& folder, bool) {
          const auto resumed = Trainer::resume(folder.path("run"), copying_set(), 1);
          steps(*resumed, 8);
          resumed->validate();
          check_same_curves(whole.curves(), resumed->curves());
          CHECK(same_weights(*whole.kept(), *resumed->kept()));
        });
  }
}

TEST_CASE("saves that fail on a full disk one after the other leave nothing of theirs") {
  const ScratchFolder folder(quick_place());
  RunningTrainer trainer = trainer_of(small(), 3);
  trainer->keep_history(1 << 20);
  save(folder, trainer);
  const auto states = [&] {
    const fs::directory_iterator files(folder.path("run"));
    return std::count_if(begin(files), end(files), [](const auto& entry) {
      return entry.path().filename().string().starts_with("last-");
    });
  };
  const auto whole = states();
  run(*trainer, 3);
  for (const int at : {0, 6, 9, 15, 20}) {
    CAPTURE(at);
    FaultDisk faults(folder.path(""), Fault::full, at);
    const disk::Watching watching(faults);
    CHECK_THROWS_AS(save(folder, trainer), Error);
    CHECK(states() == whole);
  }
  save(folder, trainer);
  CHECK(states() == whole);
  trainer.reset();
  CHECK(Trainer::resume(folder.path("run"), copying_set(), 1)->step_count() == 6);
}

// A disk that takes the state and then no file of the history.
class NoHistory : public disk::Watcher {
 public:
  int before(disk::Call call, const std::string& path, int) override {
    return call == disk::Call::link && path.find("/history/") != std::string::npos ? ENOSPC : 0;
  }
  void after(disk::Call /*call*/, const std::string& /*path*/, int /*handle*/) override {}
};

TEST_CASE("where there is no room for the steps to look back at, the state is saved, and that is said") {
  const ScratchFolder folder;
  const std::string place = folder.path("run");
  Trainer trainer(copying_set(), copying_config(), small());
  trainer.keep_history(1 << 20);
  run(trainer, 2);
  {
    NoHistory faults;
    const disk::Watching watching(faults);
    CHECK_THROWS_WITH_AS(trainer.save(place), doctest::Contains("step 2 is saved, but not the steps"), Error);
    CHECK(trainer.saved_step() == 2);
    CHECK_THROWS_AS(trainer.move_to(folder.path("moved")), Error);
    CHECK(trainer.folder() == folder.path("moved"));
    CHECK(trainer.saved_step() == 2);
  }
  trainer.save(folder.path("moved"));  // there is room now
  check_only_own(folder.path("moved"));
  CHECK(Trainer::resume(place, copying_set(), 1)->history().kept().empty());
  trainer.move_to(folder.path("again"));
  CHECK(Trainer::resume(folder.path("moved"), copying_set(), 1)->history().kept().size() == 3);
}

TEST_CASE("the kept steps can be read after a save that anything struck") {
  for (const Fault fault : {Fault::broken, Fault::full, Fault::killed, Fault::power_cut}) {
    at_each_operation(
        fault,
        [](const ScratchFolder& folder) {
          auto trainer = std::make_unique<Trainer>(copying_set(), copying_config(), small());
          trainer->keep_history(1 << 20);
          run(*trainer, 2);
          trainer->save(folder.path("run"));
          run(*trainer, 2);
          return trainer;
        },
        save,
        [fault](const ScratchFolder& folder, bool) {
          check_only_own(folder.path("run"));
          const auto resumed = Trainer::resume(folder.path("run"), copying_set(), 1);
          const auto& kept = resumed->history().kept();
          const auto all = static_cast<std::size_t>(resumed->step_count()) + 1;
          const bool none_new = (fault == Fault::broken || fault == Fault::full) && kept.size() == 3;
          CHECK((kept.size() == all || none_new));
          for (const auto& each : kept) CHECK(each->snapshot()->weights != nullptr);
        });
  }
}

TEST_CASE("of a run that replaces another the folder holds the old, the new one or none, never a mixture") {
  const auto old_one = trainer_of(small(), 3, 7);
  for (const Fault fault : {Fault::broken, Fault::killed, Fault::power_cut}) {
    std::set<std::string> found;
    at_each_operation(
        fault,
        [&](const ScratchFolder& folder) {
          old_one->save_copy(folder.path("run"));
          auto trainer = trainer_of(small(), 4);
          trainer->save_in(OwnedFolder(folder.path("run")));
          return trainer;
        },
        save,
        [&](const ScratchFolder& folder, bool done) {
          const std::string place = folder.path("run");
          check_only_own(place);
          if (!loads(place)) {
            found.insert("none");
            CHECK_FALSE(holds_a_model(place));
            return;
          }
          const Checkpoint model = load_checkpoint(place);
          const bool old = same_weights(model.snapshot, *old_one->kept());
          found.insert(old ? "old" : "new");
          if (done) CHECK_FALSE(old);
          if (!model.training.is_null()) CHECK(model.snapshot.step == (old ? 3 : 4));
        });
    CHECK(found.contains("old"));
    CHECK(found.contains("new"));
  }
}

TEST_CASE("own files that are deleted while anything strikes leave what is not ours, and go the next time") {
  for (const Fault fault : kAllFaults) {
    at_each_operation(
        fault,
        [](const ScratchFolder& folder) {
          OwnedFolder own(folder.path("run"));
          own.write("a.txt", "a");
          own.claim({"below/b.txt"});
          create_folder(folder.path("run/below"));
          write_atomically(own.file("below/b.txt"), "b");
          folder.write("run/theirs.txt", "dear");
          return 0;
        },
        [](const ScratchFolder& folder, int) { delete_own(folder.path("run")); },
        [](const ScratchFolder& folder, bool) {
          CHECK(read_file(folder.path("run/theirs.txt")) == "dear");
          delete_own(folder.path("run"));
          const fs::directory_iterator left(folder.path("run"));
          CHECK(std::distance(begin(left), end(left)) == 1);
        });
  }
}
