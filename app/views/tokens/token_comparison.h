// The same text cut in five ways: byte-pair encoding, unigram, WordPiece, words and characters. The model's
// own tokenizer stands for its kind; the others are learned from sentences of its training text, once a
// model, away from the screen's thread.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

struct ComparedTokenizer {
  TokenizerKind kind = TokenizerKind::bpe;
  bool own = false;                            // the open model's
  std::shared_ptr<const Tokenizer> tokenizer;  // null: could not be learned
  std::string note;                            // "learned from the same text", or why there is none
};
using TokenComparison = std::array<ComparedTokenizer, 5>;

// Learns what is missing from `lines`; takes some tenths of a second for BPE and unigram. Never throws.
TokenComparison compare_tokenizers(const std::shared_ptr<const Tokenizer>& own,
                                   const std::vector<std::string>& lines);

// The bytes of a text in UTF-8, two digits to the base of 16 each: "c3", "a9".
std::vector<std::string> bytes_of(const std::string& text);

std::string kind_words(TokenizerKind kind);  // "BPE", "Unigram", "Words", "Characters"

}  // namespace glassformer
