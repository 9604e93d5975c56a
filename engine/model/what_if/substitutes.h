// Where the values come from that a what-if puts in place of others.
#pragma once

#include <memory>

#include "engine/model/what_if/value_means.h"

namespace glassformer {

class Trace;

// Null: a change that wants them does nothing.
struct Substitutes {
  std::shared_ptr<const ValueMeans> means;
  std::shared_ptr<const Trace> other;  // its first sentence
};

}  // namespace glassformer
