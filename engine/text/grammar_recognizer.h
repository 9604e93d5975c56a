// Finds every way in which a grammar builds a given source sentence.
#pragma once

#include <string_view>
#include <vector>

#include "engine/text/grammar_derivation.h"

namespace glassformer {

std::vector<GrammarDerivation> recognize(const GrammarText& grammar, std::string_view source);

}  // namespace glassformer
