#include "app/session/run_thread.h"

#include <utility>

#include "app/scene/sentences.h"
#include "app/session/run_loop.h"

namespace glassformer {

RunThread::RunThread(Make make, Options options)
    : moments_(options.moments),
      make_(std::move(make)),
      options_(std::move(options)),
      thread_([this] { Loop(*this).run(); }) {}

RunThread::~RunThread() {
  end();
}

std::string RunThread::finish_saving() {
  std::unique_lock lock(mutex_);
  if (!prepared_) return {};
  const auto problem = std::make_shared<std::optional<std::string>>();
  wishes_.emplace_back([this, problem](Loop& loop) {
    std::string said = loop.finish_saving();
    const std::lock_guard done(mutex_);
    *problem = std::move(said);
  });
  ++waited_for_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return problem->has_value() || over_; });
  --waited_for_;
  return problem->value_or(last_error_);
}

std::string RunThread::end() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  const std::string copy_error = update_ ? std::exchange(update_->copy_error, {}) : std::string();
  return joined({last_error_, copy_error});
}

bool RunThread::prepared() const {
  const std::lock_guard lock(mutex_);
  return prepared_;
}

void RunThread::wish(std::function<void(Loop&)> what) {
  {
    const std::lock_guard lock(mutex_);
    wishes_.push_back(std::move(what));
  }
  changed_.notify_all();
}

void RunThread::go() {
  wish([](Loop& loop) { loop.set_running(true); });
}
void RunThread::go_on() {
  wish([](Loop& loop) { loop.go_on(); });
}
void RunThread::pause() {
  wish([](Loop& loop) { loop.set_running(false); });
}
void RunThread::one_step() {
  wish([](Loop& loop) { loop.step_once(); });
}
void RunThread::change(const SetLearning& settings, long at_step) {
  wish([settings, at_step](Loop& loop) { loop.change(settings, at_step); });
}
void RunThread::keep_history(std::size_t bytes) {
  wish([bytes](Loop& loop) { loop.keep_history(bytes); });
}
void RunThread::save_copy(const std::string& folder) {
  wish([folder](Loop& loop) { loop.save_copy(folder); });
}

void RunThread::save() {
  wish([](Loop& loop) { loop.finish_saving(); });
}
void RunThread::keep_in(const std::string& folder) {
  wish([folder](Loop& loop) { loop.keep_in(folder); });
}

std::optional<RunUpdate> RunThread::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(update_, std::nullopt);
}

}  // namespace glassformer
