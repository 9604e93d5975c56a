// What-ifs as a tap. The masks are no concern of the tap: they are switches of the batch.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/layers/tap.h"
#include "engine/model/config.h"
#include "engine/model/names.h"
#include "engine/model/what_if.h"

namespace glassformer {

// Changes values as they pass, forward and backward. `next`, if any, sees them afterwards.
template <class Scalar>
class WhatIfTap : public Tap<Scalar> {
 public:
  WhatIfTap(const WhatIf& what_if, const Config& config, Tap<Scalar>* next = nullptr);
  void operator()(const TapPoint& point, MatrixRef<Scalar> value) override;

 private:
  void change(const TapPoint& point, MatrixRef<Scalar>& value);
  void undo_rotation(const TapPoint& point, MatrixRef<Scalar>& value, bool behind_next);

  std::map<std::string, std::vector<int>> muted_heads_;        // "....context" -> heads
  std::set<std::string> muted_outputs_;                        // "....output"
  std::map<std::string, std::vector<EditedRow>> edited_rows_;  // "....weights"
  bool drop_positions_ = false;
  bool drop_rotation_ = false;
  std::map<ValueKind, Matrix<Scalar>> unrotated_;  // queries and keys on their way through a rotation
  bool drop_scale_ = false;
  Scalar scale_back_ = 1;  // sqrt(k)
  Tap<Scalar>* next_ = nullptr;
};

extern template class WhatIfTap<float>;
extern template class WhatIfTap<double>;

}  // namespace glassformer
