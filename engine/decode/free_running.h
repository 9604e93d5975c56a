// A translation written without help: the decoder reads its own words. Teacher forcing, as in training, reads
// the right ones instead; beside each other they show what a mistake costs.
#pragma once

#include <vector>

#include "engine/model/what_if/changed_model.h"

namespace glassformer {

struct FreeRun {
  std::vector<int> ids;  // the most probable word at every place, eos included when reached, bos not
  std::vector<double> log_probabilities;  // of each
  // Of the right word of each place, after the words written before it; as many as there are of both.
  std::vector<double> right_log_probabilities;
};

// `right`: the known translation, eos included where the model writes it. A forced beginning is obeyed.
// Throws Error on a right word outside the vocabulary and on a source that is too long.
template <class Scalar>
FreeRun run_free(const ChangedModel<Scalar>& model, const std::vector<int>& source,
                 const std::vector<int>& right);

}  // namespace glassformer
