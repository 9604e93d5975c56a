// What makes a score low though the text is right, seen in the text alone.
#pragma once

#include <string>
#include <vector>

namespace glassformer {

struct TextNoteOptions {
  bool by_words = true;     // scored by words that blanks part, not by characters
  bool cut_by_rule = true;  // and by 13a, which itself cuts signs off
};

// With their counts: lines without blanks, marks of subwords that were left in ("@@ ", "▁", " ##", ...), text
// that is cut into words already (" ." and "&apos;"). `name` is the file's. Nothing of it: no notes.
std::vector<std::string> notes_on_text(const std::vector<std::string>& lines, const std::string& name,
                                       const TextNoteOptions& options = {});

}  // namespace glassformer
