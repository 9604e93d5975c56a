// How soon a fresh model is right: seconds of training until half and 85 % of the grammar's held-out
// sentences are, and all of each toy task's.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmark/run.h"

namespace glassformer {

// Of "tiny" and of "quick", medians over three seeds: seconds and steps until 50 and 85 % of the 1 000
// held-out pairs of the bundled grammar, or all of a toy task, are right to the last token. Seconds of steps
// alone; measured every 50 steps (25 of a task), linear in between; null: the run ended before.
nlohmann::json bench_learning(const BenchRun& options);

}  // namespace glassformer
