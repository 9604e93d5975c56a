#include "engine/train/alignment_error.h"

#include <cmath>

namespace glassformer {
namespace {

// (tokens, pieces): 1 where a piece belongs to a token.
Matrix<double> ownership(const std::vector<AlignedToken>& tokens, const std::vector<int>& owners) {
  Matrix<double> owns = Matrix<double>::Zero(std::ssize(tokens), std::ssize(owners));
  for (std::size_t piece = 0; piece < owners.size(); ++piece)
    if (owners[piece] >= 0) owns(owners[piece], static_cast<Eigen::Index>(piece)) = 1;
  return owns;
}

}  // namespace

double AlignmentCount::error_rate() const {
  return 100 * (1 - static_cast<double>(right_sure + right_possible) / static_cast<double>(links + sure));
}

void AlignmentCount::add(const AlignmentCount& other) {
  for (long AlignmentCount::*each : {&AlignmentCount::links, &AlignmentCount::sure,
                                     &AlignmentCount::right_sure, &AlignmentCount::right_possible})
    this->*each += other.*each;
}

AlignmentCount count_links(const AlignedPair& pair, const Matrix<double>& scores) {
  AlignmentCount count;
  for (std::size_t target = 0; target < pair.target.size(); ++target) {
    bool linked = false;
    WordLink drawn = WordLink::none;
    double largest = std::nan("");
    for (std::size_t source = 0; source < pair.source.size(); ++source) {
      const WordLink link = link_of(pair.source[source], pair.target[target]);
      linked = linked || link != WordLink::none;
      count.sure += link == WordLink::sure;
      const double score = scores(static_cast<Eigen::Index>(target), static_cast<Eigen::Index>(source));
      if (std::isnan(score) || score <= largest) continue;
      largest = score;
      drawn = link;
    }
    if (!linked || std::isnan(largest)) continue;
    ++count.links;
    count.right_sure += drawn == WordLink::sure;
    count.right_possible += drawn != WordLink::none;
  }
  return count;
}

Matrix<double> token_scores(const AlignedPair& pair, const Matrix<double>& of_pieces,
                            const std::vector<int>& target_owners, const std::vector<int>& source_owners) {
  const Matrix<double> targets = ownership(pair.target, target_owners);
  Matrix<double> scores = targets * of_pieces * ownership(pair.source, source_owners).transpose();
  scores.array().colwise() /= targets.rowwise().sum().array();
  return scores;
}

Matrix<double> diagonal_scores(const AlignedPair& pair) {
  const auto share = [](Eigen::Index i, const std::vector<AlignedToken>& of) {
    return (static_cast<double>(i) + 0.5) / static_cast<double>(of.size());
  };
  return Matrix<double>::NullaryExpr(
      std::ssize(pair.target), std::ssize(pair.source), [&](Eigen::Index target, Eigen::Index source) {
        return -std::abs(share(target, pair.target) - share(source, pair.source));
      });
}

}  // namespace glassformer
