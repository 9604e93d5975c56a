// `--profile`: a table of where the time of training goes.
#pragma once

#include <cstdint>
#include <string>

#include "engine/math/worker_pool.h"

namespace glassformer {

struct ProfileOptions {
  std::string preset;  // empty: one line for each
  double seconds = 5;  // for each
  double dropout = 0.1;
  std::uint64_t seed = 1;
};

// To standard output. Shares are of the time of all threads together, waiting included.
void print_profile(const ProfileOptions& options, WorkerPool& pool);

}  // namespace glassformer
