// Every way to use a rule, with all features settled ("noun, feminine, plural, animal"), counted and
// weighted: what sampling without dead ends and counting of sentences stand on.
#pragma once

#include <array>
#include <cstdint>
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

}  // namespace glassformer
