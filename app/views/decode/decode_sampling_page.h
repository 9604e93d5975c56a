// The third page of the Decode view: a place's distribution before and after temperature, top-k and top-p,
// and five sentences drawn with them side by side.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/decode/decode_sampling.h"

namespace glassformer {

inline constexpr const char* kSamplingTitle = "Drawing the next word instead of taking the likeliest";

// Where the parts of the picture stand.
struct SamplingLayout {
  Rect controls;  // one row
  Rect places;    // the Scene's decoding, a chip a word
  Rect bars, words;
  Rect samples;
};
SamplingLayout layout_sampling(const Rect& area);
Point sampling_minimum();

// The most probable words have a bar each, the others one together.
int bars_shown(const SamplingScene& scene);
long others_count(const SamplingScene& scene);
TokenShare others_share(const SamplingScene& scene);

void draw_sampling_page(Canvas& canvas, const Rect& area, const SamplingScene& scene);
void sampling_controls(ui::Ui& ui, const Rect& area, const SamplingScene& scene, SamplingState& state);

std::optional<InspectorPage> sampling_page(const SamplingScene& scene);
std::vector<NumberTable> sampling_numbers(const SamplingScene& scene);
std::string sampling_caption(const SamplingScene& scene);

}  // namespace glassformer
