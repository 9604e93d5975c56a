// The subcommands of the program, one file each. A file registers its options on the parser and leaves behind
// what is to be done once the whole command line has been read.
//
// Contract: results to standard output, progress and errors to standard error; a Subcommand returns the exit
// status (0 done, 1 the work failed) or throws Error, which main prints as one sentence with status 1. Wrong
// usage is found by the parser (status 2); a Subcommand that finds it later throws CLI::ValidationError.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>

namespace glassformer {

// What main runs after parsing; empty when no subcommand was named.
using Subcommand = std::function<int()>;

// Options that every subcommand has.
struct CommonOptions {
  int threads = 0;  // 0: all cores
  std::uint64_t seed = 1;
};
void add_common_options(CLI::App& command, CommonOptions& options);
int thread_count(const CommonOptions& options);  // at least 1

// A number from `low` to `high`; unlike CLI::Range it refuses what is no number at all.
CLI::Validator number_between(double low, double high);

// One line of JSON on standard output, numbers that are not finite as null.
void print_json(const nlohmann::json& json);

// Each adds its subcommand to `app`; choosing it on the command line fills `chosen`.
void add_trace_command(CLI::App& app, Subcommand& chosen);
void add_step_command(CLI::App& app, Subcommand& chosen);
void add_decode_command(CLI::App& app, Subcommand& chosen);
void add_bench_command(CLI::App& app, Subcommand& chosen);
void add_corpus_command(CLI::App& app, Subcommand& chosen);
void add_render_command(CLI::App& app, Subcommand& chosen);
void add_bleu_command(CLI::App& app, Subcommand& chosen);
void add_evaluate_command(CLI::App& app, Subcommand& chosen);
void add_runs_command(CLI::App& app, Subcommand& chosen);
void add_train_command(CLI::App& app, Subcommand& chosen);
void add_translate_command(CLI::App& app, Subcommand& chosen);

}  // namespace glassformer
