// How soon a fresh model is right: seconds of training until half and 85 % of the held-out sentences are.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmark/run.h"

namespace glassformer {

// By recipe, medians over three seeds: seconds and steps until 50 and 85 % of the 1 000 held-out pairs of the
// bundled grammar are right to the last token. Seconds of steps alone; measured every 50 steps, linear in
// between.
nlohmann::json bench_learning(const BenchRun& options);

}  // namespace glassformer
