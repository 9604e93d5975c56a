// `--what-if` of the commands that run a model.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "engine/model/snapshot.h"
#include "engine/model/what_if/change_kinds.h"
#include "engine/model/what_if/what_if_tap.h"
#include "engine/text/tokenizer.h"
#include "engine/train/translation.h"

namespace glassformer {

void add_what_if_option(CLI::App& command, std::string& text);

// Says on standard error which of the words that are put in the model does not know.
void print_unknown_words(const std::string& text, const ChangeWords& words, const Tokenizers& tokenizers,
                         const Config& config);

// The changes of each line that is translated, in the line's own words. What it returns must not outlive the
// model.
LineChanges line_changes(const std::string& text, const std::string& folder, const Snapshot& model,
                         const Tokenizers& tokenizers);

// What the changes put in, for a command that runs one Scene alone. Throws Error as means_of does, or when a
// change takes values from another Scene.
Substitutes substitutes_of(const WhatIf& what_if, const std::string& folder, const Snapshot& model);

}  // namespace glassformer
