// How far links that a score draws between the words of a pair are from those that are known.
#pragma once

#include <vector>

#include "engine/math/matrix.h"
#include "engine/text/aligned_pair.h"

namespace glassformer {

// The counts of Och and Ney (2003), to be added up over pairs.
struct AlignmentCount {
  long links = 0, sure = 0;                 // drawn: |A|; known to be sure: |S|
  long right_sure = 0, right_possible = 0;  // of those drawn: |A and S|, |A and P|
  double error_rate() const;                // percent; NaN without links
  void add(const AlignmentCount& other);
};

// scores (target tokens, source tokens). Each target token that has a possible link is linked to the source
// token of the largest score, the first of equals; to none where the scores are NaN.
AlignmentCount count_links(const AlignedPair& pair, const Matrix<double>& scores);

// From scores of pieces (target pieces, source pieces) and the tokens that these belong to (piece_owners.h):
// a source token has the sum over its pieces, a target token the mean over its own, NaN without any.
Matrix<double> token_scores(const AlignedPair& pair, const Matrix<double>& of_pieces,
                            const std::vector<int>& target_owners, const std::vector<int>& source_owners);

// The largest where a source token is at the same share of its sentence.
Matrix<double> diagonal_scores(const AlignedPair& pair);

}  // namespace glassformer
