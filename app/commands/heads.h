// What `glassformer bench` measures of the head report.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/math/worker_pool.h"

namespace glassformer {

// Seconds for 200 held-out pairs of the model that comes with the program.
nlohmann::json bench_heads(WorkerPool& pool);

}  // namespace glassformer
