// A view that measures what takes long: a picture of it that goes to a file can be given up meanwhile.
#pragma once

#include <atomic>
#include <memory>

namespace glassformer {

using StopFlag = std::shared_ptr<const std::atomic<bool>>;  // null: nothing stops it

class Measures {
 public:
  virtual void stop_with(StopFlag stop) = 0;  // and its copies

 protected:
  ~Measures() = default;
};

}  // namespace glassformer
