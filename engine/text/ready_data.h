// Prepared data in a file, so that they need not be made again: the recipe of a model that comes with the
// program is made ready when the program is built. The file says of what it was made (its key), and counts
// only where that is asked for.
#pragma once

#include <optional>
#include <string>

#include "engine/text/data.h"

namespace glassformer {

// What prepared data follow from: the options, what is in the files that they name, and the tokenizers.
// Throws Error when a file cannot be read.
std::string ready_key(const DataOptions& options, const Tokenizers& tokenizers);

// Throws Error as AtomicFile does. The pairs hold no line break and no tab, as no reader lets them in.
void write_ready_data(const PreparedData& data, const std::string& key, const std::string& path);

// Nothing when there is no such file, when it is damaged, or when it was made of something else.
std::optional<PreparedData> read_ready_data(const std::string& path, const std::string& key,
                                            const Tokenizers& tokenizers);

}  // namespace glassformer
