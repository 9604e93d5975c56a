// A table as a report prints it: rounded numbers, the first column names the row.
#pragma once

#include <string>
#include <vector>

#include "app/figure/describe.h"
#include "app/session/run_scoring.h"

namespace glassformer {

struct PrintedTable {
  std::string title;
  std::vector<std::string> columns;  // the first over the names of the rows
  std::vector<std::vector<std::string>> rows;
  std::string note;  // "and 12 more rows"; empty: it is whole
};

// The tables of a figure, cut to what can be read.
std::vector<PrintedTable> printed_tables(const Description& words);
// The kept runs, for the page and as CSV: what each came to, and what differs among them.
struct RunsTable {
  PrintedTable printed;
  std::string csv;
};
RunsTable runs_table(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                     const std::vector<RunDifference>& different, const RunScores& scores);
// Of all runs in a folder, the newest first.
RunsTable runs_table_of(const std::string& folder);

}  // namespace glassformer
