#include "engine/train/live_settings.h"

#include <nlohmann/json.hpp>
#include <string>

#include "engine/math/error.h"

namespace glassformer {

LiveSettings first_settings(const Config& config, const TrainingOptions& options) {
  return {.rate_scale = 1, .dropout = config.dropout, .smoothing = options.smoothing, .clip = options.clip};
}

LiveSettings with(const LiveSettings& settings, const LearningWish& wish) {
  return {.rate_scale = wish.rate_scale.value_or(settings.rate_scale),
          .dropout = wish.dropout.value_or(settings.dropout),
          .smoothing = wish.smoothing.value_or(settings.smoothing),
          .clip = wish.clip.value_or(settings.clip)};
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

nlohmann::json to_json(const LearningWish& wish) {
  nlohmann::json json = nlohmann::json::object();
  const auto put = [&](const char* name, const std::optional<double>& wanted) {
    if (wanted) json[name] = *wanted;
  };
  put("rate_scale", wish.rate_scale);
  put("dropout", wish.dropout);
  put("smoothing", wish.smoothing);
  put("clip", wish.clip);
  return json;
}

LearningWish learning_wish_from_json(const nlohmann::json& json) {
  const auto read = [&](const char* name) {
    return json.contains(name) ? std::optional(json.at(name).get<double>()) : std::nullopt;
  };
  return {.rate_scale = read("rate_scale"),
          .dropout = read("dropout"),
          .smoothing = read("smoothing"),
          .clip = read("clip")};
}

}  // namespace glassformer
