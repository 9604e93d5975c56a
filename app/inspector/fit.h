// Which pins stay when another view is opened.
#pragma once

#include <string_view>

#include "app/session/selection.h"

namespace glassformer {

// True when the view (a name of the view table) draws this number or the block it lies in. A pin that does
// not fit is let go, so that the inspector tells of what is on the stage.
bool belongs_to_view(std::string_view view, const CellRef& cell);

// True for the views in which a query and a key alone mean their weight.
bool shows_weights(std::string_view view);

}  // namespace glassformer
