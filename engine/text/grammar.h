// Sentence pairs from a synchronous grammar: a text file of words and rules, each rule with an English and a
// French side that are built together, so that every sentence comes with its translation. The head of
// assets/grammars/english-french.grammar explains the format; a person adds words there without touching
// code.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/aligned_pair.h"
#include "engine/text/corpus.h"
#include "engine/text/grammar_expand.h"

namespace glassformer {

struct GrammarTables;
struct GrammarDerivation;

// Immutable after construction; shared between threads.
class Grammar {
 public:
  // Throws Error for a file that cannot be read and for the first wrong line (file, line, column, expected,
  // found).
  static Grammar read(const std::string& path);
  static Grammar parse(std::string_view text, const std::string& where);

  // Distinct pairs, no source twice, in an order that mixes all rules; the same on every machine. Throws
  // Error when the grammar has fewer; the message says how many there are. Now and then `done` hears what
  // part is made; what it throws ends the work.
  std::vector<SentencePair> generate(long pairs, std::uint64_t seed,
                                     const std::function<void(double)>& done = {}) const;
  // Those of them that are wanted, with the links of their words.
  std::vector<AlignedPair> generate_aligned(
      long pairs, std::uint64_t seed, const std::function<bool(const SentencePair&)>& wanted = {}) const;

  const std::string& where() const;  // the path it was read from, for messages
  long words(
      std::string_view category) const;  // entries in the "words CATEGORY" sections; 0 when there is none
  double derivations() const;            // ways to build a sentence; at least the number of distinct pairs

 private:
  using Taken = std::function<void(const SentencePair&, const GrammarDerivation&)>;  // of each pair
  std::vector<SentencePair> generate(long pairs, std::uint64_t seed, const std::function<void(double)>& done,
                                     const Taken& taken) const;
  explicit Grammar(std::shared_ptr<const GrammarTables> tables) : tables_(std::move(tables)) {}
  std::shared_ptr<const GrammarTables> tables_;
};

// One way to build a sentence, and its spelling on both sides.

// A rule with the values of its variables and what its children are, or a word.
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
AlignedPair spell_aligned(const GrammarText& grammar, const GrammarDerivation& derivation);

}  // namespace glassformer
