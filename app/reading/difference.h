// How two Scenes that are compared differ: the second less the first, cell by cell. What every view that
// shows a difference (ViewInput::difference_to) has in common.
#pragma once

#include <string>

#include "app/reading/view_input.h"

namespace glassformer {

// One cell. What a mask hides in both is hidden; where it hides it in one alone the difference is infinite.
float second_less_first(float second, float first);
bool hidden_in_both(float second, float first);  // −∞, as scores are

// Below the title of the view, and in place of what a step explains.
inline constexpr const char* kDifferenceSubtitle =
    "The second less the first, cell by cell: blue is more in the second, red is less.";
inline constexpr const char* kDifferenceSteps =
    "Every matrix is that of the second less that of the first. The step joins the numbers of each side, not "
    "their differences.";
// Behind the title of a table: ", the second less the first"; empty where the numbers themselves are shown.
std::string difference_suffix(const ViewInput& input);

// "The two cannot be subtracted: the first has 4 heads, the second 8."; empty: they can.
std::string no_difference(const std::string& unlike);

}  // namespace glassformer
