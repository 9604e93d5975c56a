#include "app/commands/commands.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "app/session/paths.h"
#include "engine/math/typed_number.h"

namespace glassformer {
namespace {

// 5 as "5", 1e15 as "1e+15".
std::string short_text(double number) {
  const bool whole = number == std::floor(number) && std::abs(number) < 1e15;
  return whole ? std::to_string(std::lround(number)) : nlohmann::json(number).dump();
}

// `text` becomes the spelling that the parser reads; returns what is wrong with it, or nothing.
template <class Number>
std::string spelled(const std::optional<Number>& number, const std::string& wanted, std::string& text) {
  if (!number) {
    const std::optional<double> typed = typed_number(text);
    const bool large = typed && *typed > 0 && *typed == std::floor(*typed);
    return large ? text + " is too large" : "expected " + wanted + ", found " + text;
  }
  text = nlohmann::json(*number).dump();
  return {};
}

std::string read_typed(const std::string& type, std::string& text) {
  if (text.empty()) return "the value is empty; give one, or leave the option out";
  if (type.starts_with("UINT")) return spelled(typed_unsigned(text), "a whole number from 0 to 1.8e19", text);
  if (type.starts_with("INT")) return spelled(typed_whole(text), "a whole number", text);
  if (type.starts_with("FLOAT")) return spelled(typed_number(text), "a number", text);
  return {};
}

// Whether the value is the path of a file or folder. --source and --target are files where pairs may come
// from a table as well, sentences elsewhere.
bool takes_path(const CLI::App& command, const CLI::Option& option) {
  constexpr std::string_view kPaths[] = {"FILE",
                                         "against",
                                         "batch",
                                         "corpus",
                                         "csv",
                                         "files",
                                         "fine-tune",
                                         "folder",
                                         "gradients",
                                         "gradient-trace",
                                         "grammar",
                                         "hypothesis",
                                         "input",
                                         "leave-out",
                                         "lesson",
                                         "lessons",
                                         "model",
                                         "out",
                                         "pairs-from",
                                         "reference",
                                         "resume",
                                         "session",
                                         "source-embedding",
                                         "source-vocabulary",
                                         "target-embedding",
                                         "target-vocabulary",
                                         "validation-corpus",
                                         "validation-grammar",
                                         "validation-source",
                                         "validation-target"};
  const std::string name = option.get_single_name();
  const bool of_pairs =
      (name == "source" || name == "target") && command.get_option_no_throw("--corpus") != nullptr;
  return of_pairs || std::ranges::find(kPaths, name) != std::end(kPaths);
}

void read_alike(const CLI::App& command, CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (takes_path(command, option))
    option.transform(CLI::Validator(
        [](std::string& text) {
          text = expanded(text);
          return std::string();
        },
        ""));
  option.transform(CLI::Validator([type](std::string& text) { return read_typed(type, text); }, ""));
}

}  // namespace

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
    const std::optional<double> value = typed_number(text);
    if (value && *value >= low && *value <= high) return std::string();
    return "expected a number from " + short_text(low) + " to " + short_text(high) + ", found " + text;
  };
  return {check, ""};
}

void read_values_alike(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0 && option->get_type_size_max() > 0) read_alike(app, *option);
  for (CLI::App* command : app.get_subcommands({})) read_values_alike(*command);
}

std::string json_text(const nlohmann::json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void print_json(const nlohmann::json& json) {
  std::cout << json_text(json) << "\n";
}

}  // namespace glassformer
