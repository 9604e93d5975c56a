// One number of a pass, and what is needed to explain how it came about: the inspector's pages of the forward
// pass and the Walk's of gradients are made from the same.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "app/inspector/page.h"
#include "app/reading/number_reader.h"
#include "app/reading/view_input.h"

namespace glassformer {

struct ExplainedCell {
  const NumberReader& reader;
  std::span<const Step> steps;
  StoredCell cell;
  Maker maker;                                                    // of this cell
  double smoothing = 0;                                           // of the loss shown
  std::function<std::optional<Command>(const StoredCell&)> link;  // nothing for what has no page
  const ViewInput& input;  // whose page of a lesson may cover numbers that it is made of

  const StepNumbers& numbers() const { return reader.numbers(); }
  double value() const { return reader.value(cell); }
  bool covers(const StoredCell& other) const;
};

// Adds "How it was computed", "Comes from" and "Where it goes" and names the paper's section: all from the
// step that made the number. What a what-if changed is noted, in numbers of the way forward.
void add_explanation(InspectorPage& page, const ExplainedCell& explained);

}  // namespace glassformer
