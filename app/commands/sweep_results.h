// What a sweep came to: a row for every setting, over its seeds, as a table for people, for LaTeX, for
// spreadsheets and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/sweep.h"

namespace glassformer {

struct SweepResult {
  SweepRun run;
  std::optional<SweepScore> score;
  std::string problem;             // why there is none
  std::string processor, version;  // that trained it
};

struct SweepResults {
  Sweep sweep;
  std::vector<SweepResult> runs;  // as planned
  std::string test;               // "500 held-out pairs"
  std::string length_unit;        // "words"
};

std::string text_of(const SweepResults& results);
std::string csv_of(const SweepResults& results);  // a line a run
std::string tex_of(const SweepResults& results);  // needs \usepackage{booktabs}
nlohmann::json json_of(const SweepResults& results);

nlohmann::json to_json(const SweepScore& score);
SweepScore sweep_score_from_json(const nlohmann::json& json);

}  // namespace glassformer
