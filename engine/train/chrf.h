// chrF2 (Popovic 2015): the share of character n-grams that a translation has in common with its reference.
// It sees half-right words, which BLEU does not, and needs no tokenization.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// As sacrebleu computes it: character n-grams of orders 1 to 6, blanks left out, cased, counts added up over
// the corpus, precision and recall averaged over the orders, recall weighing twice precision. 0 to 100.
// Throws Error when there are not as many hypotheses as references.
double chrf2(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references);
// Of several references of a line the one that it is nearest to counts.
double chrf2_of_several(const std::vector<std::string>& hypotheses,
                        const std::vector<std::vector<std::string>>& references);

}  // namespace glassformer
