// A tokenizer in two files, as Marian's models have it: a sentencepiece model cuts the text, and a list
// numbers the pieces, for both languages alike. The model's own numbers are not used.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// `model_bytes`: a sentencepiece model of others; text is read as typed. `pieces`: in the order of the
// ids, as the model writes them ("▁the"); what is not among them is unknown. A leading sign of a language
// (">>fr<<") is cut off before and looked up whole. No text gives a special piece. Throws Error for bytes
// that are no sentencepiece model or more than 64 MB, a list that is no text of a piece a line, and where a
// special id is outside the list.
std::shared_ptr<const Tokenizer> make_listed_pieces(const std::string& model_bytes,
                                                    std::vector<std::string> pieces,
                                                    const SpecialIds& special, const std::string& where);
// What such a model calls its pieces, in the order of its own numbers. Throws Error likewise.
std::vector<std::string> own_pieces(const std::string& model_bytes, const std::string& where);
// The list from the bytes of NAME.pieces, a piece a line.
std::shared_ptr<const Tokenizer> load_listed_pieces(const std::string& model_bytes,
                                                    const std::string& list_bytes, const SpecialIds& special,
                                                    const std::string& where);

}  // namespace glassformer
