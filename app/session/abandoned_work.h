// Work that is not wanted any more and may take a while to end: nobody waits for it.
#pragma once

#include <future>
#include <utility>
#include <vector>

#include "engine/math/ready.h"

namespace glassformer {

class AbandonedWork {
 public:
  template <class Owned>
  void end(Owned what) {
    ends_.push_back(std::async(
        std::launch::async, [ending = std::move(what)]() mutable { const Owned last = std::move(ending); }));
  }
  bool empty() const { return ends_.empty(); }
  // True when something has ended since it was asked last.
  bool take() {
    return std::erase_if(ends_, [](const std::future<void>& end) { return is_ready(end); }) > 0;
  }

 private:
  std::vector<std::future<void>> ends_;
};

}  // namespace glassformer
