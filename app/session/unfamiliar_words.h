// Words that a model meets for the first time: its training text did not hold them, and it reads them spelled
// in pieces (byte-pair encoding and unigram models; paper, section 5.1).
//
// The pieces alone cannot tell: rare words of the training text are cut as well. So the training text is read
// again, on a worker, the first time that a cut word is typed.
#pragma once

#include <string>
#include <vector>

#include "app/scene/training_text.h"
#include "engine/text/data.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// A run of letters; signs (apostrophes, full stops) stand between words.
struct CutWord {
  std::string text;                 // "zebra"
  std::vector<std::string> pieces;  // "z", "e", "b", "ra"
  bool operator==(const CutWord&) const = default;
};

// The words of `text` that are read in two pieces or more, each once. None for models of words or of
// characters, and none for a word with an unknown piece, which is told of elsewhere.
std::vector<CutWord> cut_words(const Tokenizer& tokenizer, const std::string& text);

// Some thousand sentences, and every word as the tokenizer reads it (with its forms of letters and of case).
// Takes as long as reading or making the data: about a second for 100 000 sentences. Empty when they are
// gone.
TrainingText training_text_of(const DataOptions& data, const Tokenizers& tokenizers);
WordSet words_in(const std::string& text);

// "The model never saw “zebra” in training: it reads the pieces z|e|b|ra, so the translation is a guess."
// Of those that `seen` lacks; empty for none.
std::string words_about(const std::vector<CutWord>& words, const WordSet& seen);

// Whether most words of a source are words of the targets of the training text, and of none of its sources: a
// sentence was typed in the language that the model writes.
bool mostly_of_target(const WordSet& words, const TrainingText& seen);

}  // namespace glassformer
