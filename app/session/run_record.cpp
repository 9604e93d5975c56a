#include "app/session/run_record.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/scene/held_out.h"
#include "app/session/paths.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
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

namespace {

constexpr const char* kStamp = "%Y-%m-%d %H.%M.%S ";

// Where the name begins after its time.
std::optional<std::size_t> end_of_time(const std::string& name, std::tm& time) {
  const char* const rest = strptime(name.c_str(), kStamp, &time);
  if (rest == nullptr || *rest == 0) return std::nullopt;
  return static_cast<std::size_t>(rest - name.c_str());
}

}  // namespace

std::string run_folder_for(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, kStamp, &local);
  std::string folder = stamp + name;
  std::replace(folder.begin(), folder.end(), '/', '-');
  std::string path = (runs_folder() / folder).string(), free = path;
  std::error_code failed;
  for (int number = 2; std::filesystem::exists(free, failed); ++number)
    free = path + " " + std::to_string(number);
  return free;
}

std::string without_time(const std::string& folder_name) {
  std::tm time{};
  return folder_name.substr(end_of_time(folder_name, time).value_or(0));
}

std::string run_in_words(const std::string& folder_name) {
  std::tm time{};
  const auto name = end_of_time(folder_name, time);
  if (!name) return "“" + folder_name + "”";
  char words[64];
  const std::size_t length = std::strftime(words, sizeof words, " %B %Y, %H:%M", &time);
  return "“" + folder_name.substr(*name) + "” of " + std::to_string(time.tm_mday) +
         std::string(words, length);
}

nlohmann::json recorded_training(const std::string& folder) {
  const std::string path = folder + "/training.json";
  if (folder.empty() || !std::filesystem::exists(path)) return {};
  try {
    return read_json(path);
  } catch (const Error&) {
    return {};
  }
}

void copy_record(const std::string& from, long step, const std::string& to) {
  nlohmann::json record = recorded_training(from);
  if (!record.is_object()) return;
  record.erase("files");
  record.erase("averaged_steps");
  nlohmann::json& kept = record["kept"];
  if (!kept.is_object() || kept.value("step", nlohmann::json()) != nlohmann::json(step))
    kept = {{"step", step}};
  OwnedFolder(to, {}, OwnedFolder::Use::beside).write("training.json", record.dump() + "\n");
  if (const std::vector<HeldOutSentence> sentences = kept_held_out(from); !sentences.empty())
    keep_held_out(to, sentences);
}

}  // namespace glassformer
