// Reads a grammar file whole: every name resolved, every line checked. The first wrong line is thrown as an
// Error with its place, what was expected, what was found and what to do.
#pragma once

#include <string>
#include <string_view>

#include "engine/text/grammar_lines.h"
#include "engine/text/grammar_tables.h"

namespace glassformer {

GrammarText read_grammar(std::string_view text, const std::string& where);

// Parts of the reading in their own files.

// "name(number gender)" in a header: the name goes to `name`, the feature indices come back.
std::vector<int> read_signature(const GrammarText& grammar, const GrammarToken& token, std::string& name);

// "[*weight] values : source / target ; second target part" for a rule of `category`.
GrammarRule read_rule(const GrammarText& grammar, int category, const GrammarLine& line);

// "stems [:pattern] / stems [:pattern] / features" for a word of `category`.
GrammarWord read_word(const GrammarText& grammar, int category, const GrammarLine& line);

// "person animal food", for messages.
std::string feature_values(const GrammarFeature& feature);
int read_value(const GrammarText& grammar, int feature, const GrammarToken& token);

// A positive weight behind "*"; refuses what is no whole number from 1 to 10000.
long read_weight(const GrammarText& grammar, const GrammarToken& token, std::string_view digits);

}  // namespace glassformer
