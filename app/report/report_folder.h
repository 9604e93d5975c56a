// A report as a folder: index.html, report.md, figures, numbers, the session file, and what else was asked
// for. Nothing of anybody's is replaced: the folder is new, or empty, or holds a report that this program
// wrote and nobody changed since.
#pragma once

#include <optional>
#include <string>

#include "app/report/report_content.h"

namespace glassformer {

enum class ReportPlace {
  free,    // nothing, or an empty folder
  report,  // a report of this program, as written
  others,  // something of somebody's
};
ReportPlace report_place(const std::string& folder);
// The folder, or with the next number behind it one that is free: "report-2".
std::string free_report_folder(const std::string& wanted);

struct WrittenReport {
  std::string folder;
  std::size_t files = 0;
  long long bytes = 0;
};

// Makes the report of a session's lines and writes it, index.html last: a folder with one is whole. Nothing:
// it was stopped, and nothing is left. Throws Error when the place is not free, when something cannot be
// drawn or written; nothing is left then either.
std::optional<WrittenReport> write_report(const std::string& folder, const ReportRequest& request,
                                          const std::vector<SceneLine>& lines,
                                          const ReportProgress& going_on = {});

}  // namespace glassformer
