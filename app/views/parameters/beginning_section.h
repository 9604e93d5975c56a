// What the inspector and a file tell of how a tensor began, before the first step of training.
#pragma once

#include <string>

#include "app/views/parameters/parameter_sheets.h"
#include "engine/train/options.h"

namespace glassformer {

// The limits of Xavier with their formula and how many numbers lie outside now; of other tensors what they
// begin with. `sheet`: of the weights at this step; null while they are being looked through.
bool is_embedding_table(const std::string& name);  // "source_embedding.weight"
// As a run of these settings begins it: embeddings may be wider, and some of their rows given.
InitialWeights as_begun(InitialWeights begin, const std::string& name, const TrainingOptions& options);
InspectorSection beginning_section(const InitialWeights& begin, long step, const TensorSheet* sheet,
                                   bool given_rows = false);
NumberTable beginning_numbers(const std::string& name, const InitialWeights& begin, const TensorSheet& sheet);

}  // namespace glassformer
