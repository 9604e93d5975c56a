// What an area that scrolls both ways loses on its right and bottom to the bars beside it.
#pragma once

namespace glassformer::ui {

inline constexpr float kBesideScrollBars = 10;

}  // namespace glassformer::ui
