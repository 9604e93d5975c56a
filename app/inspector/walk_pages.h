// What the inspector says about a step of the Walk, and about any number in it.
#pragma once

#include "app/inspector/page.h"
#include "app/reading/walk_scene.h"
#include "engine/model/steps/step_check.h"

namespace glassformer {

InspectorPage walk_step_page(const WalkScene& scene, const Step& step);

// A check of a gradient by two passes with the number nudged; made on a worker.
struct CheckKey {
  std::shared_ptr<const SentenceGradients> pass = {};
  StoredCell cell = {};
  bool operator==(const CheckKey&) const = default;
};
using CheckCache = Background<CheckKey, SlopeCheck>;

// About the number in `cell`, wherever it is computed. `checks`: also nudge it, when it is a gradient.
InspectorPage walk_cell_page(const ViewInput& input, const WalkScene& scene, const Step& shown,
                             const StoredCell& cell, CheckCache* checks);

// The number itself; NaN when the pass did not keep it.
// `head`: whose mask, where it is of one.
double walk_value(const WalkScene& scene, const StoredCell& cell, int head);

}  // namespace glassformer
