// A sentence pair of a grammar whose words are linked: both sides are built together, so that it is known
// which word came from which.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/text/corpus.h"

namespace glassformer {

// Who wrote a token: a place in the derivation, the same number on both sides.
struct TokenMaker {
  int place = 0;
  bool word = false;  // an entry of the lexicon there; else the rule itself, a function word
  bool operator==(const TokenMaker&) const = default;
};

// The bytes [begin, end) of a side, which no other token shares. A word between blanks may hold two ("l'" and
// "oiseau"), and a token a blank ("pomme de terre").
struct AlignedToken {
  std::size_t begin = 0, end = 0;
  std::vector<TokenMaker> makers;  // two where neighbours contract
  bool operator==(const AlignedToken&) const = default;
};

struct AlignedPair {
  SentencePair text;
  std::vector<AlignedToken> source, target;
};

// As people annotate them (Och and Ney 2003, "A Systematic Comparison of Various Statistical Alignment
// Models"): sure where one entry of the lexicon wrote both, else possible where one rule did.
enum class WordLink { none, possible, sure };

inline WordLink link_of(const AlignedToken& source, const AlignedToken& target) {
  WordLink link = WordLink::none;
  for (const TokenMaker& maker : source.makers)
    if (std::ranges::find(target.makers, maker) != target.makers.end())
      link = std::max(link, maker.word ? WordLink::sure : WordLink::possible);
  return link;
}

}  // namespace glassformer
