// How near a translation is to the reference: BLEU (Papineni et al. 2002) and chrF2 (Popovic 2015), number
// for number as sacrebleu computes them, so that a figure can be compared with published ones.
//
// BLEU counts the n-grams (n = 1 to 4) that a corpus of translations shares with its references, takes the
// geometric mean of the four shares, and multiplies it by a penalty for being too short.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// What a word is to BLEU: by the rules of tokenize_13a, each character but blanks (for text without blanks),
// or what is between blanks (text that is cut into words already). sacrebleu's 13a, char and none.
enum class BleuWords { wmt_13a, characters, between_blanks };
inline constexpr std::array kBleuWordsNames{"13a", "char", "none"};  // in that order

struct BleuOptions {
  bool lowercase = false;  // compare without case
  BleuWords words = BleuWords::wmt_13a;
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
// Several references of each line: an n-gram may occur as often as in the one that has most of it, and the
// length is that of the nearest, of two the shorter. Each list is as long as the hypotheses.
BleuScore bleu_of_several(const std::vector<std::string>& hypotheses,
                          const std::vector<std::vector<std::string>>& references,
                          const BleuOptions& options = {});
// "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:glassformer-0.1.0"
std::string bleu_signature(const BleuOptions& options = {}, std::size_t references = 1);

// True where most references have fewer than four words: then hardly an n-gram of order 4 can be shared, and
// the score is near 0 however right the outputs are. Such a score is left out of tables.
bool too_short_for_bleu(const std::vector<std::string>& references, const BleuOptions& options = {});
extern const char* const kBleuLeftOut;  // the reason, for people

// The tokenization "13a" of the WMT campaigns: every ASCII symbol is a separate word, but for hyphens
// inside words and stops inside numbers. Tokens are joined by one blank.
std::string tokenize_13a(std::string_view line, bool lowercase = false);

// chrF2 (Popovic 2015): the share of character n-grams that a translation has in common with its reference.
// It sees half-right words, which BLEU does not, and needs no tokenization.

// As sacrebleu computes it: character n-grams of orders 1 to 6, blanks left out, cased, counts added up over
// the corpus, precision and recall averaged over the orders, recall weighing twice precision. 0 to 100.
// Throws Error when there are not as many hypotheses as references.
double chrf2(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);
// Of several references of a line the one that it is nearest to counts.
double chrf2_of_several(const std::vector<std::string>& hypotheses,
                        const std::vector<std::vector<std::string>>& references);

}  // namespace glassformer
