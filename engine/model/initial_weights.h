// What a tensor of a new model holds before its first step: matrices by Xavier (Glorot and Bengio 2010),
// drawn evenly from -a to a with a = sqrt(6 / (fan_in + fan_out)), so that values and gradients keep their
// spread from layer to layer; rows of embeddings and of learned positions normal with deviation 1/sqrt(d);
// LayerNorm stretches by 1; every bias is 0. Transformer::initialize draws by exactly this.
#pragma once

#include <span>
#include <string>

#include "engine/model/config.h"

namespace glassformer {

double xavier_limit(int fan_in, int fan_out);  // a

struct InitialWeights {
  enum class Kind { even, normal, constant };
  Kind kind = Kind::constant;
  double limit = 0;             // even: a
  int fan_in = 0, fan_out = 0;  // even: of one of its matrices, each stored (fan_out, fan_in)
  int matrices = 1;             // even: query, key and value are in one tensor, each drawn by its own fans
  double deviation = 0;         // normal, around 0
  double value = 0;             // constant: of every number
};
// name: as the model visits it; (rows, columns) as stored, a vector with one row. Throws Error for a
// name that is no parameter's.
InitialWeights initial_weights(const Config& config, const std::string& name, int rows, int columns);

// How many of these numbers lie outside -limit to limit, but for the rounding of 32 bits: a step that is kept
// with a run comes back to its last bits. What is not finite lies outside.
long count_outside(std::span<const float> values, double limit);

}  // namespace glassformer
