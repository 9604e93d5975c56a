// The options that say where sentence pairs come from: shared by every subcommand that takes DATA.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "engine/text/data.h"

namespace glassformer {

// What the parser fills; lives as long as the subcommand.
struct DataArguments {
  DataOptions options;
  std::string tokenizer;  // "bpe", "unigram", "wordpiece", "word", "char" or empty
  int max_tokens = kByModel;
  static constexpr int kByModel = -1;  // what the model takes
};

// --task --grammar --corpus --source --target, the same with --validation-, --length --symbols --pairs,
// --data-seed and the tokenizer's.
void add_data_options(CLI::App& command, DataArguments& arguments);

bool names_data(const DataArguments& arguments);
// The options as read, with the tokenizer's name resolved. Throws CLI::ValidationError unless exactly one
// place for the training data is named.
DataOptions data_options(const DataArguments& arguments);

// "18 pairs of 20 lines are kept; 2 are left out, most often: the line is empty. ...": one line on standard
// error, when a file was not taken whole.
void print_kept_lines(const DataReport& report);

}  // namespace glassformer
