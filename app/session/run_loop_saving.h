// When the thread of a run saves, and where; included by run_loop.cpp alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "app/scene/held_out.h"
#include "app/session/model_folder.h"
#include "app/session/pace.h"
#include "app/session/run_loop.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/parameter_counts.h"
#include "engine/recurrent/recurrent_model.h"
#include "engine/train/run_data.h"

namespace glassformer {
namespace {

using Clock = std::chrono::steady_clock;

// A kill loses what was learned since the last save began: half a minute, three minutes where a save is of
// hundreds of megabytes. Within that no more than this share of the run's time goes into saving, as far as
// the disk allows.
constexpr double kSaveSeconds = 18, kLongestWait = 24, kLongestWaitOfLarge = 150;
constexpr double kLargeWeights = 10e6;
constexpr double kSaveShare = 0.05;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

template <class Model>
void RunThreadOf<Model>::Loop::save_now_and_then() {
  const bool large = static_cast<double>(parameter_count(trainer_->config())) > kLargeWeights;
  const double longest = std::max(large ? kLongestWaitOfLarge : kLongestWait, 2 * save_cost_);
  const double interval =
      ever_saved_ ? std::clamp(save_cost_ / kSaveShare, kSaveSeconds, longest) : first_save_after().count();
  if (owner_.options_.folder.empty() || seconds_since(saved_) < interval) return;
  save();
}

template <class Model>
void RunThreadOf<Model>::Loop::save_if_behind() {
  if (behind()) save();
}

template <class Model>
bool RunThreadOf<Model>::Loop::behind() const {
  return trainer_->step_count() > saved_step_ || (changed_ && trainer_->step_count() > 0) ||
         !update_.state.unsaved.empty();
}

template <class Model>
void RunThreadOf<Model>::Loop::save() {
  if (!owner_.options_.folder.empty() && trainer_)
    save_by([this] { trainer_->save(owner_.options_.folder); });
}

// The folder is known only when that is done: it may be another one from then on.
template <class Model>
void RunThreadOf<Model>::Loop::save_by(const std::function<void()>& write) {
  const Clock::time_point start = Clock::now();
  RunState& state = update_.state;
  try {
    write();
    update_.written_anew = trainer_->folder_was_lost() || update_.written_anew;
    keep_held_out(owner_.options_.folder, state.held_out);
    saved_step_ = state.saved_step = trainer_->step_count();
    ever_saved_ = true;
    changed_ = false;
    state.unsaved.clear();
    state.not_moved.clear();
    state.failed_saves = 0;
  } catch (const std::exception& error) {
    update_.save_error = state.unsaved = failure_words(error);
    state.saved_step = std::max(trainer_->saved_step(), 0L);
    ++state.failed_saves;
    running_ = false;  // rather wait for the person than train what cannot be kept
    publish();
  }
  saved_ = start;
  save_cost_ = seconds_since(start);
}

template <class Model>
std::string RunThreadOf<Model>::Loop::finish_saving() {
  running_ = false;  // what is saved is all there is
  save_if_behind();
  publish();
  return update_.state.unsaved;
}

template <class Model>
void RunThreadOf<Model>::Loop::keep_in(const std::string& folder) {
  update_.state.not_moved.clear();
  save_by([&] {
    // What an attempt before this one left there is in the way of nothing.
    const bool begun_here = has_list(folder) && holds_only_own(folder) && !holds_a_model(folder);
    if (content_of(folder) != FolderContent::free && !begun_here)
      throw Error(folder, "other things are kept there; choose a new name");
    trainer_->move_to(folder);
    owner_.options_.folder = folder;
  });
  // Also when all but the steps to look back at found room.
  if (trainer_->folder() == folder) owner_.options_.folder = folder;
  if (owner_.options_.folder == folder) {
    update_.moved_to = folder;
  } else {
    update_.state.not_moved = update_.state.unsaved;
  }
  publish();
}

template <class Model>
void RunThreadOf<Model>::Loop::save_copy(const std::string& folder) {
  if (!trainer_) return;
  try {
    write_model_folder(folder, [this](const std::string& to) {
      trainer_->save_copy(to);
      keep_held_out(to, update_.state.held_out);
    });
    update_.saved_to = folder;
  } catch (const std::exception& error) {
    update_.copy_error = failure_words(error);
  }
  publish();
}

}  // namespace glassformer
