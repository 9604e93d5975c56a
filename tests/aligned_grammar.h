// Three sentences with an elision, a contraction, a word of three, and an adjective behind its noun.
#pragma once

#include <string>

#include "engine/text/grammar.h"

inline const std::string kAlignedGrammar = R"(
feature gender m f
surface source
  attach .
surface target
  vowels o
  attach .
  contract à le au
table le(gender) le|l' la|l'
forms one only
  1
words noun(gender) = one / one
  bird / oiseau / m
  cat / chat / m
  potato / pomme_de_terre / f
words color(gender) = one / one
  red / rouge / *
rules thing()
  : the color(G).only noun(G).only / le(G) noun.only color.only
rules sentence()
  : to thing() . / Aa à thing() .
)";

inline glassformer::AlignedPair aligned_pair(const std::string& source) {
  using namespace glassformer;
  return Grammar::parse(kAlignedGrammar, "tiny")
      .generate_aligned(3, 1, [&](const SentencePair& pair) { return pair.source == source; })
      .at(0);
}
