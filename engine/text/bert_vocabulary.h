// The vocab.txt of BERT, as it is: a WordPiece vocabulary, a piece a line, the id of a piece is its line
// (from 0 on). [PAD], [UNK], [CLS], [SEP] and [MASK] are found by name and keep their names.
//
// Text is read as BERT reads it: cut at blanks, at signs of punctuation and around Chinese characters; in
// lower case and without accents when no piece of the vocabulary has a capital letter. [MASK] and the others
// may be typed. A word of more than 100 letters is unknown.
#pragma once

#include <memory>
#include <string>

#include "engine/text/tokenizer.h"

namespace glassformer {

// special().bos is [CLS], special().eos [SEP]; -1 for one that the file lacks. Throws Error in one sentence
// for a file without [UNK], or as piece_lines (word_piece.h) does.
std::shared_ptr<const Tokenizer> load_bert_vocabulary(const std::string& bytes, const std::string& where);

}  // namespace glassformer
