// From the tokens that rules give to a line of text: forms before a vowel (elision), contractions, blanks.
//
// A token may be written "normal|before-vowel" ("le|l'", "beau|bel", "a|an"). A leading "*" says that the
// word does not sound as if it began with a vowel ("*héros", "*university"), a leading "^" that it does
// ("^hour"). "_" is a blank inside a token. A token that ends in an apostrophe has no blank behind it. The
// token "Aa" is not written: at the beginning of a sentence, the word behind it gets a capital.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/text/grammar_tables.h"

namespace glassformer {

constexpr std::string_view kCapitalMark = "Aa";

std::string surface_text(std::vector<std::string_view> words, const GrammarSurface& surface);

// The words of a typed sentence as tokens meet them: attached punctuation stands alone.
std::vector<std::string> surface_words(std::string_view sentence, const GrammarSurface& surface);

// What surface_words may give for one token: one word list for each alternative.
std::vector<std::vector<std::string>> token_words(std::string_view token);

}  // namespace glassformer
