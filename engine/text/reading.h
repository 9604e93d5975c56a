// How a model reads what a person typed, and what to say of the words that it does not know. The window
// and the commands translate and evaluate come through here, so that the same line gives the same translation
// in all.
#pragma once

#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// A model trained on small letters reads "The cat" as a person would: the first letter lowered, or all of
// them, where that makes more of the text known.
std::string readable(const Tokenizer& tokenizer, const std::string& text);

// Why a sentence of so many bytes cannot fit a model that takes `takes` tokens, before it is cut into pieces
// (which takes seconds a megabyte); empty when it may.
std::string far_too_long(std::size_t bytes, std::size_t takes);

// The words of `text` with a piece that is not in the vocabulary, each once. A sign counts as a word.
std::vector<std::string> unknown_words(const Tokenizer& tokenizer, const std::string& text);

// "“zorg”, “blig”, “drus” and 2 more": three of them by name, quoted.
std::string named_words(const std::vector<std::string>& words);

// "“zorg” is not among the 2 000 pieces this model knows, nor made of them: ..." Empty for none.
std::string unknown_words_sentence(const std::vector<std::string>& words, const std::string& pieces);

// "the sentence has 70 tokens, the model takes 63; shorten it", eos and bos not counted.
std::string too_long_sentence(const std::string& what, std::size_t tokens, std::size_t takes);

}  // namespace glassformer
