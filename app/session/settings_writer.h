// Writes the settings soon after they changed, on its own thread: a program that is killed has lost a
// second of them, and no frame waits for a disk.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "app/session/settings.h"

namespace glassformer {

class SettingsWriter {
 public:
  // `as_read`: what the file gave; only later changes are written.
  SettingsWriter(std::filesystem::path file, Settings as_read, std::function<void()> wake);
  ~SettingsWriter();  // writes what is not written yet
  SettingsWriter(const SettingsWriter&) = delete;
  SettingsWriter& operator=(const SettingsWriter&) = delete;

  // What is asked for within a second is written once.
  void keep(const Settings& settings);
  // Writes now and waits for it.
  void finish();
  std::string take_problem();  // a sentence when writing failed, once

 private:
  void run();
  void write(std::unique_lock<std::mutex>& lock);

  const std::filesystem::path file_;
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_, done_;
  Settings asked_, tried_, written_;
  bool at_once_ = false, ending_ = false;
  std::string problem_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace glassformer
