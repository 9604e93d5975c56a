// A tokenizer.json of Hugging Face's tokenizers, read and kept unchanged.
#pragma once

#include <memory>
#include <string>

#include "engine/text/tokenizer.h"

namespace glassformer {

// Models WordLevel, WordPiece, BPE and Unigram with the stages of huggingface_stages.h. Added tokens are
// found anywhere in the typed text, or, with `normalized`, as their normalised selves in the normalised one;
// with `single_word` not beside a sign of a word. Special ids by their usual names ([PAD], <pad>, </s>, ...);
// -1 for one that the file lacks, and unk 0. Throws Error in one sentence: for a file that is broken, and
// naming what of it is not read.
std::shared_ptr<const Tokenizer> load_huggingface(const std::string& bytes, const std::string& where);
// With the special ids of a model's configuration.
std::shared_ptr<const Tokenizer> load_huggingface(const std::string& bytes, const SpecialIds& special,
                                                  const std::string& where);

bool is_huggingface(const Tokenizer& tokenizer);  // one of these

}  // namespace glassformer
