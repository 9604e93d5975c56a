// What the model says at one place of the target and what that costs, taken apart: the strongest words, how
// far each of them is from its target, and the parts of the loss.
#pragma once

#include <vector>

#include "engine/model/trace.h"

namespace glassformer {

struct WordShare {
  int id = 0;
  double logit = 0;
  double probability = 0;  // p, the softmax of the logits
  double target = 0;  // y, the right word's share after label smoothing, or what it leaves for the others
  // p - y: the gradient of this place's own loss with respect to the logit. In the loss of a sentence, a
  // mean, it is divided by the number of words.
  double difference = 0;
};

struct Prediction {
  WordShare right;
  std::vector<WordShare> strongest;  // best first, ties to the lower id
  double loss = 0;                   // as recorded: cross-entropy of the smoothed target
  double target_entropy = 0;         // the part of it that no model gets below
  double kl = 0;                     // the rest: what learning can remove
  double entropy = 0;                // of the prediction: 0 when it is sure
};

// Of a real row of the sentence; throw Error for another.
WordShare word_share_at(const Trace& trace, int sentence, int position, int id);
Prediction prediction_at(const Trace& trace, int sentence, int position, int strongest);

}  // namespace glassformer
