// How near a translation is to the reference: BLEU (Papineni et al. 2002) and chrF2 (Popovic 2015), number
// for number as sacrebleu computes them, so that a figure can stand in a table beside published ones.
//
// BLEU counts the n-grams (n = 1 to 4) that a corpus of translations shares with its references, takes the
// geometric mean of the four shares, and multiplies it by a penalty for being too short.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct BleuOptions {
  bool lowercase = false;        // compare without case
  bool effective_order = false;  // for single sentences: leave out the orders that have no n-gram
};

struct BleuScore {
  double score = 0;                       // 0 to 100
  std::array<double, 4> precisions = {};  // percent, of orders 1 to 4
  std::array<long, 4> counts = {};        // n-grams that match, clipped to the reference's number
  std::array<long, 4> totals = {};        // n-grams of the translations
  double brevity_penalty = 1;             // exp(1 - r/c) when the translations are shorter
  long sys_len = 0;                       // tokens of the translations, c
  long ref_len = 0;                       // tokens of the references, r
};

// Lines are compared pairwise. Throws Error when there are not as many hypotheses as references.
BleuScore bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references,
               const BleuOptions& options = {});
// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:glassformer-0.1.0"
std::string bleu_signature(const BleuOptions& options = {});

// The tokenization "13a" of the WMT campaigns: every ASCII symbol is a word of its own, but for hyphens
// inside words and stops inside numbers. Tokens are joined by one blank.
std::string tokenize_13a(std::string_view line, bool lowercase = false);

}  // namespace glassformer
