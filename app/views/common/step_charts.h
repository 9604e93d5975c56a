// A view with charts over training steps, and how far apart steps stand on them.
#pragma once

namespace glassformer {

// By their square root, so that early ones have room, or evenly.
enum class StepSpacing { root, even };

class StepCharts {
 public:
  void space_steps(StepSpacing spacing) { even_ = spacing == StepSpacing::even; }

 protected:
  ~StepCharts() = default;

  bool even_ = false;
};

}  // namespace glassformer
