#include "app/format/study_tables.h"

#include <algorithm>

namespace glassformer {

namespace {

std::string head_of(const StudyMeasure& measure) {
  return measure.words + (measure.unit.empty() ? "" : " " + measure.unit);
}

Measured over_seeds(const Study& study, const std::vector<StudyRun>& runs, StudyNumber number) {
  return {study_mean(runs, number).value, study.measures[number.measure].decimals};
}

// Of the only setting: a row a measure.
Table table_of_measures(const Study& study, const std::vector<StudyRun>& runs) {
  Table table{.columns = {"measure", study.sweep.settings[0].name}};
  for (std::size_t measure = 0; measure < study.measures.size(); ++measure)
    table.rows.push_back({head_of(study.measures[measure]), over_seeds(study, runs, {measure, 0})});
  return table;
}

}  // namespace

Table study_table(const Study& study, const std::vector<StudyRun>& runs) {
  if (study.sweep.settings.size() == 1) return table_of_measures(study, runs);
  Table table{.columns = {"setting", "seeds"}};
  for (const StudyMeasure& measure : study.measures) table.columns.push_back(head_of(measure));
  for (std::size_t setting = 0; setting < study.sweep.settings.size(); ++setting) {
    const auto seeds = std::ranges::count(runs, setting, &StudyRun::setting);
    auto& row =
        table.rows.emplace_back(std::vector<Cell>{study.sweep.settings[setting].name, std::to_string(seeds)});
    for (std::size_t measure = 0; measure < study.measures.size(); ++measure)
      row.emplace_back(over_seeds(study, runs, {measure, setting}));
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
