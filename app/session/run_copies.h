// The table of the kept runs for spreadsheets, for LaTeX and for a report's page: name, runs, steps, what
// they came to, and what differs among them; with the scores where there are some.
#pragma once

#include <string>
#include <vector>

#include "app/format/table.h"
#include "app/session/run_scoring.h"
#include "app/session/run_table.h"

namespace glassformer {

// A line a row, deviations in columns of their own, exact match also by length.
std::string csv_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores = {});
// Needs \usepackage{booktabs}. Of several seeds "mean \pm deviation".
std::string tex_of(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                   const std::vector<RunDifference>& different, const RunScores& scores = {});

// For a page: cut to what can be read, and whole as CSV.
struct RunsTable {
  Table printed;
  std::string csv;
};
RunsTable runs_table(const std::vector<KeptRun>& runs, const std::vector<RunRow>& rows,
                     const std::vector<RunDifference>& different, const RunScores& scores);
RunsTable runs_table_of(const std::string& folder);  // of all runs in it, the newest first

}  // namespace glassformer
