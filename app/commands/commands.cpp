#include "app/commands/commands.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

namespace glassformer {

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_option("--threads", options.threads, "Threads to compute with (default: all cores)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--seed", options.seed, "Seed of everything random (default 1)");
}

int thread_count(const CommonOptions& options) {
  if (options.threads > 0) return options.threads;
  const unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : static_cast<int>(cores);
}

void print_json(const nlohmann::json& json) {
  std::cout << json.dump() << "\n";
}

}  // namespace glassformer
