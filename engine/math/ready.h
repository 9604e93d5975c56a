// Whether work on another thread has ended, without waiting for it.
#pragma once

#include <chrono>
#include <future>

namespace glassformer {

// Of a std::future or a std::shared_future; false where none is under way.
template <class Future>
bool is_ready(const Future& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace glassformer
