// The mouse over a part of a picture that represents words or a head.
#pragma once

#include <string>

#include "app/canvas/hit_region.h"
#include "app/scene/selection.h"

namespace glassformer {

// Shows the selection while the mouse is over it, and pins it on a click.
inline HitRegion picking(std::string label, const Selection& selection, std::string tooltip = {}) {
  HitRegion hit;
  hit.label = std::move(label);
  hit.hover = SetHover{selection};
  hit.click = SetPin{selection};
  hit.tooltip = std::move(tooltip);
  return hit;
}

}  // namespace glassformer
