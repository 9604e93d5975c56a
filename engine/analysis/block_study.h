// What a block does to the words that pass through it: how far it moves them, and which of its hidden units
// answer to which word.
#pragma once

#include <vector>

#include "engine/model/trace.h"

namespace glassformer {

// How large what a sub-layer adds is beside the stream it is added to: |added| / |stream|, a row each. Both
// (L, d). A row of zeros that something is added to gives infinity.
std::vector<double> relative_changes(const Plane& stream, const Plane& added);

// A hidden unit fires for a word when its activation is above 0: exactly where its ReLU lets something
// through (GELU and Swish keep the sign, so it is the same question).
struct UnitActivity {
  int firing = 0;      // words it fires for
  int strongest = -1;  // the row of its largest activation; -1: it fires for none
};
// hidden: (L, f), after the activation.
std::vector<UnitActivity> unit_activity(const Plane& hidden);

struct FiringSummary {
  double share = 0;           // of all activations, from 0 to 1
  int never = 0, always = 0;  // units that fire for no word, and for every one
};
FiringSummary firing_summary(const std::vector<UnitActivity>& units, int words);

}  // namespace glassformer
