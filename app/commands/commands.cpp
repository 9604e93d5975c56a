#include "app/commands/commands.h"

#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
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

CLI::Validator number_between(double low, double high) {
  const auto check = [low, high](const std::string& text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    if (whole && value >= low && value <= high) return std::string();
    return "expected a number from " + nlohmann::json(low).dump() + " to " + nlohmann::json(high).dump() +
           ", found " + text;
  };
  return {check, ""};
}

void print_json(const nlohmann::json& json) {
  std::cout << json.dump() << "\n";
}

}  // namespace glassformer
