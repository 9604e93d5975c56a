#include "app/session/run_record.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session/paths.h"
#include "engine/files/json_file.h"
#include "engine/train/run_json.h"

namespace glassformer {

namespace {

template <class Read>
void read_if_fits(const nlohmann::json& training, const char* key, const Read& read) {
  if (!training.is_object() || !training.contains(key)) return;
  try {
    read(training.at(key));
  } catch (const std::exception&) {
    // Another program's training.json: the model translates all the same.
  }
}

}  // namespace

void resolve_paths(DataSource& source) {
  for (std::string* path : {&source.grammar, &source.corpus, &source.source, &source.target})
    *path = resolved(*path);
}

RunRecord run_record(const nlohmann::json& training, const Config& config, const std::string& folder) {
  RunRecord record;
  read_if_fits(training, "data", [&](const nlohmann::json& json) {
    if (json.contains("name")) record.data_name = json.at("name").get<std::string>();
    record.training_pairs = whole<long>(json.at("training_pairs"), folder, "\"training_pairs\"");
    record.validation_pairs = whole<long>(json.at("validation_pairs"), folder, "\"validation_pairs\"");
    DataOptions data = recorded_origin(json);
    resolve_paths(data.training);
    resolve_paths(data.validation);
    for (std::string* path : {&data.leave_out, &data.source_embedding, &data.target_embedding})
      *path = resolved(*path);
    record.data = std::move(data);
  });
  read_if_fits(training, "options",
               [&](const nlohmann::json& json) { record.options = training_options_from_json(json); });
  record.live = first_settings(config, record.options);
  read_if_fits(training, "live",
               [&](const nlohmann::json& json) { record.live = live_settings_from_json(json); });
  read_if_fits(training, "schedule", [&](const nlohmann::json& json) {
    const Schedule schedule = schedule_from_json(json, folder);
    check(schedule);
    record.schedule = schedule;
  });
  read_if_fits(training, "step",
               [&](const nlohmann::json& json) { record.last_step = as_whole<long>(json).value_or(0); });
  read_if_fits(training, "seconds", [&](const nlohmann::json& json) { record.seconds = json.get<double>(); });
  read_if_fits(training, "curves", [&](const nlohmann::json& json) {
    record.curves = std::make_shared<const Curves>(curves_from_json(json));
  });
  read_if_fits(training, "files", [&](const nlohmann::json& json) {
    record.resumable = std::filesystem::is_regular_file(std::filesystem::path(folder) /
                                                        json.at("weights").get<std::string>());
  });
  return record;
}

const ValidationPoint* best_validation(const Curves& curves) {
  const ValidationPoint* best = nullptr;
  for (const ValidationPoint& point : curves.validations)
    if (std::isfinite(point.loss) && (!best || point.loss < best->loss)) best = &point;
  return best;
}

}  // namespace glassformer
