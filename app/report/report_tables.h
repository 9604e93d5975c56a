// The three tables on a report's first page, and its other facts, out of the page that the session set up.
#pragma once

#include "app/report/report_content.h"

namespace glassformer {

// Model, data and training, results. What is not recorded is left out.
std::vector<ReportTable> report_tables(const StagedPage& page);
std::string loss_sentence(const StagedPage& page);
std::vector<std::string> changes_told(const StagedPage& page);
// The `glassformer train` line that makes the model again; empty: it is not recorded what it learned from.
std::string training_command(const OpenedModel& model);
std::string training_note(const OpenedModel& model);  // what that leaves out; empty: nothing

}  // namespace glassformer
