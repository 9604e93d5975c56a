// Tokenizers as MarianTokenizer of Hugging Face's transformers reads them.
#pragma once

#include <string>

#include "engine/files/owned_folder.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// source.spm, target.spm, vocab.json (target_vocab.json beside it where the sides have ids of their own) and
// tokenizer_config.json. Writes nothing and returns why, in a sentence, where MarianTokenizer has no such
// form.
std::string write_marian_pieces(OwnedFolder& to, const Tokenizers& tokenizers);

}  // namespace glassformer
