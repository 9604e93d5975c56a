// What may be changed while a run trains.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "engine/model/config.h"
#include "engine/train/options.h"

namespace glassformer {

struct LiveSettings {
  double rate_scale = 1;   // times the schedule's learning rate, at least 0
  double dropout = 0.1;    // 0 to below 1
  double smoothing = 0.1;  // of the labels, 0 to below 1
  double clip = 0;         // largest global L2 norm of the gradients; 0: none
  bool operator==(const LiveSettings&) const = default;
};

// As a run begins.
LiveSettings first_settings(const Config& config, const TrainingOptions& options);

// A change of some of them; what is absent stays.
struct LearningWish {
  std::optional<double> rate_scale, dropout, smoothing, clip;
};
LiveSettings with(const LiveSettings& settings, const LearningWish& wish);

// Throws Error naming the setting, what is allowed and what was found.
void check(const LiveSettings& settings);

nlohmann::json to_json(const LiveSettings& settings);
// Throws when one is missing or no number.
LiveSettings live_settings_from_json(const nlohmann::json& json);

nlohmann::json to_json(const LearningWish& wish);
// Throws when one is there and no number.
LearningWish learning_wish_from_json(const nlohmann::json& json);

}  // namespace glassformer
