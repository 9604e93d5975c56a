// Reads a sentence by the rules of a grammar: the other way round than the grammar's generator, which is
// checked against it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/text/grammar_tables.h"

namespace glassformer {

// Every target that the rules give for this source: one for a good grammar, none for a sentence outside it.
std::vector<std::string> translations(const GrammarText& grammar, std::string_view source);

GrammarText english_french_grammar();  // as it comes with the program

}  // namespace glassformer
