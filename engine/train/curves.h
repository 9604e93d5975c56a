// What a run has shown so far: a point for every step, a point for every validation, a mark for every change,
// and what was found when somebody looked closer.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/train/diagnosis.h"
#include "engine/train/live_settings.h"
#include "engine/train/step_series.h"

namespace glassformer {

// One pass over the validation pairs, without dropout. Where none are held out: the mean loss of the training
// steps since the last one, and nothing else.
struct ValidationPoint {
  long step = 0;
  double loss = 0;            // label-smoothed
  double nll = 0;             // NaN: none held out
  double token_accuracy = 0;  // 0 to 1, right words given; NaN: none held out
  double exact_match = -1;    // 0 to 1, sentences translated right to the last token; -1: not measured
  bool best = false;          // the lowest loss until then
};
bool has_held_out_pairs(const ValidationPoint& point);

struct LearningChange {
  LiveSettings before, after;
};

// Something changed while the run was going: "dropout 0.1 to 0", "plan extended by 100 steps".
struct RunMark {
  long step = 0;  // the last one before it
  std::string text;
  std::optional<LearningChange> change = {};  // absent: of something else
};

struct Curves {
  StepSeries steps;                          // steps[i] is step i + 1
  std::vector<ValidationPoint> validations;  // in step order
  std::vector<RunMark> marks;                // in step order
  Diagnosis diagnosis;                       // empty: nobody looked
};
bool has_held_out_pairs(const Curves& curves);  // at any of its looks
// "validation loss", or what it is where none are held out.
const char* loss_name(bool held_out);

// The run began with the weights of another, as marked.
bool begun_with_others(const Curves& curves);

// The settings by which a step was learned, by the marks; `now` are those in force at the end.
LiveSettings settings_at(const Curves& curves, const LiveSettings& now, long step);

// Columns of numbers; a float comes back as the same float.
nlohmann::json to_json(const Curves& curves);
// Throws Error on missing columns or columns of unequal length.
Curves curves_from_json(const nlohmann::json& json, const std::string& where = "training.json");

}  // namespace glassformer
