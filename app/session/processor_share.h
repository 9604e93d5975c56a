// How much of a processor a thread has had lately.
#pragma once

namespace glassformer {

class ProcessorShare {
 public:
  static constexpr double kSpan = 4;  // seconds that it is measured over

  // 0 to 1; 1 until it is known. Seconds of the clock, and those that the thread computed (processor_seconds
  // in priority.h).
  double at(double clock, double computed) {
    if (clock_ < 0) clock_ = clock, computed_ = computed;
    if (clock - clock_ >= kSpan) {
      share_ = (computed - computed_) / (clock - clock_);
      clock_ = clock, computed_ = computed;
    }
    return share_;
  }

 private:
  double clock_ = -1, computed_ = 0, share_ = 1;  // at the last measurement
};

}  // namespace glassformer
