// Cells of a CSV file (RFC 4180).
#pragma once

#include <string>

namespace glassformer {

// Quoted where it has to be; an apostrophe before it keeps a spreadsheet from running what looks like a
// formula.
std::string csv_cell(const std::string& word);
std::string csv_number(double value);  // empty when there is none

}  // namespace glassformer
