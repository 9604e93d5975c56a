// Vectors for the words of a vocabulary that others have learned: read from the text form of word2vec and
// GloVe, or from a safetensors file.
//
//   word2vec    "400000 300", then a line a word: "the 0.418 0.24968 ..."
//   GloVe       the same without the first line
//               (both also packed with gzip or zip, or with a byte order mark)
//   safetensors one matrix (V, d) whose rows are the vocabulary's ids
#pragma once

#include <string>
#include <vector>

#include "engine/math/matrix.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

struct GivenEmbeddings {
  Matrix<float> rows;                 // (V, d); 0 where the file has nothing
  std::vector<bool> found;            // V
  long words_found = 0;               // of the vocabulary, special tokens not counted
  std::vector<std::string> missing;   // the first of those that the file has not, ten at most
  long odd_lines = 0, first_odd = 0;  // of the text form, that are not a word and its numbers; from 1

  int width() const { return static_cast<int>(rows.cols()); }
};

// The text form's vectors have the length that its first line says, or that of most lines. The last so many
// fields of a line are the numbers and all before them is the word, which may be a blank or hold some; lines
// that are not so are left out and counted. A word matches the piece that is written like it and begins a
// word; of two lines for one piece the first counts. Throws Error for a file that cannot be read, that is
// CSV, JSON or binary, without a word and its numbers or one word of the vocabulary; a safetensors file with
// a matrix of another vocabulary, none or more than one.
GivenEmbeddings read_embeddings(const std::string& path, const Tokenizer& tokenizer);

// "812 of 1 096 words found in glove.txt; as drawn: zebra, ..."
std::string found_words(const GivenEmbeddings& given, const Tokenizer& tokenizer, const std::string& path);

}  // namespace glassformer
