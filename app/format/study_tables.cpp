#include "app/format/study_tables.h"

#include <algorithm>

namespace glassformer {

Table study_table(const Study& study, const std::vector<StudyRun>& runs) {
  Table table{.columns = {"setting", "seeds"}};
  for (const StudyMeasure& measure : study.measures)
    table.columns.push_back(measure.words + (measure.unit.empty() ? "" : " " + measure.unit));
  for (std::size_t setting = 0; setting < study.sweep.settings.size(); ++setting) {
    const auto seeds = std::ranges::count(runs, setting, &StudyRun::setting);
    auto& row =
        table.rows.emplace_back(std::vector<Cell>{study.sweep.settings[setting].name, std::to_string(seeds)});
    for (std::size_t measure = 0; measure < study.measures.size(); ++measure)
      row.emplace_back(
          Measured{study_mean(runs, {measure, setting}).value, study.measures[measure].decimals});
  }
  return table;
}

Table study_results(const Study& study, const std::vector<StudyRun>& runs) {
  Table table{.columns = study_columns(study)};
  for (const StudyRun& run : runs) {
    auto& row = table.rows.emplace_back(std::vector<Cell>{
        study.sweep.settings[run.setting].name, std::to_string(run.seed), std::to_string(run.steps)});
    row.insert(row.end(), run.figures.begin(), run.figures.end());
    row.insert(row.end(), {run.seconds, run.processor, run.version});
  }
  return table;
}

}  // namespace glassformer
