// A model as MarianMT of Hugging Face's transformers, where it computes what that computes.
#pragma once

#include <string>
#include <vector>

#include "engine/model/checkpoint.h"

namespace glassformer {

// Throws Error naming the first key of the configuration that MarianMT has no word for.
void check_marian(const Config& config);

// Throws Error as check_marian() and write_export(). Returns a sentence for each part that stays behind: the
// tokenizers, where MarianTokenizer cannot read them.
std::vector<std::string> export_marian(const Checkpoint& model, const std::string& folder);

}  // namespace glassformer
