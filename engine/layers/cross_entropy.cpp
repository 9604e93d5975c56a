#include "engine/layers/cross_entropy.h"

#include <cmath>

#include "engine/math/softmax.h"
#include "engine/math/work_profile.h"

namespace glassformer {

void LossSums::add(const LossSums& other) {
  loss += other.loss;
  nll += other.nll;
  tokens += other.tokens;
  right += other.right;
}

double smoothed_entropy(double smoothing, int classes) {
  const auto term = [](double p) { return p > 0 ? -p * std::log(p) : 0.0; };
  const double spread = smoothing / classes;
  return term(1 - smoothing + spread) + (classes - 1) * term(spread);
}

double prediction_entropy(std::span<const float> log_probabilities) {
  double entropy = 0;
  for (const float log_p : log_probabilities)
    if (std::isfinite(log_p)) entropy -= std::exp(double(log_p)) * double(log_p);
  return entropy;
}

Loss mean_of(const LossSums& sums, double smoothing, int classes) {
  Loss loss;
  loss.tokens = sums.tokens;
  if (sums.tokens == 0) return loss;
  const auto tokens = static_cast<double>(sums.tokens);
  loss.loss = sums.loss / tokens;
  loss.nll = sums.nll / tokens;
  loss.kl = loss.loss - smoothed_entropy(smoothing, classes);
  loss.perplexity = std::exp(loss.nll);
  loss.token_accuracy = static_cast<double>(sums.right) / tokens;
  return loss;
}

namespace {

// In place, from d loss / d p to d loss / d logits.
template <class Row>
void softmax_backward(const Row& p, Row& d) {
  d = p * (d - (p * d).sum());
}

}  // namespace

template <class Scalar>
LossSums cross_entropy(MatrixRef<Scalar> logits, std::span<const int> wanted,
                       const CrossEntropyOptions& options) {
  const Doing doing(Work::loss);
  const auto classes = static_cast<int>(logits.cols());
  const bool gradient = options.gradient_scale > 0;
  const auto scale = static_cast<Scalar>(options.gradient_scale);
  const double e = options.smoothing;
  LossSums sums;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto row = logits.row(static_cast<Eigen::Index>(i));
    const int word = wanted[i];
    if (word == options.pad_id) {
      if (gradient) row.setZero();
      continue;
    }
    Eigen::Array<Scalar, 1, Eigen::Dynamic> p, kept;
    if (options.softmax_twice) {
      kept = row.array();
      p = (row.array() - log_sum_exp(row.data(), classes)).exp();
      row.array() = p;
    }
    const int best = arg_max(row.data(), classes);
    const Scalar largest = row[best], logit = row[word], mean = row.mean();
    // The exponentials take the place of the logits: they are needed for the sum and for the gradient.
    Scalar sum = 0;
    if (gradient) {
      row.array() = (row.array() - largest).exp();
      sum = row.sum();
    } else {
      sum = (row.array() - largest).exp().sum();
    }
    const auto total = static_cast<double>(largest + std::log(sum));
    const double nll = total - static_cast<double>(logit);
    sums.loss += (1 - e) * nll + e * (total - static_cast<double>(mean));
    sums.nll += nll;
    sums.right += best == word ? 1 : 0;
    ++sums.tokens;
    if (gradient) {
      row.array() = row.array() * (scale / sum) - static_cast<Scalar>(e / classes) * scale;
      row[word] -= static_cast<Scalar>(1 - e) * scale;
      if (options.softmax_twice) {
        Eigen::Array<Scalar, 1, Eigen::Dynamic> d = row.array();
        softmax_backward(p, d);
        row.array() = d;
      }
    } else if (options.softmax_twice) {
      row.array() = kept;
    }
  }
  return sums;
}

template LossSums cross_entropy(MatrixRef<float>, std::span<const int>, const CrossEntropyOptions&);
template LossSums cross_entropy(MatrixRef<double>, std::span<const int>, const CrossEntropyOptions&);

}  // namespace glassformer
