// What makes BLEU low though the text is right, seen in the text alone.
#pragma once

#include <string>
#include <vector>

#include "engine/train/bleu.h"

namespace glassformer {

// With their counts: lines without blanks, subword marks ("@@ ") that were left in, text that is cut into
// words already (" ." and "&apos;"). `name` is the file's. Nothing of it: no notes.
std::vector<std::string> notes_on_words(const std::vector<std::string>& lines, const std::string& name,
                                        const BleuOptions& options = {});

}  // namespace glassformer
