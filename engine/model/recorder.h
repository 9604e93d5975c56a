// A tap that keeps a copy of every value that passes, as tensors padded to the longest sentence.
#pragma once

#include <vector>

#include "engine/layers/tap.h"
#include "engine/model/batch.h"
#include "engine/model/trace.h"

namespace glassformer {

class Recorder : public Tap<float> {
 public:
  // `batch` must outlive the recorder.
  explicit Recorder(const Batch& batch, Trace& trace) : batch_(batch), trace_(trace) {}

  void operator()(const TapPoint& point, MatrixRef<float> value) override;

 private:
  const PackedIds& ids(Side side) const { return side == Side::source ? batch_.source : batch_.target_in; }
  Tensor& tensor(const TapPoint& point, const std::vector<int>& shape);
  void keep_rows(const TapPoint& point, const MatrixRef<float>& value);
  void keep_attention(const TapPoint& point, const MatrixRef<float>& value);

  const Batch& batch_;
  Trace& trace_;
};

}  // namespace glassformer
