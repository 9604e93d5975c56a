// What the first words of a sentence cost together.
#pragma once

#include <span>

#include "engine/model/trace.h"

namespace glassformer {

// Of a sentence as far as its first `tokens` words: the mean of their losses, given the right words.
double loss_so_far(const Trace& trace, int sentence, int tokens);
// Of what was written, as far as its first `tokens` words: how probable they are together, given each one's
// own.
double log_probability_so_far(std::span<const double> of_tokens, int tokens);

}  // namespace glassformer
