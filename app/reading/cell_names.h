// The names that the screen knows numbers by, and where those numbers are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/selection.h"
#include "app/widgets/formula.h"
#include "engine/model/steps/step.h"
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

// Means, deviations and losses: one number a row.
bool is_one_a_row(const StoredCell& cell);
// Empty: the model has no such parameter.
std::vector<int> parameter_shape(const Transformer<float>& weights, std::string_view name);

// Names count layers from 0, as PyTorch's do, words on screen from 1: "decoder.layers.1: layer 2 of the
// decoder; names count from 0". Empty: the name is of no layer.
std::string counted_layer(std::string_view name);

// How a step of the Walk and its operands are written.

// "W_Q" and "C_1" with their indices lowered; everything else unchanged.
Formula walk_formula(std::string_view text);

// "Q" of "Q′": what a rotation has turned is still a query.
std::string_view without_prime(std::string_view symbol);

// Which of several operands with the same symbol it is: "layer 2", "source"; empty where there is but one.
std::string operand_which(const Step& step, const Operand& operand);

}  // namespace glassformer
