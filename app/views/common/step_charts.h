// A view with charts over training steps, and how far apart steps are on them.
#pragma once

#include "app/views/common/view.h"

namespace glassformer {

class StepCharts : public View {
 public:
  bool space_steps(StepSpacing spacing) override {
    even_ = spacing == StepSpacing::even;
    return true;
  }

 protected:
  bool even_ = false;
};

}  // namespace glassformer
