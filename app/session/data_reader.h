// The data of the open model, made ready on a worker before anybody trains, so that Train answers at once.
// Only what the program makes itself, from a task or a grammar: files are read when they are asked for. What
// was made when the program was built is read.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "app/scene/data_preview.h"
#include "engine/text/data.h"

namespace glassformer {

// Null data: they could not be prepared, and whoever wants them says why. Not valid: nothing is being
// prepared.
using FutureData = std::shared_future<std::shared_ptr<const PreparedData>>;

class DataAhead {
 public:
  ~DataAhead();  // waits for what it has begun

  // Continues where the same are being prepared already; what was being prepared before is aborted. It begins
  // a moment later: who only looks in needs none of it.
  void prepare(const DataOptions& data, const Tokenizers& tokenizers);
  void stop();
  // Those of a run, if they are these.
  FutureData of(const DataOptions& data, const Tokenizers& tokenizers) const;

 private:
  bool same(const DataOptions& data, const Tokenizers& tokenizers) const;

  DataOptions data_;
  Tokenizers tokenizers_;
  std::shared_ptr<std::atomic<bool>> stopped_;
  FutureData prepared_;
  std::vector<FutureData> ending_;  // aborted, and not over yet
};

// The data once they are there; null when there are none, so that they are to be prepared. Throws Error as
// soon as `progress` says no.
std::shared_ptr<const PreparedData> wait_for(const FutureData& data, const DataProgress& progress);

// Reads the data somebody chose, on its own thread, with progress and cancelling.

class DataReader {
 public:
  // `given` tokenizers are used unchanged; else they are learned from the data.
  DataReader(const DataOptions& options, Tokenizers given, std::function<void()> wake);
  ~DataReader();  // stops reading
  DataReader(const DataReader&) = delete;
  DataReader& operator=(const DataReader&) = delete;

  DataPreview preview() const;  // so far

 private:
  std::function<void()> wake_;
  std::atomic<bool> ending_ = false;
  mutable std::mutex mutex_;
  DataPreview preview_;
  std::thread thread_;  // last: starts when all else is there
};

}  // namespace glassformer
