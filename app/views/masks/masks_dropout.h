// A page of the Masks view: what the next training step drops of the embeddings, of one head's attention and
// of the feed-forward's units, drawn from the run's own random stream.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "engine/math/matrix.h"

namespace glassformer {

struct DroppedPart {
  std::string name;   // "Embeddings", "Weights of layer 2, head 1"
  std::string shown;  // "numbers 1 to 64 of 512"
  std::vector<std::string> rows, columns;
  Matrix<float> mask;          // (rows, columns): 0 or 1 / (1 - p)
  Matrix<float> hidden;        // of the weights: 1 where a mask hides the pair anyway; else empty
  int dropped = 0, cells = 0;  // hidden pairs are not counted
  double p = 0;
};

struct DroppedStep {
  double p = 0, growth = 1;
  double attention_p = 0, attention_growth = 1;  // of the weights
  long step = 0;                                 // of the training, whose masks they are
  unsigned long long seed = 0;
  std::vector<DroppedPart> parts;  // empty: both p are 0
};
// `chosen`: whose attention, layer, head and sentence.
DroppedStep dropped_step(const ViewInput& input, const Selection& chosen);

inline constexpr const char* kDropoutTitle = "What one training step drops";
std::string dropout_subtitle(const DroppedStep& step);
void draw_dropout_page(Canvas& canvas, const Rect& area, const ViewInput& input, const DroppedStep& step);
Point dropout_minimum(const DroppedStep& step);
std::string dropout_caption(const DroppedStep& step);
std::vector<NumberTable> dropout_numbers(const DroppedStep& step);
InspectorPage dropout_page(const DroppedStep& step);

}  // namespace glassformer
