// A view in words, for whoever cannot see it and for the text of a report: what is shown, what it says, and
// its numbers as one table.
#pragma once

#include <string>
#include <vector>

#include "app/views/common/view.h"

namespace glassformer {

// A table cut to what can be read.
struct CutTable {
  NumberTable table = {};
  std::size_t rows_left_out = 0, columns_left_out = 0;
};

// With the first of the view's tables.
struct Description : CutTable {
  std::string title = {};                   // "Decoder, Cross-attention, Layer 2, Head 1"
  std::vector<std::string> sentences = {};  // written from the same numbers as the picture
  std::vector<CutTable> others = {};        // the next few
};

Description described(const View& view, const ViewInput& input);

// Paragraphs, then the table with bars between its cells, as Markdown has them.
std::string text_of(const Description& description);
// The sentences alone, in one line: what a picture stands for where it cannot be shown.
std::string alternative_text(const Description& description);

}  // namespace glassformer
