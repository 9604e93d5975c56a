// A file of rows and cells: values between tabs, commas or semicolons (RFC 4180: a quoted cell may hold
// separators and line breaks, its own quotes doubled), JSON lines or an array of JSON objects, or TMX.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

struct TableRow {
  long line = 0;                   // where it starts, from 1
  std::string_view text;           // the whole row as it is in the file
  std::vector<std::string> cells;  // without quotes
  std::string fault;               // why the row cannot be used; empty: it can
};

struct FileTable {
  std::size_t columns = 0;              // that most rows have
  std::vector<std::string> names = {};  // of JSON the keys, of TMX the languages
  std::string separator;                // "tab", "comma", "semicolon", "key", "language"
  std::vector<std::string> notes = {};
  long lines = 0;                                    // of the file
  std::function<bool(std::size_t&, TableRow&)> row;  // the row that begins at a line (from 0), which moves
};

// `text` must outlive the table. Quotes come off cell by cell where they are a program's and not the
// sentences' own: in CSV always; between tabs when they are doubled or go over line ends, when every cell has
// them, or just those cells that hold a comma. Throws Error when the text is no table.
FileTable table_of(std::string_view text, const std::string& path);

}  // namespace glassformer
