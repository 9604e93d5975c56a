#include "app/views/embedding/vocabulary_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace glassformer {

VocabularyKey vocabulary_key(const ViewInput& input, bool source) {
  const bool own = source && input.snapshot.config.sharing != Sharing::all;
  return {input.snapshot.weights, embedding_value(own, ValueKind::embedding_table)};
}

Plane vocabulary_rows(const VocabularyKey& key) {
  if (key.model)
    for (const ParameterView& parameter : parameters(*key.model))
      if (parameter.name == key.matrix) return {parameter.data, parameter.rows(), parameter.columns()};
  return {};
}

std::string vocabulary_word(const ViewInput& input, bool source, int id) {
  const auto& tokenizer = source ? input.tokenizers.source : input.tokenizers.target;
  if (!tokenizer || id < 0 || id >= tokenizer->size()) return "#" + std::to_string(id);
  const std::string piece = tokenizer->piece(id);
  return piece == " " ? "␣" : piece;
}

std::vector<MapDot> map_dots(const Projection& projection, const Rect& plot) {
  std::vector<MapDot> dots;
  if (projection.components < 2) return dots;
  const int rows = static_cast<int>(projection.coordinates.size()) / projection.components;
  std::array<float, 2> low{}, high{};
  for (int axis = 0; axis < 2; ++axis)
    for (int row = 0; row < rows; ++row) {
      const float value = projection.at(row, axis);
      low[static_cast<std::size_t>(axis)] =
          row == 0 ? value : std::min(low[static_cast<std::size_t>(axis)], value);
      high[static_cast<std::size_t>(axis)] =
          row == 0 ? value : std::max(high[static_cast<std::size_t>(axis)], value);
    }
  const Rect inside = plot.inset(10);
  const auto share = [&](int row, std::size_t axis) {
    const float width = high[axis] - low[axis];
    return width > 0 ? (projection.at(row, static_cast<int>(axis)) - low[axis]) / width : 0.5f;
  };
  dots.reserve(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row)
    dots.push_back(
        {row, {inside.x + inside.width * share(row, 0), inside.bottom() - inside.height * share(row, 1)}});
  return dots;
}

std::optional<int> dot_under(const std::vector<MapDot>& dots, Point at, float reach,
                             std::span<const int> large) {
  std::optional<int> nearest;
  float best = reach;
  for (const MapDot& dot : dots) {
    float distance = std::hypot(dot.at.x - at.x, dot.at.y - at.y);
    if (std::ranges::find(large, dot.id) != large.end()) distance = std::max(0.0f, distance - kLargeDot);
    if (distance > best) continue;
    best = distance;
    nearest = dot.id;
  }
  return nearest;
}

}  // namespace glassformer
