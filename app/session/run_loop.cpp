#include "app/session/run_loop_saving.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/format/sentence_numbers.h"
#include "app/scene/held_out.h"
#include "app/scene/sentences.h"
#include "app/session/priority.h"
#include "engine/math/error.h"
#include "engine/text/given_embeddings.h"

namespace glassformer {

namespace {

constexpr double kPublishSeconds = 0.125;  // eight times a second is as much as anybody sees
constexpr double kPublishShare =
    0.05;                            // of the run's time, at most, goes into copying weights for the screen
constexpr double kPaceSeconds = 60;  // of training, by which the time that is left is estimated
constexpr double kStarved = 0.25;    // of a processor; alone on the machine it has most of one

}  // namespace

template <class Model>
void RunThreadOf<Model>::Loop::run() {
  try {
    prepare();
    train();
  } catch (const std::exception& error) {
    error_ = failure_words(error);
    running_ = false;
    if (trainer_) save_if_behind();
    // What could not be saved waits for what the person says.
    while (trainer_ && behind() && serve_wishes()) running_ = false;
    update_.state.phase = RunPhase::stopped;
    update_.state.message = error_;
    update_.ended = true;
    hand_over();
  }
  const std::lock_guard lock(owner_.mutex_);
  owner_.over_ = true;
  owner_.last_error_ = update_.state.unsaved;
  owner_.changed_.notify_all();
}

template <class Model>
void RunThreadOf<Model>::Loop::train() {
  while (serve_wishes()) {
    step();
    if (!running_) save_if_behind();  // it may pause for hours now
    if (!running_ || seconds_since(published_) > std::max(kPublishSeconds, publish_cost_ / kPublishShare))
      publish();
    save_now_and_then();
  }
  save_if_behind();
  update_.snapshot = trainer_->kept();
  update_.ended = true;
  hand_over();
}

template <class Model>
void RunThreadOf<Model>::Loop::prepare() {
  update_.state.phase = RunPhase::preparing;
  const auto progress = [this](const std::string& stage, double fraction) {
    update_.state.message = stage;
    update_.state.progress = fraction;
    hand_over();
    return !given_up();
  };
  progress("reading", 0);
  trainer_ = owner_.make_(progress);
  {
    const std::lock_guard lock(owner_.mutex_);
    owner_.prepared_ = true;
  }

  trainer_->keep_history(owner_.options_.history);
  trainer_->keep_diagnosis();
  saved_step_ = trainer_->step_count();
  std::error_code absent;
  if (std::filesystem::exists(owner_.options_.folder + "/training.json", absent))  // resumed in its place
    update_.state.saved_step = saved_step_;
  const TrainingSet& data = trainer_->data();
  RunState& state = update_.state;
  state.message.clear();
  state.data_name = data.name;
  state.given_vectors = data.source_vectors || data.target_vectors;
  state.source_found = data.source_vectors ? data.source_vectors->words_found : 0;
  state.target_found = data.target_vectors ? data.target_vectors->words_found : 0;
  state.training_pairs = static_cast<long>(data.training.size());
  state.validation_pairs = static_cast<long>(data.validation.size());
  state.source_words = trainer_->config().source_vocab;
  state.target_words = trainer_->config().target_vocab;
  for (const EncodedPair& pair : data.training) {
    state.longest_sentence = std::max(state.longest_sentence,
                                      static_cast<int>(std::max(pair.source.size(), pair.target.size())) + 1);
  }
  if (running_) make_way();
  state.held_out = held_out_sentences(data);
  take_attempts(state.held_out, owner_.options_.looks, trainer_->step_count());
  update_.tokenizers = data.tokenizers;
  look_at_held_out();
  publish();
}

template <class Model>
bool RunThreadOf<Model>::Loop::given_up() {
  const std::lock_guard lock(owner_.mutex_);
  return owner_.ending_ || owner_.waited_for_ > 0;
}

// Puts the state where the screen takes it; what is said once is not lost when the screen has not looked yet.
template <class Model>
void RunThreadOf<Model>::Loop::hand_over() {
  RunState& state = update_.state;
  const bool working = state.phase == RunPhase::preparing || state.phase == RunPhase::training;
  if (!working) share_ = {};
  const double clock = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  state.starved = working && share_.at(clock, processor_seconds()) < kStarved;
  {
    const std::lock_guard lock(owner_.mutex_);
    if (owner_.update_ && update_.save_error.empty()) update_.save_error = owner_.update_->save_error;
    if (owner_.update_ && update_.saved_to.empty()) update_.saved_to = owner_.update_->saved_to;
    if (owner_.update_ && !update_.extended_by) update_.extended_by = owner_.update_->extended_by;
    update_.written_anew = update_.written_anew || (owner_.update_ && owner_.update_->written_anew);
    if (owner_.update_ && update_.copy_error.empty()) update_.copy_error = owner_.update_->copy_error;
    if (owner_.update_ && update_.moved_to.empty()) update_.moved_to = owner_.update_->moved_to;
    owner_.update_ = update_;
  }
  update_.save_error.clear();
  update_.saved_to.clear();
  update_.copy_error.clear();
  update_.moved_to.clear();
  update_.written_anew = false;
  update_.extended_by.reset();
  if (owner_.options_.wake) owner_.options_.wake();
}

// Carries out what was asked, waiting while there is nothing to do. False when the thread is to end.
template <class Model>
bool RunThreadOf<Model>::Loop::serve_wishes() {
  std::unique_lock lock(owner_.mutex_);
  while (true) {
    while (!owner_.wishes_.empty()) {
      const auto what = std::move(owner_.wishes_.front());
      owner_.wishes_.pop_front();
      lock.unlock();
      what(*this);
      lock.lock();
      owner_.changed_.notify_all();
    }
    if (owner_.ending_) return false;
    if (running_) return true;
    owner_.changed_.wait(lock, [this] { return owner_.ending_ || !owner_.wishes_.empty(); });
  }
}

template <class Model>
void RunThreadOf<Model>::Loop::set_running(bool running) {
  if (running) make_way();
  running_ = running;
  if (!running_) save_if_behind();
  publish();
}

template <class Model>
void RunThreadOf<Model>::Loop::resume() {
  if (!trainer_->stop()) set_running(true);
}

// After a divergence it continues from good weights. Training past the end of the plan extends it.
template <class Model>
void RunThreadOf<Model>::Loop::make_way() {
  trainer_->recover();
  if (!trainer_->plan_over()) return;
  update_.extended_by = trainer_->extension();
  trainer_->extend_plan();
}

template <class Model>
void RunThreadOf<Model>::Loop::step_once() {
  make_way();
  running_ = false;
  step();
  if (trainer_->stop()) save_if_behind();
  save_now_and_then();
  publish();
}

template <class Model>
void RunThreadOf<Model>::Loop::step() {
  validate_if_due();                       // a run that was stopped between a step and its validation
  if (trainer_->validation_due()) return;  // given up: it is to be saved now
  trainer_->step();
  if (!validate_if_due() && worth_a_look(trainer_->step_count())) look_at_held_out();
  if (trainer_->stop()) running_ = false;
}

template <class Model>
bool RunThreadOf<Model>::Loop::validate_if_due() {
  if (!trainer_->validation_due()) return false;
  if (trainer_->validate([this] { return keep_going(); })) changed_ = true;
  look_at_held_out();
  return true;
}

template <class Model>
void RunThreadOf<Model>::Loop::look_at_held_out() {
  if (!update_.state.held_out.empty())
    translate_held_out(*trainer_->snapshot(), trainer_->data().tokenizers, update_.state.held_out,
                       [this] { return keep_going(); });
}

// Asked while something takes long: that is no time in which nothing is saved.
template <class Model>
bool RunThreadOf<Model>::Loop::keep_going() {
  if (behind()) save_now_and_then();
  return !given_up();
}

template <class Model>
void RunThreadOf<Model>::Loop::change(const SetLearning& wish, long at_step) {
  try {
    trainer_->change_at(at_step, wish);
    changed_ = true;
  } catch (const std::exception& error) {
    update_.state.message = failure_words(error);
  }
  publish();
}

template <class Model>
void RunThreadOf<Model>::Loop::keep_history(std::size_t bytes) {
  trainer_->keep_history(bytes);
  publish();
}

// At the pace of the last minute of training: the machine may have had other work before.
template <class Model>
double RunThreadOf<Model>::Loop::seconds_left() {
  const Pace now{trainer_->seconds(), trainer_->step_count()};
  paces_.push_back(now);
  while (paces_.size() > 2 && now.seconds - paces_[1].seconds > kPaceSeconds) paces_.pop_front();
  const double limit = trainer_->time_limit();
  const double until_over = limit > 0 ? std::max(0.0, limit - now.seconds) : 0;
  const long left = trainer_->planned_steps() - now.step, done = now.step - paces_.front().step;
  if (left <= 0 || done <= 0) return until_over;
  const double until_done =
      (now.seconds - paces_.front().seconds) / static_cast<double>(done) * static_cast<double>(left);
  return limit > 0 ? std::min(until_over, until_done) : until_done;
}

template <class Model>
void RunThreadOf<Model>::Loop::publish() {
  const Clock::time_point start = Clock::now();
  RunState& state = update_.state;
  const std::optional<Stop> stop = trainer_->stop();
  state.step = trainer_->step_count();
  state.diverged = stop && stop->reason == StopReason::diverged;
  state.phase = !error_.empty()  ? RunPhase::stopped
                : state.diverged ? RunPhase::paused
                : stop           ? RunPhase::stopped
                : running_       ? RunPhase::training
                : state.step > 0 ? RunPhase::paused
                                 : RunPhase::ready;
  if (stop) state.message = numbers_on_screen(stop->message);
  if (!error_.empty()) state.message = error_;
  if (!stop && state.phase == RunPhase::training) state.message.clear();
  state.live = trainer_->live();
  state.options = trainer_->options();
  state.planned_steps = trainer_->planned_steps();
  state.extension = trainer_->extension();
  state.schedule = trainer_->schedule();
  update_.in_folder = ever_saved_;
  state.epoch = trainer_->epoch();
  if (!state.curves || state.curves->steps.size() != trainer_->curves().steps.size() ||
      state.curves->validations.size() != trainer_->curves().validations.size() ||
      state.curves->marks.size() != trainer_->curves().marks.size()) {
    state.curves = std::make_shared<const Curves>(trainer_->curves());
  }
  state.seconds_left = seconds_left();
  state.tokens_per_second =
      state.curves->steps.empty() ? 0 : static_cast<double>(state.curves->steps.back().tokens_per_s);
  update_.history = trainer_->history().kept();
  update_.snapshot = trainer_->snapshot(owner_.moments_ || !running_);
  published_ = Clock::now();
  publish_cost_ = seconds_since(start);
  hand_over();
}

template class RunThreadOf<Transformer<float>>::Loop;
template class RunThreadOf<RecurrentModel<float>>::Loop;

}  // namespace glassformer
