// How long a step of a model that is being chosen takes, measured beside the screen.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "engine/model/config.h"
#include "engine/train/options.h"

namespace glassformer {

class StepTiming {
 public:
  ~StepTiming();
  // Seconds a step; nothing while they are being measured. 0: the model cannot be made.
  std::optional<double> of(const Config& config, const TrainingOptions& options);
  void measure_again();  // the machine may be another's by now

 private:
  struct Asked {
    Config config;
    int batch_tokens = 0, extra_padding = 0, threads = 0;
    bool operator==(const Asked&) const = default;
  };

  std::optional<Asked> asked_;
  std::optional<double> seconds_;
  std::shared_ptr<std::atomic<bool>> stop_;
  std::future<double> work_;
};

}  // namespace glassformer
