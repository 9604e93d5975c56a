// The vocabulary laid flat: the embedding rows of one side, their two strongest directions, and which rows
// resemble a chosen one. And where names can be written on such a map without touching each other.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/background.h"
#include "app/views/view.h"
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
// The dot nearest to a point, at most `reach` pixels away.
std::optional<int> dot_under(const std::vector<MapDot>& dots, Point at, float reach);

// Where names go: asked for in order of importance, each is put right of, left of, above or below its dot,
// where it touches no name and no important dot; nothing when there is no such place.
class LabelPlacer {
 public:
  explicit LabelPlacer(const Rect& bounds) : bounds_(bounds) {}
  void block(const Rect& rect) { taken_.push_back(rect); }
  // `size` of the name; returns its rectangle.
  std::optional<Rect> place(Point dot, Point size, float distance);

 private:
  Rect bounds_;
  std::vector<Rect> taken_;
};

}  // namespace glassformer
