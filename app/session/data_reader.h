// Reads the data somebody chose, on a thread of its own, with progress and cancelling.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "app/scene/data_preview.h"

namespace glassformer {

class DataReader {
 public:
  // `given` tokenizers are used as they are; else they are learned from the data.
  DataReader(const DataOptions& options, Tokenizers given, std::function<void()> wake);
  ~DataReader();  // stops reading
  DataReader(const DataReader&) = delete;
  DataReader& operator=(const DataReader&) = delete;

  DataPreview preview() const;  // as it is now

 private:
  std::function<void()> wake_;
  std::atomic<bool> ending_ = false;
  mutable std::mutex mutex_;
  DataPreview preview_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace glassformer
