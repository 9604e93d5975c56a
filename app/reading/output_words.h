// Two outputs laid side by side, word by word: what is changed in a translation says the same on the chips of
// the window and in the What if view.
#pragma once

#include <optional>
#include <vector>

#include "engine/text/tokenizer.h"

namespace glassformer {

// One column: the place in each of the two outputs, nothing where it has none.
struct OutputColumn {
  std::optional<int> before, after;
  bool same = false;   // it belongs to a word that both have
  bool begins = true;  // the first column of its word
  bool operator==(const OutputColumn&) const = default;
};

// Along a longest common subsequence of their words; what differs between two common words stands in one
// column as far as both have words there. A word is what stands between blanks, with all its pieces: the same
// word is the same however it is cut. In a pair of words their pieces are laid side by side in the same way.
// Without a tokenizer every id is a word.
std::vector<OutputColumn> aligned(const std::vector<int>& before, const std::vector<int>& after,
                                  const Tokenizer* tokenizer = nullptr);
int words_in(const std::vector<OutputColumn>& columns);       // of both, those that stand in a column once
int changed_words(const std::vector<OutputColumn>& columns);  // those that differ

}  // namespace glassformer
