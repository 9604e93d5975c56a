// How fast a recurrent model learns: the size at which it is compared with other libraries' GRUs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/math/worker_pool.h"

namespace glassformer {

// Forward, loss and backward on 64 sentence pairs of 24 words, width 128, one layer on either side; with one
// vector between encoder and decoder, and with additive attention. `seconds`: for each of the two.
nlohmann::json bench_recurrent(double seconds, std::uint64_t seed, WorkerPool& pool);

}  // namespace glassformer
