#include "app/session/scene_worker.h"

#include <utility>

#include "app/session/priority.h"
#include "app/session/run_scene.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRest = 5;  // times what a Scene took, until the next one of low priority

}  // namespace

SceneWorker::SceneWorker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

SceneWorker::~SceneWorker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SceneWorker::take_up(Wish what) {
  {
    const std::lock_guard lock(mutex_);
    what.number = ++asked_;
    if (wish_ && !wish_->low_priority) what.low_priority = false;  // somebody waits for what it replaces
    if (!since_ && !what.low_priority) since_ = Clock::now();
    wish_ = std::move(what);
  }
  changed_.notify_all();
}

void SceneWorker::ask(Weights weights, Tokenizers tokenizers, Scene scene, int gradients_of,
                      std::shared_ptr<const SceneResult> beside, bool low_priority) {
  take_up({.weights = std::move(weights),
           .tokenizers = std::move(tokenizers),
           .scene = std::move(scene),
           .known = {},
           .gradients_of = gradients_of,
           .beside = std::move(beside),
           .low_priority = low_priority});
}

void SceneWorker::ask_gradients(std::shared_ptr<const SceneResult> result, int sentence) {
  take_up(
      {.weights = {}, .tokenizers = {}, .scene = {}, .known = std::move(result), .gradients_of = sentence});
}

void SceneWorker::forget() {
  const std::lock_guard lock(mutex_);
  wish_.reset();
  answer_.reset();
  wanted_from_ = asked_ + 1;
}

std::optional<SceneWorker::Answer> SceneWorker::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

bool SceneWorker::working() const {
  const std::lock_guard lock(mutex_);
  return since_.has_value();
}

double SceneWorker::seconds() const {
  const std::lock_guard lock(mutex_);
  return since_ ? std::chrono::duration<double>(Clock::now() - *since_).count() : 0;
}

bool SceneWorker::wanted(const Wish& wish) {
  const std::lock_guard lock(mutex_);
  const bool gives_way = wish.low_priority && wish_ && !wish_->low_priority;
  return !ending_ && wish.number >= wanted_from_ && !gives_way;
}

// Nobody waits for something else.
bool SceneWorker::still_wanted(const Wish& wish) {
  const std::lock_guard lock(mutex_);
  return !ending_ && wish.number >= wanted_from_ && !(wish_ && !wish_->low_priority);
}

// One set of full weights for as long as a kept step is looked at.
std::shared_ptr<const Snapshot> SceneWorker::weights_of(const Wish& wish) {
  if (!wish.weights.kept) return wish.weights.newest;
  std::shared_ptr<const Snapshot> weights =
      wish.weights.kept == kept_.lock() ? kept_snapshot_.lock() : nullptr;
  if (!weights) {
    weights = wish.weights.kept->snapshot();
    kept_ = wish.weights.kept;
    kept_snapshot_ = weights;
  }
  return weights;
}

void SceneWorker::publish(const Wish& wish, Answer what) {
  {
    const std::lock_guard lock(mutex_);
    const bool wanted = !ending_ && wish.number >= wanted_from_;
    what.beside = wish.beside;
    if (wanted && (what.result || !what.error.empty())) answer_ = std::move(what);
  }
  if (wake_) wake_();
}

void SceneWorker::carry_out(const Wish& wish) {
  try {
    std::shared_ptr<const SceneResult> result = wish.known;
    if (!result) {
      result = run_scene(
          weights_of(wish), wish.tokenizers, wish.scene, [&] { return wanted(wish); }, last_.lock());
      // A picture that follows the training comes whole.
      if (result && wish.low_priority) result = with_leak(*result);
      publish(wish, {.result = result, .error = {}});
    }
    // What is not waited for follows.
    if (result && !result->unmasked && still_wanted(wish)) {
      result = with_leak(*result);
      if (wish.gradients_of < 0) publish(wish, {.result = result, .error = {}});
    }
    if (result && wish.gradients_of >= 0 && still_wanted(wish)) {
      result = with_gradients(*result, wish.gradients_of);
      publish(wish, {.result = result, .error = {}});
    }
    if (result) last_ = result;
  } catch (const std::exception& error) {
    publish(wish, {.result = {}, .error = failure_words(error)});
  }
}

// Until what is asked with low priority is due, or something else is asked.
void SceneWorker::rest(std::unique_lock<std::mutex>& lock) {
  if (!wish_ || !wish_->low_priority || Clock::now() >= rest_until_) return;
  changed_.wait_until(lock, rest_until_, [this] { return ending_ || (wish_ && !wish_->low_priority); });
}

void SceneWorker::run() {
  give_way(Patience::scene);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || wish_; });
    rest(lock);
    if (ending_) return;
    if (!wish_) continue;
    const Wish wish = *std::exchange(wish_, std::nullopt);
    lock.unlock();

    const Clock::time_point start = Clock::now();
    carry_out(wish);

    lock.lock();
    rest_until_ = Clock::now() + kRest * (Clock::now() - start);
    if (ending_) return;
    if (!wish_ || wish_->low_priority) since_.reset();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace glassformer
