// The vocab.txt of BERT, unchanged: a WordPiece vocabulary, a piece a line, the id of a piece is its line
// (from 0 on). [PAD], [UNK], [CLS], [SEP] and [MASK] are found by name and keep their names.
//
// Text is read as BERT reads it: control and format characters are taken out, then it is cut at blanks, at
// signs of punctuation (Unicode's category P, and all of ASCII's) and around Chinese characters; in lower
// case, decomposed and without accents when no piece of the vocabulary has a capital letter. [MASK] and the
// others are found wherever they are typed. A word of more than 100 letters is unknown. Of doubled lines the
// last counts.
#pragma once

#include <memory>
#include <string>

#include "engine/text/tokenizer.h"

namespace glassformer {

// special().bos is [CLS], special().eos [SEP]; -1 for one that the file lacks. Throws Error in one sentence
// for a file without [UNK], or as piece_lines (word_piece.h) does.
std::shared_ptr<const Tokenizer> load_bert_vocabulary(const std::string& bytes, const std::string& where);

}  // namespace glassformer
