// The numbers that one number of the Walk was made of, for the inspector: the step's formula, the terms, the
// result, and the way back to each of them.
#pragma once

#include "app/inspector/page.h"
#include "app/reading/walk_scene.h"

namespace glassformer {

void add_numbers(InspectorPage& page, const WalkScene& scene, const Maker& maker, const StoredCell& cell);

}  // namespace glassformer
