// The model that is being opened, on its own thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/abandoned_work.h"
#include "app/session/opened_model.h"

namespace glassformer {

// The model that the menu always offers: it is not among those opened lately.
bool is_default_model(const std::string& folder);

// How far it is, for both threads.
struct OpeningProgress {
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  std::atomic<double> share = 0;
  std::atomic<bool> stopped = false;
};

// `folder` empty: the bundled model. Waits for what is still being saved there.
using Saves = std::vector<std::shared_future<std::string>>;
std::future<OpenedModel> open_soon(
    const std::string& folder, const Saves& saves, const std::function<void()>& wake,
    std::shared_ptr<OpeningProgress> progress = std::make_shared<OpeningProgress>());

class ModelOpening {
 public:
  // `wake`: it is ready. Called on the thread.
  ModelOpening(AbandonedWork& abandoned, std::function<void()> wake)
      : abandoned_(abandoned), wake_(std::move(wake)) {}

  // `resume`: with the run that it is of; true: training at once.
  void begin(const std::string& folder, const Saves& saves, std::optional<bool> resume = {});
  void stop();
  bool busy() const { return opening_.valid(); }
  bool ready() const;
  OpenedModel take() { return opening_.get(); }  // throws Error
  std::optional<double> share() const;           // of it that is read, once that takes longer than a moment
  const std::string& folder() const { return folder_; }
  std::optional<bool> take_resume() { return std::exchange(resume_, std::nullopt); }

 private:
  AbandonedWork& abandoned_;
  std::function<void()> wake_;
  std::future<OpenedModel> opening_;
  std::shared_ptr<OpeningProgress> progress_;
  std::string folder_;
  std::optional<bool> resume_;
};

}  // namespace glassformer
