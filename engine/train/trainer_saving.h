// Where Training keeps its run; included by trainer.cpp alone.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "engine/math/error.h"
#include "engine/train/run_folder.h"
#include "engine/train/trainer_state.h"

namespace glassformer {

template <class Model>
void Training<Model>::save(const std::string& folder) {
  try {
    state_->remember_step();
    write_run(*state_, kept(), folder);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(folder, "the run cannot be saved (" + error.code().message() + ")");
  }
}

template <class Model>
void Training<Model>::save_in(OwnedFolder home) {
  state_->saved_folder.clear();
  state_->saved_step = -1;
  state_->saved_kept.reset();
  state_->saved_history.clear();
  state_->home = std::move(home);
  state_->replaces = true;
}

template <class Model>
const std::string& Training<Model>::folder() const {
  return state_->home.path();
}

template <class Model>
long Training<Model>::saved_step() const {
  return state_->saved_step;
}

template <class Model>
bool Training<Model>::folder_was_lost() {
  return std::exchange(state_->folder_lost, false);
}

// Where a run is kept, and what of it is there.
template <class Model>
struct KeptPlace {
  explicit KeptPlace(TrainerState<Model>& state)
      : folder(std::exchange(state.saved_folder, {})),
        step(std::exchange(state.saved_step, -1)),
        kept(std::exchange(state.saved_kept, nullptr)),
        history(std::exchange(state.saved_history, {})),
        home(std::exchange(state.home, OwnedFolder())) {}
  void come_back(TrainerState<Model>& state) {
    state.saved_folder = std::move(folder);
    state.saved_step = step;
    state.saved_kept = std::move(kept);
    state.saved_history = std::move(history);
    state.home = std::move(home);
  }

  std::string folder;
  long step;
  std::shared_ptr<const SnapshotOf<Model>> kept;
  std::set<long> history;
  OwnedFolder home;
};

template <class Model>
void Training<Model>::move_to(const std::string& folder) {
  KeptPlace<Model> before(*state_);
  try {
    save(folder);
  } catch (...) {
    if (state_->saved_step < 0) before.come_back(*state_);
    throw;
  }
}

template <class Model>
void Training<Model>::save_copy(const std::string& folder) {
  KeptPlace<Model> own(*state_);
  auto history = std::exchange(state_->history, HistoryOf<Model>());
  const auto take_back = [&] {
    own.come_back(*state_);
    state_->history = std::move(history);
  };
  try {
    save(folder);
  } catch (...) {
    take_back();
    throw;
  }
  take_back();
}

template <class Model>
std::unique_ptr<Training<Model>> Training<Model>::resume(const std::string& folder,
                                                         std::shared_ptr<const TrainingSet> data, int threads,
                                                         bool here) {
  return std::unique_ptr<Training<Model>>(
      new Training<Model>(read_run<Model>(folder, std::move(data), threads, here)));
}

}  // namespace glassformer
