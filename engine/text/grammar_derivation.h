// One way to build a sentence, and its spelling on both sides.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/text/grammar_expand.h"

namespace glassformer {

// A rule with the values of its variables and what stands for its children, or a word.
struct GrammarDerivation {
  int category = -1;
  int rule = -1;
  int word = -1;
  std::vector<int> values;
  std::vector<GrammarDerivation> children;
};

// A small generator of our own (splitmix64): the same numbers on every machine.
class GrammarRandom {
 public:
  explicit GrammarRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t limit);  // 0 to limit - 1, all equally likely

 private:
  std::uint64_t state_;
};

// Drawn by the weights of rules and values.
GrammarDerivation draw_derivation(const GrammarText& grammar, const GrammarExpansion& expansion,
                                  GrammarRandom& random);

// Number `index` of all derivations (0 up to expansion.instances[start].derivations - 1, below 2^53).
GrammarDerivation numbered_derivation(const GrammarExpansion& expansion, std::uint64_t index);

std::string spell_source(const GrammarText& grammar, const GrammarDerivation& derivation);
std::string spell_target(const GrammarText& grammar, const GrammarDerivation& derivation);

}  // namespace glassformer
