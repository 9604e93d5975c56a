// The vocabulary laid flat: the embedding rows of one side, their two strongest directions, and which rows
// resemble a chosen one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <span>

#include "app/reading/background.h"
#include "app/views/common/view.h"
#include "engine/model/parameters.h"
#include "engine/model/statistics.h"

namespace glassformer {

// Whose rows. The model is kept alive by the key.
struct VocabularyKey {
  std::shared_ptr<const Transformer<float>> model = {};
  std::string matrix = {};  // "source_embedding.weight"
  bool operator==(const VocabularyKey&) const = default;
};
using VocabularyMapCache = Background<VocabularyKey, Projection>;

// The words most alike one of them.
struct NeighbourKey {
  VocabularyKey vocabulary = {};
  int id = 0;
  bool operator==(const NeighbourKey&) const = default;
};
using NeighbourCache = Background<NeighbourKey, std::vector<Neighbour>>;

VocabularyKey vocabulary_key(const ViewInput& input, bool source);
// The rows themselves, (V, d); empty when the model has no such matrix.
Plane vocabulary_rows(const VocabularyKey& key);
// The word of an id, or "#17" without a tokenizer.
std::string vocabulary_word(const ViewInput& input, bool source, int id);

// Dots on the map, in the picture's pixels, and the name of each.
struct MapDot {
  int id = 0;
  Point at;
};
// A square scale on both axes would waste room: each axis fills its side, a little margin kept.
std::vector<MapDot> map_dots(const Projection& projection, const Rect& plot);
inline constexpr float kLargeDot = 5;  // px from its middle
// The dot nearest to a point, at most `reach` pixels away: of those drawn large their edge counts.
std::optional<int> dot_under(const std::vector<MapDot>& dots, Point at, float reach,
                             std::span<const int> large);

}  // namespace glassformer
