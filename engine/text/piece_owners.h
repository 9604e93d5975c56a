// Which word of an aligned sentence each piece of a tokenizer belongs to.
#pragma once

#include <string_view>
#include <vector>

#include "engine/text/aligned_pair.h"
#include "engine/text/tokenizer.h"

namespace glassformer {

// Of each of `pieces`, which `text` was cut into: the number of the token that shares most of its bytes, the
// first of equals; -1 where it shares none (a blank). Throws Error when the pieces are longer or shorter than
// the text.
std::vector<int> piece_owners(const std::vector<Piece>& pieces, std::string_view text,
                              const std::vector<AlignedToken>& tokens);

}  // namespace glassformer
