#include "engine/train/live_settings.h"

#include <nlohmann/json.hpp>
#include <string>

#include "engine/math/error.h"

namespace glassformer {

LiveSettings first_settings(const Config& config, const TrainingOptions& options) {
  return {.rate_scale = 1, .dropout = config.dropout, .smoothing = options.smoothing, .clip = options.clip};
}

void check(const LiveSettings& settings) {
  const auto fail = [](const char* what, double found) {
    throw Error("training", std::string(what) + ", found " + nlohmann::json(found).dump());
  };
  if (!(settings.rate_scale >= 0 && settings.rate_scale <= 1e6))
    fail("the rate's scale is 0 to 1e6", settings.rate_scale);
  if (!(settings.dropout >= 0 && settings.dropout < 1))
    fail("dropout is at least 0 and below 1", settings.dropout);
  if (!(settings.smoothing >= 0 && settings.smoothing < 1))
    fail("smoothing is at least 0 and below 1", settings.smoothing);
  if (!(settings.clip >= 0)) fail("clip is at least 0", settings.clip);
}

nlohmann::json to_json(const LiveSettings& settings) {
  return {{"rate_scale", settings.rate_scale},
          {"dropout", settings.dropout},
          {"smoothing", settings.smoothing},
          {"clip", settings.clip}};
}

LiveSettings live_settings_from_json(const nlohmann::json& json) {
  return {.rate_scale = json.at("rate_scale"),
          .dropout = json.at("dropout"),
          .smoothing = json.at("smoothing"),
          .clip = json.at("clip")};
}

}  // namespace glassformer
