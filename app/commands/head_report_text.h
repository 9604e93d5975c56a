// The head report as files hold it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "engine/train/head_report.h"

namespace glassformer {

// Words of one id, by the side of the model that reads it; without them ids are printed as numbers.
struct ReportWords {
  std::function<std::string(int)> source, target;
};

// NaN where there is nothing to measure: json_text writes null. "what_if" of a part is what --what-if takes.
nlohmann::json report_json(const HeadReport& report, const ReportWords& words);
// A line a part, empty cells where there is nothing to measure.
std::string report_csv(const HeadReport& report, const ReportWords& words);
// The curves of heads muted one after another, a line a point.
std::string pruning_csv(const HeadReport& report);

}  // namespace glassformer
