// A study's numbers as tables.
#pragma once

#include "app/format/table.h"
#include "engine/train/study.h"

namespace glassformer {

// Mean and deviation over seeds: a row a setting, or, where there is one alone, a row a measure.
Table study_table(const Study& study, const std::vector<StudyRun>& runs);
// A row a run, as NAME.csv has them.
Table study_results(const Study& study, const std::vector<StudyRun>& runs);

}  // namespace glassformer
