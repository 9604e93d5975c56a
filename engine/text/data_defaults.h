// What a description of data leaves unsaid. Internal to engine/text.
#pragma once

namespace glassformer {

constexpr long kGrammarPairs = 50000;

}  // namespace glassformer
