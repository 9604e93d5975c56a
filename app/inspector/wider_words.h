// What the texts about Transformers say besides the arithmetic of a step: what it costs, what else could
// are in its place, how others read it. Every number is computed from the open model and sentence.
#pragma once

#include <optional>
#include <vector>

#include "app/inspector/page.h"
#include "engine/model/steps/step.h"
#include "engine/model/steps/step_numbers.h"

namespace glassformer {

struct RowAndColumn {
  int row = 0, column = 0;
};

// Scores and multiplications of an attention of all heads, of one as wide as all of them, and of twice as
// many words on either side.
InspectorSection cost_of_attention(int queries, int keys, const Config& config);

// Of a step, or of one number that it gives; none for most.
std::vector<InspectorSection> wider_sections(const Step& step, const StepNumbers& numbers,
                                             std::optional<RowAndColumn> chosen = {});

// A number of a matrix less the mean over its row, divided by the deviation over that row; and the same over
// its column. The deviation is the root of the mean square and `eps`, as LayerNorm's. The slip: over the row,
// squares divided by n - 1 and `eps` added to the root, as a deviation of a sample is written down first.
struct Normalized {
  double slip = 0, over_row = 0, over_column = 0;
};
Normalized normalized_both_ways(const OperandNumbers& numbers, RowAndColumn at, double eps);

}  // namespace glassformer
