// A number for weights, to tell whether a session finds those that it was saved with.
#pragma once

#include <string>

#include "engine/model/snapshot.h"

namespace glassformer {

// Sixteen hexadecimal digits, of the name, the shape and every number of each tensor. Of the weights and not
// of the data they learned from: one run's data are the same at every step, and two runs' may be, while the
// numbers that a session shows are the weights' alone. Reads them all: 0.1 s for 60 million.
std::string weights_fingerprint(const Snapshot& snapshot);

}  // namespace glassformer
