// Counts one side of prepared data: lengths, unknown tokens, how much of the vocabulary is used.
#pragma once

#include "engine/text/data.h"

namespace glassformer {

SideReport report_side(const DataPart& training, const DataPart& validation, const Tokenizer& tokenizer,
                       bool source);

}  // namespace glassformer
