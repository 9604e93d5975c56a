// Every way to use a rule, with all features settled ("noun, feminine, plural, animal"), counted and
// weighted: what sampling without dead ends and counting of sentences are on.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/grammar_tables.h"

namespace glassformer {

// One way to use a rule: its variables' values and what its children are.
struct GrammarBinding {
  std::array<std::int8_t, 16> values{};
  std::array<int, 8> children{-1, -1, -1, -1, -1, -1, -1, -1};  // instances
  std::uint64_t weight_up_to = 0;
  double derivations = 0;
};

struct GrammarChoice {
  int rule = -1;
  std::vector<GrammarBinding> bindings;
};

// A category with a value for each of its features.
struct GrammarInstance {
  int category = -1;
  std::vector<int> values;
  std::vector<int> words;                   // of a category of words
  std::vector<std::uint64_t> weight_up_to;  // the words' weights, added up
  std::vector<GrammarChoice> choices;       // of a category of rules
  std::uint64_t rule_weight = 0;            // of all choices
  double derivations = 0;                   // exact up to 2^53
};

struct GrammarExpansion {
  std::vector<GrammarInstance> instances;
  std::vector<std::vector<int>> of_category;  // instances by category
  int start = -1;
};

// Throws Error for a rule that contains itself, for a rule that no words fit and for a grammar too large to
// expand.
GrammarExpansion expand_grammar(const GrammarText& grammar);

// From the tokens that rules give to a line of text: forms before a vowel (elision), contractions, blanks.
//
// A token may be written "normal|before-vowel" ("le|l'", "beau|bel", "a|an"). A leading "*" says that the
// word does not sound as if it began with a vowel ("*héros", "*university"), a leading "^" that it does
// ("^hour"). "_" is a blank inside a token. A token that ends in an apostrophe has no blank behind it. The
// token "Aa" is not written: at the beginning of a sentence, the word behind it gets a capital.

constexpr std::string_view kCapitalMark = "Aa";

// Where tokens are in the text: `words` of them, from number `first` on, are the bytes [begin, end).
struct SurfaceToken {
  std::size_t begin = 0, end = 0;
  std::size_t first = 0, words = 1;  // 2: contracted
};

// `tokens`, if any, gets those that are written.
std::string surface_text(std::vector<std::string_view> words, const GrammarSurface& surface,
                         std::vector<SurfaceToken>* tokens = nullptr);

// The words of a typed sentence as tokens meet them: attached punctuation is alone.
std::vector<std::string> surface_words(std::string_view sentence, const GrammarSurface& surface);

// What surface_words may give for one token: one word list for each alternative.
std::vector<std::vector<std::string>> token_words(std::string_view token);

}  // namespace glassformer
