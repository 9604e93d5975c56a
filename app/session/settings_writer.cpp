#include "app/session/settings_writer.h"

#include <utility>

#include "app/session/pace.h"

namespace glassformer {

SettingsWriter::SettingsWriter(std::filesystem::path file, Settings as_read, std::function<void()> wake)
    : file_(std::move(file)),
      wake_(std::move(wake)),
      asked_(as_read),
      tried_(as_read),
      written_(std::move(as_read)),
      thread_([this] { run(); }) {}

SettingsWriter::~SettingsWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void SettingsWriter::keep(const Settings& settings) {
  {
    const std::lock_guard lock(mutex_);
    asked_ = settings;
  }
  changed_.notify_all();
}

void SettingsWriter::finish() {
  std::unique_lock lock(mutex_);
  at_once_ = true;
  changed_.notify_all();
  done_.wait(lock, [this] { return !at_once_; });
}

std::string SettingsWriter::take_problem() {
  const std::lock_guard lock(mutex_);
  return std::exchange(problem_, {});
}

void SettingsWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || at_once_ || asked_ != tried_; });
    changed_.wait_for(lock, settings_saved_after(), [this] { return ending_ || at_once_; });
    while (asked_ != tried_) write(lock);
    at_once_ = false;
    done_.notify_all();
    if (ending_) return;
  }
}

void SettingsWriter::write(std::unique_lock<std::mutex>& lock) {
  const Settings settings = asked_, before = written_;
  lock.unlock();
  std::string problem = write_settings(file_, settings, before);
  lock.lock();
  tried_ = settings;  // what could not be written is not tried again until something changes
  if (problem.empty()) {
    written_ = settings;
    return;
  }
  problem_ = std::move(problem);
  if (wake_) wake_();
}

}  // namespace glassformer
