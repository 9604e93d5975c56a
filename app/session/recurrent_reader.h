// The typed sentence in the recurrent model that is beside the Transformer, read on a worker whenever one
// of the two has changed.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>

#include "app/scene/recurrent_run.h"
#include "app/scene/recurrent_scene.h"

namespace glassformer {

// The state has a model. Where the sentence cannot be read, a held-out one replaces it.
RecurrentReading recurrent_reading(const RecurrentRunState& state, const std::string& typed);

class RecurrentReader {
 public:
  // `wake`: a reading is ready. Called on the worker.
  explicit RecurrentReader(std::function<void()> wake) : wake_(std::move(wake)) {}

  // Takes what is ready and begins what is wanted. True: the reading is another one now.
  bool update(const std::shared_ptr<const RecurrentRunState>& state, const std::string& typed);
  std::shared_ptr<const RecurrentReading> shown() const { return shown_; }  // null: none yet

 private:
  std::function<void()> wake_;
  std::string folder_, name_;            // of the run that is read
  std::shared_ptr<const void> weights_;  // the model's, or those of a step that is looked at
  std::string typed_;
  std::shared_ptr<const RecurrentReading> shown_;
  bool outdated_ = false;  // the one under way is of another run
  std::future<RecurrentReading> work_;
};

}  // namespace glassformer
