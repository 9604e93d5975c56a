// What the parts of the Attention view answer to the mouse: a cell, a row or column, a head.
#pragma once

#include <optional>
#include <string>

#include "app/canvas/hit_region.h"
#include "app/views/attention/attention_drawing.h"
#include "app/views/common/picking.h"

namespace glassformer {

HitRegion cell_hit(const AttentionScene& scene, int row, int column);
// A whole row or column: no single cell is meant. `where` makes the label its own: " row", " chip".
HitRegion line_hit(const AttentionScene& scene, std::optional<int> row, std::optional<int> column,
                   const std::string& where);

}  // namespace glassformer
