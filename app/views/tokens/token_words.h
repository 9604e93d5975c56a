// What the marks on the chips mean, for the pieces that are shown.
#pragma once

#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// "an emoji", "a letter", "a word", "digits", "a sign"
std::string what_it_is(const std::string& piece);
// A blank is a token too, and has to be seen.
std::string shown_piece(const std::string& piece);
// What is not in the vocabulary, each by what it is; else what the byte pieces stand for, or what
// the bar means.
std::string chips_note(const std::vector<Piece>& pieces);
bool any_unknown(const std::vector<Piece>& pieces);

// The text as it was typed, cut as the model that the tokenizer was made for reads it: unknown capitals
// small, with BERT's vocabulary between [CLS] and [SEP].
std::vector<Piece> with_marks(const Tokenizer& tokenizer, const std::string& text);

}  // namespace glassformer
