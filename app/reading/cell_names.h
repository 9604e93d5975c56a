// Numbers by the names that the screen knows them by, where they are kept, and what they are: the one place
// that turns a pin into a number.
#pragma once

#include <optional>

#include "app/scene/selection.h"
#include "engine/model/steps/step_sources.h"

namespace glassformer {

// A pass of one sentence, or of several of which one is looked at.
struct CellNames {
  const Transformer<float>& weights;
  const Trace& trace;
  int sentence = 0;        // in the trace
  int shown_sentence = 0;  // on screen: of a sentence run alone, its place in the Scene
};

// "encoder.layers.0.self_attn.query" [0, 1, 2, 3]; ids are "source.ids", masks end in ".mask", the numbers of
// the optimizer's step begin with "adam.". Nothing for a value that the trace does not hold.
std::optional<CellRef> cell_ref(const CellNames& names, const StoredCell& cell);
// The other way round; nothing for a name or a place that is not there. Rows of padding are there.
std::optional<StoredCell> stored_of(const CellNames& names, const CellRef& cell);

// NaN when it was not recorded, and for masks, which are rules.
double number_in(const StepNumbers& numbers, const StoredCell& cell);

}  // namespace glassformer
