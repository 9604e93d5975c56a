// `--what-if` of the commands that run a model.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/model/snapshot.h"
#include "engine/model/what_if/change_kinds.h"
#include "engine/model/what_if/value_means.h"
#include "engine/model/what_if/what_if_tap.h"
#include "engine/text/tokenizer.h"
#include "engine/train/translation.h"

namespace glassformer {

void add_what_if_option(CLI::App& command, std::string& text);

// Throws Error for what cannot be read, and for a change that does nothing in this model and sentence.
WhatIf fitting_what_if(const std::string& text, const ChangeWords& words, const ChangeFit& fit);

// Says on standard error which of the words that are put in the model does not know.
void tell_unknown_words(const std::string& text, const ChangeWords& words, const Tokenizers& tokenizers,
                        const Config& config);

// The changes of each line that is translated, told in the line's own words. What it returns must not outlive
// the model.
LineChanges line_changes(const std::string& text, const std::string& folder, const Snapshot& model,
                         const Tokenizers& tokenizers);

// What the changes put in, for a command that runs one Scene alone. Throws Error as means_of does, or when a
// change takes values from another Scene.
Substitutes substitutes_of(const WhatIf& what_if, const std::string& folder, const Snapshot& model);
// Means of these weights over the held-out pairs of the data that the model in the folder learned from.
// Throws Error where these are not recorded.
std::shared_ptr<const ValueMeans> means_of(const std::string& folder, const Snapshot& model);

// Means of values (engine/model/what_if/value_means.h) from one command to the next: measuring them takes
// seconds, and the same weights on the same pairs have the same.

constexpr std::uintmax_t kMostKeptMeans = 64U << 20;  // bytes of all files together; the oldest go

// Those that are kept in the folder under this key, else measured ones, which are kept then. A file that is
// damaged or of another key counts as none; that one cannot be written is no error.
ValueMeans kept_means(const std::filesystem::path& folder, const std::string& key,
                      const std::function<ValueMeans()>& measured,
                      std::uintmax_t most_bytes = kMostKeptMeans);

}  // namespace glassformer
