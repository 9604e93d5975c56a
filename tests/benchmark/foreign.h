// How a model of another program that is as large as those of Opus-MT opens, translates and is looked at.
#pragma once

#include <nlohmann/json.hpp>

#include "tests/benchmark/run.h"

namespace glassformer {

// Of opus-mt's class (6 + 6 layers, d 512, 58 101 words) with the preset base, else of opus-mt-tiny's (6 + 2,
// d 256, 32 000 words), with random weights: seconds until the window has it, and a sentence of 20 words;
// every view's frames, from the click on. highest_mb: of the whole program. Throws Error when this machine
// cannot draw.
nlohmann::json bench_foreign(const BenchRun& options);

}  // namespace glassformer
