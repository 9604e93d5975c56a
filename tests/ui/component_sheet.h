// Every widget in every state on two sheets: what the picture tests draw, and what a designer judges.
#pragma once

#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/widgets/heatmap.h"

namespace glassformer {

struct ComponentSheet {
  std::string name;
  Point size;
  void (*draw)(Canvas& canvas);
};

std::vector<ComponentSheet> component_sheets();

// Six words that read each other under a causal mask, as in decoder self-attention; one weight is not a
// number.
struct SampleMatrix {
  std::vector<float> values;
  int size = 0;
  Plane plane() const { return {values.data(), size, size}; }
};
SampleMatrix sample_weights();
const std::vector<std::string>& sample_words();
bool causal(int row, int column);      // whether it is masked
SampleMatrix sample_scores(int size);  // signed, without a pattern that matters

}  // namespace glassformer
