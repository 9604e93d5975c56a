// What a value is on average, so that muting can take what it says of this sentence and leave what it says of
// every sentence ("mean ablation").
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/model/batch.h"

namespace glassformer {

template <class Scalar>
class Transformer;
class WorkerPool;

// By a value's name, the mean of its columns over all tokens: of every context (d), of every output of a
// sub-block (d) and of the hidden units of every feed-forward (d_ff).
using ValueMeans = std::map<std::string, std::vector<double>, std::less<>>;

// Over the tokens of all the sentences, pads left out. At least one sentence. The pool never changes a
// result.
ValueMeans mean_values(const Transformer<float>& model, const Batch& batch, WorkerPool* pool = nullptr);

}  // namespace glassformer
