#include "engine/train/run_json.h"

#include <array>
#include <cmath>
#include <filesystem>

#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/text/printable.h"
#include "engine/text/unicode.h"

namespace glassformer {
namespace {

constexpr int kFormat = 1;

double number_or(const nlohmann::json& json, const char* key, double otherwise) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : otherwise;
}

template <std::integral Number>
Number whole_at(const nlohmann::json& json, const char* key, const std::string& where, Number low = 0) {
  return whole<Number>(json.at(key), where, std::string("the entry \"") + key + "\"", low);
}

// What older folders lack is 0.
long whole_if_there(const nlohmann::json& json, const char* key, const std::string& where) {
  return json.contains(key) ? whole_at<long>(json, key, where) : 0;
}

std::array<std::string*, 9> paths_of(DataOptions& data) {
  DataSource &a = data.training, &b = data.validation;
  return {&a.grammar, &a.corpus, &a.source, &a.target,      &b.grammar,
          &b.corpus,  &b.source, &b.target, &data.leave_out};
}

// JSON is UTF-8; a name of other bytes is kept as far as it can be read.
std::string as_utf8(const std::string& text) {
  return first_invalid_utf8(text) == std::string::npos ? text : printable(text);
}

bool fits_model(const Diagnosis& diagnosis, const Config& config) {
  return fits(diagnosis, config);
}
bool fits_model(const Diagnosis& diagnosis, const RecurrentConfig&) {
  return diagnosis.looks.empty();
}

template <class Model>
void restore(TrainerState<Model>& state, const nlohmann::json& json, const std::string& where) {
  // Limits that were set later may contradict the schedule's needs, which are met by its own total.
  state.schedule = schedule_from_json(json.at("schedule"), where);
  if (kIsTransformer<Model> || json.contains("live"))  // older ones of recurrent models do not say so
    state.live = live_settings_from_json(json.at("live"));
  set_dropout(state.config, state.live.dropout);
  if (const auto later = json.find("later"); later != json.end()) {
    for (const nlohmann::json& each : *later) {
      const LearningWish wish = learning_wish_from_json(each.at("change"));
      check(with(state.live, wish));
      state.later.emplace(whole_at<long>(each, "step", where), wish);
    }
  }

  const nlohmann::json& position = json.at("position");
  state.step = state.weights_step = whole_at<long>(json, "step", where);
  state.moments_from = whole_if_there(json, "moments_from", where);
  state.start_step =
      json.contains("start_step") ? whole_if_there(json, "start_step", where) : state.moments_from;
  state.epoch = whole_at<long>(position, "epoch", where);
  state.next_batch = whole_at<std::size_t>(position, "batch", where);
  state.seconds = json.at("seconds");
  state.minutes_from = number_or(json, "minutes_from", 0);
  const nlohmann::json& validation = json.at("validation");
  state.validated_step = whole_at<long>(validation, "last_step", where, -1);  // -1: never
  state.best_loss = number_or(validation, "best_loss", std::numeric_limits<double>::infinity());
  state.without_improvement = whole_at<int>(validation, "without_improvement", where);
  if (const auto steps = json.at("kept").find("mean_of_steps"); steps != json.at("kept").end())
    for (const nlohmann::json& step : *steps)
      state.kept_steps.push_back(whole<long>(step, where, "an entry of \"mean_of_steps\""));
}

}  // namespace

nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json();
}

nlohmann::json new_record() {
  return {{"format", kFormat}, {"program", "glassformer " GLASSFORMER_VERSION}};
}

nlohmann::json data_to_json(const TrainingSet& data) {
  DataOptions origin = data.origin;
  bool relative = false;
  for (std::string* path : paths_of(origin)) {
    relative = relative || (!path->empty() && !std::filesystem::path(*path).is_absolute());
    *path = as_utf8(*path);
  }
  nlohmann::json json = {{"name", as_utf8(data.name)},
                         {"origin", to_json(origin)},
                         {"training_pairs", data.training.size()},
                         {"validation_pairs", data.validation.size()},
                         {"fingerprint", fingerprint(data)}};
  std::error_code gone;
  const std::filesystem::path folder = std::filesystem::current_path(gone);
  if (relative && !gone) json["folder"] = as_utf8(folder.string());
  return json;
}

nlohmann::json schedule_to_json(const Schedule& schedule) {
  return {{"kind", schedule_name(schedule.kind)},
          {"factor", schedule.factor},
          {"warmup", schedule.warmup},
          {"peak", schedule.peak},
          {"d_model", schedule.d_model},
          {"total_steps", schedule.total_steps},
          {"from", schedule.from}};
}

void check_record(const nlohmann::json& json, const TrainingSet& data, const std::string& where) {
  if (json.at("format") != kFormat)
    throw Error(where, "it is of format " + shown(json.at("format")) + ", this program reads format " +
                           std::to_string(kFormat) + "; use the program that wrote it");
  if (json.at("data").at("fingerprint") != fingerprint(data))
    throw Error(where, "the data are not those that the run began with (" +
                           shown(json.at("data").at("name")) +
                           "), so it cannot go on exactly; bring back the old data or train a new model");
}

DataOptions recorded_origin(const nlohmann::json& data) {
  DataOptions origin = data_options_from_json(data.at("origin"));
  const auto folder = data.find("folder");
  if (folder == data.end() || !folder->is_string()) return origin;
  for (std::string* path : paths_of(origin)) {
    if (path->empty()) continue;
    std::error_code failed;
    const std::filesystem::path meant = std::filesystem::path(folder->get<std::string>()) / *path;
    if (std::filesystem::exists(meant, failed)) *path = meant.string();
  }
  return origin;
}

Schedule schedule_from_json(const nlohmann::json& json, const std::string& where) {
  return {.kind = schedule_kind(json.at("kind").get<std::string>()),
          .factor = json.at("factor"),
          .warmup = whole_at<long>(json, "warmup", where),
          .peak = json.at("peak"),
          .total_steps = whole_at<long>(json, "total_steps", where),
          .d_model = whole_at<int>(json, "d_model", where),
          .from = whole_if_there(json, "from", where)};
}

template <class Model>
nlohmann::json run_to_json(const TrainerState<Model>& state, const SnapshotOf<Model>& kept,
                           const RunFiles& files) {
  nlohmann::json json = new_record();
  json["step"] = state.step;
  json["moments_from"] = state.moments_from;
  if (state.start) json["start_step"] = state.start_step;
  json["seconds"] = state.seconds;
  json["minutes_from"] = state.minutes_from;
  json["label_smoothing"] = state.live.smoothing;
  json["seed"] = state.options.seed;
  json["options"] = to_json(state.options);
  json["schedule"] = schedule_to_json(state.schedule);
  json["live"] = to_json(state.live);
  auto& later = json["later"] = nlohmann::json::array();
  for (const auto& [step, wish] : state.later) later.push_back({{"step", step}, {"change", to_json(wish)}});
  // The order of the data and the dropout follow from the seed, the epoch, the batch and the step.
  json["position"] = {{"epoch", state.epoch}, {"batch", state.next_batch}};
  json["data"] = data_to_json(*state.data);
  json["kept"] = {{"step", kept.step}, {"validation_loss", number_or_null(kept.validation_loss)}};
  if (state.kept && !state.kept_steps.empty()) json["kept"]["mean_of_steps"] = state.kept_steps;
  json["validation"] = {{"last_step", state.validated_step},
                        {"best_loss", number_or_null(state.best_loss)},
                        {"without_improvement", state.without_improvement},
                        {"kept_is_validated", state.kept != nullptr}};
  json["what_ifs"] = nlohmann::json::array();
  json["curves"] = to_json(state.curves);
  auto& averaged = json["averaged_steps"] = nlohmann::json::array();
  for (const auto& snapshot : state.recent) averaged.push_back(snapshot->step);
  json["files"] = {{"weights", files.weights},
                   {"optimizer", files.optimizer},
                   {"averages", files.averages},
                   {"best", files.best}};
  return json;
}

RunFiles run_files(const nlohmann::json& json, const std::string& where) {
  const auto files = json.find("files");
  if (files == json.end() || !files->is_object() || files->value("weights", "").empty() ||
      files->value("optimizer", "").empty())
    throw Error(where, "the model came without the state to go on from (the last-* files); train a new one");
  const auto name = [&](const char* key) {
    const std::string file = files->value(key, "");
    if (file.find('/') != std::string::npos || file.starts_with('.'))
      throw Error(where,
                  "its files should be named as they lie beside it, found a name that leads elsewhere");
    return file;
  };
  return {.weights = name("weights"),
          .optimizer = name("optimizer"),
          .averages = name("averages"),
          .best = name("best")};
}

bool kept_is_validated(const nlohmann::json& json) {
  return json.at("validation").at("kept_is_validated");
}
long kept_step(const nlohmann::json& json, const std::string& where) {
  return whole_at<long>(json.at("kept"), "step", where);
}
double kept_loss(const nlohmann::json& json) {
  return number_or(json.at("kept"), "validation_loss", std::numeric_limits<double>::quiet_NaN());
}

std::vector<long> averaged_steps(const nlohmann::json& json, const std::string& where) {
  std::vector<long> steps;
  const auto found = json.find("averaged_steps");
  if (found == json.end() || !found->is_array()) return steps;
  for (const nlohmann::json& step : *found)
    steps.push_back(whole<long>(step, where, "an entry of \"averaged_steps\""));
  return steps;
}

template <class Model>
std::unique_ptr<TrainerState<Model>> run_from_json(const nlohmann::json& json, const ConfigOf<Model>& config,
                                                   const ResumedWith& with, const std::string& where) {
  try {
    check_record(json, *with.data, where);
    TrainingOptions options = training_options_from_json(json.at("options"), where);
    options.threads = with.threads;
    auto state = std::make_unique<TrainerState<Model>>(with.data, config, options);
    restore(*state, json, where);
    state->curves = curves_from_json(json.at("curves"), where);
    state->plan_this_epoch();
    if (state->next_batch >= state->plan.size() ||
        state->curves.steps.size() != static_cast<std::size_t>(state->step) ||
        kept_step(json, where) > state->step || !fits_model(state->curves.diagnosis, config) ||
        (!state->curves.diagnosis.looks.empty() && state->curves.diagnosis.looks.back().step > state->step))
      throw Error(where, "its numbers contradict each other; use an older copy or train a new model");
    return state;
  } catch (const nlohmann::json::exception& error) {
    throw Error(where, "it is not as this program writes it (" + in_words(error) +
                           "); use an older copy or train a new model");
  }
}

#define GLASSFORMER_RUN_JSON(Model)                                                         \
  template nlohmann::json run_to_json(const TrainerState<Model>&, const SnapshotOf<Model>&, \
                                      const RunFiles&);                                     \
  template std::unique_ptr<TrainerState<Model>> run_from_json<Model>(                       \
      const nlohmann::json&, const ConfigOf<Model>&, const ResumedWith&, const std::string&);
GLASSFORMER_RUN_JSON(Transformer<float>)
GLASSFORMER_RUN_JSON(RecurrentModel<float>)

}  // namespace glassformer
