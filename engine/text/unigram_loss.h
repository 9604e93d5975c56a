// What a piece is worth to a sentence (Kudo 2018, section 3.2): a unigram tokenizer gives each piece a
// log-probability and cuts a text the way whose sum is largest. Without one of these pieces the best other
// way is worse; by how much is what training asks before it drops a piece.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

struct ScoredPiece {
  std::string text;  // with U+2581 for the blank before it
  double log_p = 0;
};

struct BestCut {
  double log_p = 0;         // natural logarithm
  std::vector<int> pieces;  // indices, -1 for a letter that no piece writes
  std::vector<std::string> texts;
};

// The best way (Viterbi) to write the text, without one of the pieces if so said. A letter that no piece
// writes costs the least log-probability of all less 10, as in sentencepiece.
BestCut best_cut(const std::vector<ScoredPiece>& pieces, const std::string& text,
                 std::optional<int> without = {});

struct PieceLoss {
  std::string text;
  int times = 0;                     // it is in the best cut
  double log_p = 0;                  // of one
  double loss = 0;                   // the best log-probability less that without the piece
  std::vector<std::string> instead;  // the best cut without it
};
struct UnigramLosses {
  BestCut cut;
  std::vector<PieceLoss> pieces;  // each different piece of the cut, in the order of the text
};
// Of a unigram tokenizer whose pieces do not reach over a blank. Nothing: another kind, or no pieces.
std::optional<UnigramLosses> unigram_losses(const Tokenizer& tokenizer, const std::string& text);

}  // namespace glassformer
