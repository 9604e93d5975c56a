// What a model loses without a part: the loss given the right words, with one change after another in force.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/math/worker_pool.h"
#include "engine/model/batch.h"
#include "engine/model/what_if/what_if.h"
#include "engine/model/what_if/what_if_tap.h"

namespace glassformer {

template <class Scalar>
class Transformer;

// The parts of a model that can be muted, in the order of the map: every head, then every sub-block.
std::vector<Change> every_head(const Transformer<float>& model);
std::vector<Change> every_sub_block(const Transformer<float>& model);
// Every layer's output of one attention or feed-forward at each place of a sentence, a layer after another.
std::vector<Change> every_place(const Transformer<float>& model, const ValueName& block, int places);

// A loss over sentences, with how sure it is.
struct MeanLoss {
  double mean = 0;                  // over the target words of all sentences
  std::vector<double> of_sentence;  // each over its own words
  // Of each sentence: 1 where every word, eos included, is the likeliest. Greedy search then writes it.
  std::vector<std::uint8_t> right;
};

struct LossJob {
  const Transformer<float>& model;
  const Batch& batch;  // right words
  double smoothing = 0.1;
  Substitutes substitutes = {};
  WorkerPool* pool = nullptr;  // shares out the sentences; never changes a result
};

// Smoothed as trained. A change that names a place speaks of the first sentence.
MeanLoss loss_with(const LossJob& job, const WhatIf& what_if);

// The loss with each change alone, on top of `base`. `measured` is called after each one and says
// whether to continue; what was not reached is left out.
std::vector<MeanLoss> losses_with_each(const LossJob& job, const WhatIf& base,
                                       const std::vector<Change>& changes,
                                       const std::function<bool(std::size_t done)>& measured = {});

// The mean of the differences of two losses, sentence by sentence, with its interval of 95 %: the mean plus
// and minus 1.96 standard errors.
struct Difference {
  double mean = 0, low = 0, high = 0;
};
Difference difference(const MeanLoss& with, const MeanLoss& without);
// The same of how many are right, as a share of all. The interval ends where no share can be: below 0, above
// 1.
Difference right_difference(const MeanLoss& with, const MeanLoss& without);

}  // namespace glassformer
