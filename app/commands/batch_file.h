// The batches that `trace` and `step` read.
#pragma once

#include <string>

#include "engine/model/batch.h"

namespace glassformer {

// safetensors with source (B, S), target_in (B, T) and target_out (B, T) as I32 or I64. Throws Error.
Batch read_batch(const std::string& path, const Config& config);

}  // namespace glassformer
