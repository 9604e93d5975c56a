// Which two columns of a table are the sentences: found by what is in them, or as a person says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/text/table.h"

namespace glassformer {

struct ColumnChoice {
  std::size_t source = 0, target = 1;
  bool header = false;             // the first row names the columns
  std::vector<std::string> names;  // by that row, or as the table has them; else empty
  std::vector<std::string> notes;  // "columns 2 and 4 were read ..."
};

// `wanted` is "2,4" (from 1), "en,fr" (names of the first row, or keys) or empty. Then two columns that a
// header names as languages or as source and target; else the first two that hold text: numbers (ids, scores,
// an index), dates, language codes, labels and addresses are none. Throws Error when `wanted` is not there.
ColumnChoice choose_columns(const FileTable& table, const std::string& wanted, const std::string& path);

}  // namespace glassformer
