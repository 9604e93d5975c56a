// What a person should know of changes that take a whole part of the model away.
#pragma once

#include <string>

#include "engine/model/config.h"
#include "engine/model/what_if/what_if.h"

namespace glassformer {

// A sentence: what no longer reaches whom, where every cross-attention, every self-attention of a side, or
// every sub-block gives 0 or its mean. Empty: none of that.
std::string change_note(const WhatIf& what_if, const Config& config);

}  // namespace glassformer
