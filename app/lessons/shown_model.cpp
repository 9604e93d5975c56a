#include "app/lessons/shown_model.h"

#include <algorithm>
#include <limits>

#include "app/lessons/hand_in.h"
#include "app/scene/held_out.h"
#include "app/session/run_record.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/history_folder.h"
#include "engine/train/run_json.h"

namespace glassformer {

namespace {

bool is_changing(const RunState& run) {
  return can_be_changed(run) || run.phase == RunPhase::preparing;
}

std::optional<DataOptions> data_of(const Session& session) {
  const std::optional<NewRun> recipe = session.recipe();
  return recipe ? std::optional(recipe->data) : std::nullopt;
}

// What the run's folder has recorded, with what has become of the run since.
nlohmann::json record_until_now(const ShownModel& model) {
  nlohmann::json record = recorded_training(model.folder);
  if (!record.is_object()) record = new_record();
  const RunState& run = model.run;
  for (const char* of_state : {"files", "averaged_steps"}) record.erase(of_state);
  record["step"] = std::max(run.step, model.weights->step);
  record["options"] = to_json(run.options);
  record["live"] = to_json(run.live);
  if (run.schedule) record["schedule"] = schedule_to_json(*run.schedule);
  if (run.curves) record["curves"] = to_json(*run.curves);
  if (!record.contains("data") && model.data)
    record["data"] = {{"name", run.data_name},
                      {"origin", to_json(*model.data)},
                      {"training_pairs", run.training_pairs},
                      {"validation_pairs", run.validation_pairs}};
  record["kept"] = {{"step", model.weights->step},
                    {"validation_loss", number_or_null(model.weights->validation_loss)}};
  return record;
}

std::vector<float> all_numbers(const RecurrentModel<float>& model) {
  std::vector<float> numbers;
  model.visit([&](const std::string&, const auto& tensor) {
    numbers.insert(numbers.end(), tensor.data, tensor.data + tensor.size());
  });
  return numbers;
}

}  // namespace

ShownModel shown_at(const Session& session, const std::shared_ptr<const Snapshot>& weights) {
  return {.folder = session.open_folder(),
          .weights = weights,
          .looked_back = weights->step,
          .tokenizers = session.tokenizers(),
          .run = session.run(),
          .data = data_of(session)};
}

ShownModel shown_model(const Session& session) {
  ShownModel model = shown_at(session, session.result()->untouched_snapshot);
  model.looked_back = session.looked_back();
  return model;
}

ShownModel shown_variant(const Session& session) {
  const Compared& two = *session.compared();
  return {.folder = {},
          .weights = two.second->untouched_snapshot,
          .tokenizers = two.tokenizers,
          .run = two.run,
          .data = data_of(session)};
}

std::optional<ShownModel> shown_recurrent(const Session& session) {
  const auto run = session.recurrent_run();
  if (!run || !run->model || !session.recurrent().own) return std::nullopt;
  ShownModel shown{.folder = run->folder, .weights = {}, .recurrent = run};
  if (const auto& scene = session.recurrent().scene; run->looked_at && scene) {
    RecurrentRunState back = *run;
    back.model = scene->model;
    back.of_step = scene->step;
    shown.recurrent = std::make_shared<const RecurrentRunState>(std::move(back));
  }
  return shown;
}

bool is_kept(const ShownModel& model) {
  // Its folder has what it shows as soon as it is over, and opens as it is at its end.
  if (model.recurrent)
    return !model.folder.empty() && !model.recurrent->running && model.recurrent->unsaved.empty() &&
           !model.recurrent->looked_at;
  if (model.folder.empty() || (!model.looked_back && is_changing(model.run))) return false;
  try {
    const Snapshot there = load_checkpoint(model.folder).snapshot;
    const auto same = [&](const Snapshot& other) {
      return other.step == model.weights->step &&
             weights_fingerprint(other) == weights_fingerprint(*model.weights);
    };
    if (!model.looked_back) return same(there);
    // At the step of the folder's own weights those are shown, which are kept whole.
    if (there.step == *model.looked_back) return same(there);
    const auto step = nearest(
        read_history<Transformer<float>>(model.folder, there.config, std::numeric_limits<long>::max()),
        *model.looked_back);
    return step && same(*step->snapshot());
  } catch (const Error&) {
    return false;  // it holds no model yet, or none any more
  }
}

bool stays_kept(const ShownModel& model) {
  return (model.recurrent || !is_changing(model.run)) && is_kept(model);
}

bool holds(const std::string& folder, const ShownModel& model) try {
  if (model.recurrent)
    return all_numbers(*load_recurrent_checkpoint(folder).model) == all_numbers(*model.recurrent->model);
  const Snapshot there = load_checkpoint(folder).snapshot;
  return there.step == model.weights->step &&
         weights_fingerprint(there) == weights_fingerprint(*model.weights) &&
         recorded_training(folder) == record_until_now(model);
} catch (const Error&) {
  return false;
}

std::optional<long> kept_before(const ShownModel& model) {
  std::optional<long> before;
  if (model.folder.empty()) return before;
  for (const auto& each : read_history<Transformer<float>>(model.folder, model.weights->config,
                                                           std::numeric_limits<long>::max()))
    if (each->step() < model.weights->step) before = each->step();
  return before;
}

void write_shown_model(const ShownModel& model, const std::string& to) {
  if (model.recurrent) return save_recurrent_model(to, *model.recurrent->model, model.recurrent->tokenizers);
  save_model(to, *model.weights, model.tokenizers);
  OwnedFolder(to, {}, OwnedFolder::Use::beside).write("training.json", record_until_now(model).dump() + "\n");
  if (!model.run.held_out.empty()) keep_held_out(to, model.run.held_out);
}

}  // namespace glassformer
