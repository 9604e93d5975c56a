// Numbers that take longer than a frame may: made once for a key, on a worker when they are large, and kept
// until the key changes. The last ones stay on screen meanwhile.
#pragma once

#include <future>
#include <memory>
#include <mutex>
#include <utility>
#include "engine/math/ready.h"

namespace glassformer {

// Safe to use from several threads: copies of a view share one.
template <class Key, class Value>
class Background {
 public:
  struct Found {
    std::shared_ptr<const Value> value;  // null: nothing yet
    Key key{};                           // what it belongs to
    bool current = false;                // that is the key that was asked for
  };

  // `make()` gives the Value and must own what it reads. `at_once`: make it here and now, for what is small
  // and for pictures that go to a file. What make throws is thrown here, once.
  template <class Make>
  Found get(const Key& key, bool at_once, const Make& make) {
    std::unique_lock lock(mutex_);
    collect();
    if (value_ && key_ == key) return {value_, key_, true};
    if (at_once) {
      lock.unlock();  // the screen does not wait for a picture that goes to a file
      auto made = std::make_shared<const Value>(make());
      lock.lock();
      value_ = made;
      key_ = key;
      return {made, key, true};
    }
    if (!work_.valid()) {
      work_key_ = key;
      work_ = std::async(std::launch::async, [make] { return std::make_shared<const Value>(make()); });
    }
    return {value_, key_, false};
  }

  // The last that was made, whatever it belongs to; null: nothing yet.
  std::shared_ptr<const Value> last() {
    const std::lock_guard lock(mutex_);
    return value_;
  }

  bool busy() {
    const std::lock_guard lock(mutex_);
    return work_.valid();
  }

 private:
  void collect() {
    if (!is_ready(work_)) return;
    value_ = work_.get();
    key_ = work_key_;
  }

  std::mutex mutex_;
  Key key_{}, work_key_{};
  std::shared_ptr<const Value> value_;
  std::future<std::shared_ptr<const Value>> work_;
};

}  // namespace glassformer
