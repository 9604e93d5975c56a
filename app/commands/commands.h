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
#include <string>

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

// A number from `low` to `high`; unlike CLI::Range it refuses what is no number at all, and names the limits
// in a few digits.
CLI::Validator number_between(double low, double high);

// For every option of the program and its subcommands: numbers are read as people type them (".1", "+20",
// "1e3", see engine/math/typed_number.h), whatever the option's type, paths as they are typed or pasted
// (app/session/paths.h), and an empty value is refused.
void read_values_alike(CLI::App& app);

// JSON as text, numbers that are not finite as null and bytes that are not UTF-8 as U+FFFD; all that is
// printed or written as JSON goes through it. print_json: one line on standard output.
std::string json_text(const nlohmann::json& json, int indent = -1);
void print_json(const nlohmann::json& json);

// Each adds its subcommand to `app`; choosing it on the command line fills `chosen`.
void add_trace_command(CLI::App& app, Subcommand& chosen);
void add_step_command(CLI::App& app, Subcommand& chosen);
void add_decode_command(CLI::App& app, Subcommand& chosen);
void add_bottleneck_command(CLI::App& app, Subcommand& chosen);
void add_corpus_command(CLI::App& app, Subcommand& chosen);
void add_ready_command(CLI::App& app, Subcommand& chosen);
void add_render_command(CLI::App& app, Subcommand& chosen);
void add_bleu_command(CLI::App& app, Subcommand& chosen);
void add_import_command(CLI::App& app, Subcommand& chosen);
void add_evaluate_command(CLI::App& app, Subcommand& chosen);
void add_export_command(CLI::App& app, Subcommand& chosen);
void add_heads_command(CLI::App& app, Subcommand& chosen);
void add_lesson_command(CLI::App& app, Subcommand& chosen);
void add_report_command(CLI::App& app, Subcommand& chosen);
void add_runs_command(CLI::App& app, Subcommand& chosen);
void add_study_command(CLI::App& app, Subcommand& chosen);
void add_sweep_command(CLI::App& app, Subcommand& chosen);
void add_train_command(CLI::App& app, Subcommand& chosen);
void add_translate_command(CLI::App& app, Subcommand& chosen);

}  // namespace glassformer
