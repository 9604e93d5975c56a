// A view in words, for whoever cannot see it and for the text of a report: what is shown, what it says, and
// its numbers as tables.
#pragma once

#include <string>
#include <vector>

#include "app/format/table.h"
#include "app/views/common/view.h"

namespace glassformer {

struct Description {
  std::string title = {};                   // "Decoder, Cross-attention, Layer 2, Head 1"
  std::vector<std::string> sentences = {};  // written from the same numbers as the picture
  std::vector<Table> tables = {};           // the first few, cut to what can be read
};

Table table_of(const NumberTable& numbers);  // whole

Description described(const View& view, const ViewInput& input);

// Paragraphs, then the table with bars between its cells, as Markdown has them.
std::string text_of(const Description& description);
// The sentences alone, in one line: read in place of a picture that cannot be shown.
std::string alternative_text(const Description& description);

}  // namespace glassformer
