#include "app/session/scene_worker.h"

#include <utility>

#include "app/session/run_scene.h"

namespace glassformer {

SceneWorker::SceneWorker(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { run(); }) {}

SceneWorker::~SceneWorker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SceneWorker::ask(std::shared_ptr<const Snapshot> snapshot, Tokenizers tokenizers, Scene scene) {
  {
    const std::lock_guard lock(mutex_);
    wish_ = Wish{std::move(snapshot), std::move(tokenizers), std::move(scene), ++asked_};
    if (!since_) since_ = std::chrono::steady_clock::now();
  }
  changed_.notify_all();
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
  return since_ ? std::chrono::duration<double>(std::chrono::steady_clock::now() - *since_).count() : 0;
}

void SceneWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || wish_; });
    if (ending_) return;
    const Wish wish = *std::exchange(wish_, std::nullopt);
    lock.unlock();

    Answer answer;
    try {
      answer.result = run_scene(wish.snapshot, wish.tokenizers, wish.scene, [this, &wish] {
        const std::lock_guard guard(mutex_);
        return !ending_ && wish.number >= wanted_from_;
      });
    } catch (const std::exception& error) {
      answer.error = error.what();
    }

    lock.lock();
    if (ending_) return;
    const bool wanted = wish.number >= wanted_from_;
    if (wanted && (answer.result || !answer.error.empty())) answer_ = std::move(answer);
    if (!wish_) since_.reset();
    lock.unlock();
    if (wake_) wake_();
    lock.lock();
  }
}

}  // namespace glassformer
