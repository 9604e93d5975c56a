// The curves of a run in the form that charts take them: columns of numbers, long ones reduced to what a
// screen shows.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/widgets/line_chart.h"
#include "engine/train/curves.h"

namespace glassformer {

struct CurveColumns {
  std::vector<double> x, y;
};

// One value a step, reduced to the smallest and the largest in each of `columns` equal parts of the axis
// (long runs have more steps than a screen has pixels), whose borders may lie off by less than a quarter of
// one. steps[i] is step i + 1.
CurveColumns step_curve(const StepSeries& steps, float StepPoint::*value, const Axis& axis, int columns);
// One value a validation, reduced in the same way; points where `value` gives nothing are left out.
CurveColumns validation_curve(std::span<const ValidationPoint> validations,
                              const std::function<std::optional<double>(const ValidationPoint&)>& value,
                              const Axis& axis, int columns);

enum class CurveOf {  // of the steps, then of the validations
  loss,
  learning_rate,
  gradient_norm,
  tokens_per_s,
  validated_loss,
  words_right,
  sentences_right
};

// The curves of runs as above, each reduced once for an axis and a width in pixels: of a million steps that
// takes longer than a frame has. Keeps those that were asked for last, and their runs' numbers alive. Of one
// thread: a copy is another.
class CurveCache {
 public:
  CurveColumns get(const std::shared_ptr<const Curves>& curves, CurveOf which, const Axis& axis, float width);

 private:
  struct Entry {
    std::shared_ptr<const Curves> curves;
    CurveOf which = CurveOf::loss;
    AxisKind kind = AxisKind::linear;
    double low = 0, high = 0;
    int columns = 0;
    CurveColumns found = {};
  };
  std::list<Entry> newest_;  // first
};

// The last validation at or before a step, and the step's own point.
const ValidationPoint* validation_at(const Curves& curves, long step);
const StepPoint* step_at(const Curves& curves, long step);

// Most steps between validations, for the words "every 50 steps"; 0 when they are uneven.
long validation_interval(const Curves& curves);

}  // namespace glassformer
