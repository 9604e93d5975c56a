// A result without what was changed in its Scene: it stands in while O is held.
#pragma once

#include <memory>
#include <utility>

#include "app/scene/scene.h"

namespace glassformer {

class UntouchedResult {
 public:
  // Null: nothing was changed, or the untouched numbers are not there yet.
  std::shared_ptr<const SceneResult> of(const std::shared_ptr<const SceneResult>& result) {
    if (!result || result->untouched == result->trace || !result->untouched) return nullptr;
    if (of_ == result) return untouched_;
    auto plain = std::make_shared<SceneResult>(*result);
    plain->trace = plain->untouched;
    plain->gradients = plain->untouched_gradients;
    plain->scene.what_if = {};
    untouched_ = std::move(plain);
    of_ = result;
    return untouched_;
  }

 private:
  std::shared_ptr<const SceneResult> untouched_, of_;
};

}  // namespace glassformer
