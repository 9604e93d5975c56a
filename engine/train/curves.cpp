#include "engine/train/curves.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/train/step_series.h"

namespace glassformer {
namespace {

const nlohmann::json& column(const nlohmann::json& json, const char* key, std::size_t size,
                             const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array())
    throw Error(where, "the curves have no column \"" + std::string(key) + "\"");
  if (found->size() != size)
    throw Error(where, "the column \"" + std::string(key) + "\" of the curves has " +
                           std::to_string(found->size()) + " entries, expected " + std::to_string(size));
  return *found;
}

double number(const nlohmann::json& value, const char* key, const std::string& where) {
  if (value.is_null()) return std::numeric_limits<double>::quiet_NaN();
  if (!value.is_number())
    throw Error(where, "the column \"" + std::string(key) + "\" of the curves holds " + shown(value) +
                           ", expected a number");
  return value.get<double>();
}

std::size_t rows(const nlohmann::json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? found->size() : 0;
}

}  // namespace

bool has_held_out_pairs(const ValidationPoint& point) {
  return std::isfinite(point.token_accuracy);
}

bool has_held_out_pairs(const Curves& curves) {
  return std::ranges::any_of(curves.validations,
                             [](const ValidationPoint& point) { return has_held_out_pairs(point); });
}

const char* loss_name(bool held_out) {
  return held_out ? "validation loss" : "mean training loss";
}

bool begun_with_others(const Curves& curves) {
  return !curves.marks.empty() && curves.marks.front().step == 0 && !curves.marks.front().change;
}

LiveSettings settings_at(const Curves& curves, const LiveSettings& now, long step) {
  for (const RunMark& mark : curves.marks)
    if (mark.change && mark.step >= step) return mark.change->before;
  return now;
}

nlohmann::json to_json(const Curves& curves) {
  nlohmann::json json;
  const auto empty = nlohmann::json::array();
  auto &loss = json["loss"] = empty, &rate = json["learning_rate"] = empty,
       &norm = json["gradient_norm"] = empty, &speed = json["tokens_per_s"] = empty;
  for (const StepPoint& point : curves.steps) {
    loss.push_back(short_number(point.loss));
    rate.push_back(short_number(point.learning_rate));
    norm.push_back(short_number(point.gradient_norm));
    speed.push_back(std::lround(std::min(point.tokens_per_s, 2e9F)));
  }
  json["validations"] = empty;
  for (const ValidationPoint& point : curves.validations)
    json["validations"].push_back({{"step", point.step},
                                   {"loss", point.loss},
                                   {"nll", point.nll},
                                   {"token_accuracy", point.token_accuracy},
                                   {"exact_match", point.exact_match},
                                   {"best", point.best}});
  json["marks"] = empty;
  for (const RunMark& mark : curves.marks) {
    nlohmann::json& written = json["marks"].emplace_back();
    written = {{"step", mark.step}, {"text", mark.text}};
    if (!mark.change) continue;
    written["before"] = to_json(mark.change->before);
    written["after"] = to_json(mark.change->after);
  }
  if (!curves.diagnosis.looks.empty()) json["diagnosis"] = to_json(curves.diagnosis);
  return json;
}

Curves curves_from_json(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) throw Error(where, "expected an object of curves");
  Curves curves;
  const std::size_t size = rows(json, "loss");
  const auto &loss = column(json, "loss", size, where), &rate = column(json, "learning_rate", size, where),
             &norm = column(json, "gradient_norm", size, where),
             &speed = column(json, "tokens_per_s", size, where);
  for (std::size_t i = 0; i < size; ++i)
    curves.steps.push_back({.loss = static_cast<float>(number(loss[i], "loss", where)),
                            .learning_rate = static_cast<float>(number(rate[i], "learning_rate", where)),
                            .gradient_norm = static_cast<float>(number(norm[i], "gradient_norm", where)),
                            .tokens_per_s = static_cast<float>(number(speed[i], "tokens_per_s", where))});
  try {
    for (const auto& point : column(json, "validations", rows(json, "validations"), where))
      curves.validations.push_back(
          {.step = whole<long>(point.at("step"), where, "\"step\""),
           .loss = number(point.at("loss"), "validations", where),
           .nll = number(point.at("nll"), "validations", where),
           .token_accuracy = number(point.at("token_accuracy"), "validations", where),
           .exact_match = number(point.at("exact_match"), "validations", where),
           .best = point.at("best")});
    for (const auto& mark : column(json, "marks", rows(json, "marks"), where)) {
      curves.marks.push_back(
          {.step = whole<long>(mark.at("step"), where, "\"step\""), .text = mark.at("text")});
      if (mark.contains("before"))
        curves.marks.back().change = LearningChange{.before = live_settings_from_json(mark.at("before")),
                                                    .after = live_settings_from_json(mark.at("after"))};
    }
    if (const auto looks = json.find("diagnosis"); looks != json.end())  // older folders have none
      curves.diagnosis = diagnosis_from_json(*looks, where);
  } catch (const nlohmann::json::exception& error) {
    throw Error(where, "the curves are not as this program writes them (" + in_words(error) + ")");
  }
  return curves;
}

}  // namespace glassformer
