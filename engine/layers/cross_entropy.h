// The loss: how surprised the model is by the right words, with some of the target spread over all words
// (label smoothing; paper, section 5.4).
//
// For smoothing e and V classes the target distribution is 1 - e + e/V on the right word and e/V on every
// other:
//   loss = mean( (1 - e) * -logp[y] + e * mean_v(-logp[v]) )   over the target tokens that are not padding
//   d loss / d logits = (softmax(logits) - target) / tokens
#pragma once

#include <span>

#include "engine/math/matrix.h"

namespace glassformer {

// Sums over tokens, so that parts of a batch can be added up.
struct LossSums {
  double loss = 0;  // smoothed
  double nll = 0;   // -log p of the right word
  long tokens = 0;  // that are not padding
  long right = 0;   // whose most likely word is the right one (ties to the lowest id)

  void add(const LossSums& other);
};

struct Loss {
  double loss = 0, nll = 0, kl = 0, perplexity = 0, token_accuracy = 0;
  long tokens = 0;
};
Loss mean_of(const LossSums& sums, double smoothing, int classes);  // all 0 without tokens

double smoothed_entropy(double smoothing, int classes);  // of the target distribution; kl = loss - this
// Entropy of a prediction, -sum p log p: 0 when the model is sure, log V when it has no idea.
double prediction_entropy(std::span<const float> log_probabilities);

struct CrossEntropyOptions {
  double smoothing = 0.1;
  int pad_id = 0;
  double gradient_scale = 0;  // 1 / tokens of the whole batch; 0: logits are left unchanged
  // The loss of softmax(logits) taken for logits. With p = softmax(logits) and g = d loss / d p:
  //   d loss / d logits = p * (g - sum(p * g))
  bool softmax_twice = false;
};

// logits (n, V); wanted: n ids. With a gradient scale the logits are overwritten by d loss / d logits (0 in
// rows whose wanted id is padding).
template <class Scalar>
LossSums cross_entropy(MatrixRef<Scalar> logits, std::span<const int> wanted,
                       const CrossEntropyOptions& options);

}  // namespace glassformer
