// Sub-word tokenizers, learned and run by the sentencepiece library.
//
// BPE starts from characters and joins the most frequent pair of neighbours again and again; unigram starts
// from many candidate pieces and drops those whose loss the text feels least. Both leave frequent words whole
// and spell rare ones.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// Learns `pieces` pieces (0: what suits the text), special tokens included. The same lines give the same
// model (on one version of the library). Throws Error when the text holds nothing, or names the smallest and
// the largest possible size.
std::shared_ptr<const Tokenizer> train_sentencepiece(const std::vector<std::string>& lines,
                                                     TokenizerKind kind, int pieces);

// Every character of the text and the special tokens: the smallest possible size. Throws Error when there is
// no text.
int smallest_sentencepiece(const std::vector<std::string>& lines);

// Throws Error for bytes that are no sentencepiece model. The model's own special ids may differ from
// `special`.
std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& bytes, const SpecialIds& special,
                                                    const std::string& where);

// A model of others: with the special ids that it has itself (-1 for one that it lacks), text as typed,
// and decoded as the library does.
std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& bytes, const std::string& where);

bool is_sentencepiece(const Tokenizer& tokenizer);  // one of those above, of whatever kind

// The kind that the model says it is (unigram where it says nothing). Throws Error when the bytes would
// make the library read past its own tables: it trusts its files.
TokenizerKind check_sentencepiece_bytes(const std::string& bytes, const std::string& where);

}  // namespace glassformer
