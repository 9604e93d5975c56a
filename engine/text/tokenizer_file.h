// A tokenizer that others made, opened to be looked at: a sentencepiece model (.model), or the vocab.txt of
// BERT.
#pragma once

#include <memory>
#include <string>

#include "engine/text/tokenizer.h"

namespace glassformer {

// By its content, or by the ending .model; else it is a vocabulary of a piece a line. Throws Error in one
// sentence, as load_sentencepiece and load_bert_vocabulary do, and for a file of more than 64 MB.
std::shared_ptr<const Tokenizer> open_tokenizer_file(const std::string& path);

}  // namespace glassformer
