// Tables that a program exports with its own lines or marks: Anki's notes, what fairseq's generate prints.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

// The lines at the head of Anki's export: "#separator:tab", "#html:true", "#tags column:3".
struct AnkiHead {
  std::size_t lines = 0;
  char separator = '\t';
  bool html = false;
  std::vector<std::size_t> own_columns;  // from 0: tags, deck, note type, identifier; no sentences
};
std::optional<AnkiHead> anki_head(const std::vector<std::string_view>& lines);

// Without its tags, those that end a line on screen being a blank; the entities of XML and &nbsp; as their
// signs.
std::string without_html(std::string_view cell);

// Throws Error for the lines S-0, T-0, H-0 of fairseq's generate: their first column names lines.
void refuse_generated(const std::vector<std::string_view>& lines, const std::string& path);

}  // namespace glassformer
