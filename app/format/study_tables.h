// A study's numbers as tables.
#pragma once

#include "app/format/table.h"
#include "engine/train/study.h"

namespace glassformer {

// A row a setting: mean and deviation over seeds.
Table study_table(const Study& study, const std::vector<StudyRun>& runs);
// A row a run, as NAME.csv has them.
Table study_results(const Study& study, const std::vector<StudyRun>& runs);

}  // namespace glassformer
