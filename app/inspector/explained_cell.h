// One number of a pass, and what is needed to tell how it came about: the inspector's pages of the forward
// pass and the Walk's of gradients are made from the same.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/inspector/page.h"
#include "engine/model/steps/step_sources.h"

namespace glassformer {

struct ExplainedCell {
  const StepNumbers& numbers;
  std::span<const Step> steps;
  StoredCell cell;
  Maker maker;  // of this cell
  double value = 0;
  double smoothing = 0;  // of the loss shown
  // A token or a word of a vocabulary at a place along the columns or the rows of an operand.
  std::function<std::string(const Operand&, bool columns, int at)> word;
  std::function<std::optional<Command>(const StoredCell&)> link;  // nothing for what has no page
};

// Adds "How it was computed", "Comes from" and "Where it goes" and names the paper's section: all from the
// step that made the number. What a what-if changed is noted, in numbers of the way forward.
void add_explanation(InspectorPage& page, const ExplainedCell& explained);

}  // namespace glassformer
