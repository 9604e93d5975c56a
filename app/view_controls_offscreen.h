// The controls of a view set without a window, for pictures that are drawn with none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// Each control, as the window labels it, takes its value as if a hand had set it. Returns the controls that
// did not: the view has none of that name, or not that value. Needs the main thread: Dear ImGui has one
// context.
std::vector<std::string> set_controls(View& view, const ViewInput& input, Point size,
                                      const std::vector<std::pair<std::string, std::string>>& settings);
// What its controls are called then.
std::vector<std::string> control_names(View& view, const ViewInput& input, Point size,
                                       const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace glassformer
