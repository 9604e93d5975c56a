#include "engine/model/recorder.h"

#include <algorithm>

namespace glassformer {
namespace {

std::size_t size_of(const std::vector<int>& shape) {
  std::size_t size = 1;
  for (const int extent : shape) size *= static_cast<std::size_t>(extent);
  return size;
}

}  // namespace

void Recorder::operator()(const TapPoint& point, MatrixRef<float> value) {
  switch (point.shape) {
    case TapShape::table: {
      Tensor& to = tensor(point, {static_cast<int>(value.rows()), static_cast<int>(value.cols())});
      Eigen::Map<Matrix<float>>(to.values.data(), value.rows(), value.cols()) = value;
      break;
    }
    case TapShape::attention:
      keep_attention(point, value);
      break;
    case TapShape::rows:
    case TapShape::per_row:
    case TapShape::heads:
      keep_rows(point, value);
      break;
  }
}

Tensor& Recorder::tensor(const TapPoint& point, const std::vector<int>& shape) {
  auto& tensors = point.gradient ? trace_.gradients : trace_.tensors;
  Tensor& found = tensors[point.name];
  if (found.shape != shape) {
    found.shape = shape;
    found.values.assign(size_of(shape), 0.0f);
  }
  return found;
}

// Each row goes to its sentence and place; with heads, its stretches go to one plane each.
void Recorder::keep_rows(const TapPoint& point, const MatrixRef<float>& value) {
  const PackedIds& tokens = ids(point.side);
  const int sentences = tokens.sentences(), longest = tokens.longest();
  const int heads = point.shape == TapShape::heads ? point.heads : 1;
  const int width = static_cast<int>(value.cols()) / heads;
  std::vector<int> shape = {sentences, longest};
  if (point.shape == TapShape::rows) shape = {sentences, longest, width};
  if (point.shape == TapShape::heads) shape = {sentences, heads, longest, width};
  Tensor& to = tensor(point, shape);

  const int end = point.first_row + static_cast<int>(value.rows());
  for (int sentence = 0; sentence < sentences; ++sentence) {
    const int first = std::max(tokens.begin(sentence), point.first_row);
    const int last = std::min(tokens.begin(sentence) + tokens.length(sentence), end);
    for (int row = first; row < last; ++row) {
      const float* from = value.row(row - point.first_row).data();
      const int place = row - tokens.begin(sentence);
      for (int head = 0; head < heads; ++head) {
        const std::ptrdiff_t plane = (static_cast<std::ptrdiff_t>(sentence) * heads + head) * longest;
        std::copy_n(from + head * width, width, to.values.data() + (plane + place) * width);
      }
    }
  }
}

void Recorder::keep_attention(const TapPoint& point, const MatrixRef<float>& value) {
  const int queries = ids(point.side).longest(), keys = ids(point.key_side).longest();
  Tensor& to = tensor(point, {batch_.sentences(), point.heads, queries, keys});
  const std::ptrdiff_t plane = static_cast<std::ptrdiff_t>(point.sentence) * point.heads + point.head;
  Eigen::Map<Matrix<float>> all(to.values.data() + plane * queries * keys, queries, keys);
  all.topLeftCorner(value.rows(), value.cols()) = value;
}

}  // namespace glassformer
