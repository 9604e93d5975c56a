// How a recurrent model's run is written to its folder and read from it: the order of the files is that of
// run_folder.cpp.
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/files/folder_lock.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/recurrent_run.h"
#include "engine/train/run_data.h"
#include "engine/train/run_folder.h"
#include "engine/train/run_json.h"

namespace glassformer {
namespace {

namespace fs = std::filesystem;

void write_tensors(OwnedFolder& home, const std::string& name, std::vector<TensorToWrite> tensors) {
  home.claim({name});
  write_safetensors(home.file(name), std::move(tensors));
}

double as_loss(const nlohmann::json& value, double otherwise) {
  return value.is_number() ? value.get<double>() : otherwise;
}

}  // namespace

nlohmann::json RecurrentRun::record(const RunFiles& files) const {
  const RecurrentLearner::Place place = learner_.place();
  nlohmann::json json = new_record();
  json["step"] = place.step;
  json["seconds"] = place.seconds;
  json["label_smoothing"] = options().smoothing;
  json["seed"] = options().seed;
  json["options"] = to_json(options());
  json["schedule"] = schedule_to_json(schedule());
  // The order of the data follows from the seed, the epoch and the batch.
  json["position"] = {{"epoch", place.epoch}, {"batch", place.batch}};
  json["data"] = data_to_json(data());
  json["kept"] = {
      {"step", kept_step()},
      {"validation_loss",
       number_or_null(kept_step() == kept_step_ ? kept_loss_ : std::numeric_limits<double>::quiet_NaN())}};
  json["validation"] = {{"last_step", validated_step_},
                        {"best_loss", number_or_null(best_loss_)},
                        {"without_improvement", without_improvement_},
                        {"kept_is_validated", kept_ != nullptr}};
  json["curves"] = to_json(curves_);
  json["files"] = {{"weights", files.weights},
                   {"optimizer", files.optimizer},
                   {"averages", files.averages},
                   {"best", files.best}};
  return json;
}

void RecurrentRun::save_in(OwnedFolder home) {
  saved_folder_.clear();
  saved_step_ = -1;
  saved_kept_.reset();
  home_ = std::move(home);
  replaces_ = true;
}

// A folder that went in the meantime is made anew, and all of the run is written there again.
void RecurrentRun::enter(const std::string& folder) {
  const bool there = home_.path() == folder;
  if (there && !home_.gone()) return;
  folder_lost_ = folder_lost_ || (there && saved_folder_ == folder);
  saved_folder_.clear();
  saved_step_ = -1;
  saved_kept_.reset();
  home_ = OwnedFolder();
  home_ = OwnedFolder(folder, names_of_older_run(folder));
}

void RecurrentRun::save(const std::string& folder) try {
  enter(folder);
  const bool begun =
      saved_folder_ == folder && home_.owns("training.json") && fs::exists(folder + "/training.json");
  const auto kept = this->kept();
  const auto make_way = [&] {  // nothing of a run that this one replaces is taken for its own
    if (std::exchange(replaces_, false)) home_.remove({"training.json", "weights.safetensors"});
  };

  // After a divergence only what translates is worth keeping; the last state stays.
  if (divergence_) {
    if (begun && kept == saved_kept_) return;
    make_way();
    save_recurrent_model(home_, *kept, data().tokenizers);
    if (begun) return;
    nlohmann::json without_state = record({});
    without_state.erase("files");
    home_.write("training.json", without_state.dump() + "\n");
    return;
  }

  // The new state, beside the old one; a first state stands there before the model does.
  const bool new_best = begun && kept != saved_kept_;
  const RunFiles files = free_names(folder, step_count(), {.averages = false, .best = new_best});
  home_.check({"training.json", "config.json", "weights.safetensors", "tokenizer.json"});
  std::vector<TensorToWrite> weights, optimizer;
  add_tensors(weights, "", model());
  add_tensors(optimizer, "m.", learner_.first_moment());
  add_tensors(optimizer, "v.", learner_.second_moment());
  try {
    write_tensors(home_, files.weights, std::move(weights));
    write_tensors(home_, files.optimizer, std::move(optimizer));
  } catch (const Error&) {  // what nothing names yet would only fill the disk
    home_.remove({files.weights, files.optimizer});
    throw;
  }
  if (!begun) {
    make_way();
    save_recurrent_model(home_, *kept, data().tokenizers);
  }
  if (new_best) {
    std::vector<TensorToWrite> best;
    add_tensors(best, "", *kept);
    write_tensors(home_, files.best, std::move(best));
  }

  // The one moment at which it becomes the state; then the best weights get their name and the old files go.
  home_.write("training.json", record(files).dump() + "\n");
  if (new_best) home_.rename(files.best, "weights.safetensors");
  saved_folder_ = folder;
  saved_kept_ = kept;
  saved_step_ = step_count();
  remove_leftovers(home_, files);
} catch (const fs::filesystem_error& error) {
  throw Error(folder, "the run cannot be saved (" + error.code().message() + ")");
}

void RecurrentRun::restore(const nlohmann::json& json, const std::string& where) {
  const nlohmann::json& validation = json.at("validation");
  validated_step_ = whole<long>(validation.at("last_step"), where, "\"last_step\"", -1);  // -1: never
  best_loss_ = as_loss(validation.at("best_loss"), std::numeric_limits<double>::infinity());
  without_improvement_ = whole<int>(validation.at("without_improvement"), where, "\"without_improvement\"");
  curves_ = curves_from_json(json.at("curves"), where);
  kept_step_ = glassformer::kept_step(json, where);
  kept_loss_ = kept_loss(json);
}

void RecurrentRun::read(const std::string& folder, const nlohmann::json& json) {
  const std::string where = folder + "/training.json";
  restore(json, where);
  const RunFiles files = run_files(json, where);
  const RecurrentLearner::Place place{
      .step = whole<long>(json.at("step"), where, "\"step\""),
      .epoch = whole<long>(json.at("position").at("epoch"), where, "\"epoch\""),
      .batch = whole<std::size_t>(json.at("position").at("batch"), where, "\"batch\""),
      .seconds = json.at("seconds")};
  if (curves_.steps.size() != static_cast<std::size_t>(place.step) || kept_step_ > place.step)
    throw Error(where, "its numbers contradict each other; use an older copy or train a new model");
  learner_.go_on_from(place, schedule_from_json(json.at("schedule"), where),
                      [&](RecurrentModel<float>& weights, RecurrentModel<float>& first_moment,
                          RecurrentModel<float>& second_moment) {
                        copy_tensors(Safetensors::read(folder + "/" + files.weights), "", weights);
                        const Safetensors optimizer = Safetensors::read(folder + "/" + files.optimizer);
                        copy_tensors(optimizer, "m.", first_moment);
                        copy_tensors(optimizer, "v.", second_moment);
                      });
  if (!kept_is_validated(json)) return;
  // Under its own name still when the last save was cut short.
  const std::string best = folder + "/" + files.best;
  auto kept = std::make_shared<RecurrentModel<float>>(model().config);
  copy_tensors(
      Safetensors::read(!files.best.empty() && fs::exists(best) ? best : folder + "/weights.safetensors"), "",
      *kept);
  kept_ = std::move(kept);
}

std::unique_ptr<RecurrentRun> RecurrentRun::resume(const std::string& folder,
                                                   std::shared_ptr<const TrainingSet> data, int threads,
                                                   bool here) try {
  const std::string training = folder + "/training.json";
  const FolderLock lock = here ? FolderLock() : FolderLock(folder, FolderLock::Kind::reader);
  nlohmann::json json = read_record(folder);
  OwnedFolder home;
  if (here) {  // read once more when nobody else can write any more
    home = OwnedFolder(folder, names_of_older_run(folder));
    json = read_record(folder);
  }
  const RunFiles files = run_files(json, training);
  if (!fs::exists(folder + "/" + files.weights))
    throw Error(folder, "it holds a finished model without the state to go on from (" + files.weights +
                            " is not there); train a new one");
  // Before memory for a run of such a size is asked for: the model itself is whole.
  const RecurrentConfig config = load_recurrent_checkpoint(folder).model->config;
  check_record(json, *data, training);
  TrainingOptions options = training_options_from_json(json.at("options"), training);
  options.threads = threads;
  auto run = std::make_unique<RecurrentRun>(std::move(data), config, options);
  run->read(folder, json);
  if (here) {
    run->saved_folder_ = folder;
    run->saved_step_ = run->step_count();
    run->saved_kept_ = run->kept_;
    run->home_ = std::move(home);
  }
  return run;
} catch (const nlohmann::json::exception& error) {
  throw Error(folder + "/training.json",
              "it is not as this program writes it (" + in_words(error) + "); use an older copy");
}

}  // namespace glassformer
