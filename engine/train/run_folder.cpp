#include "engine/train/run_folder.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/files/atomic_file.h"
#include "engine/files/folder_lock.h"
#include "engine/files/json_file.h"
#include "engine/files/owned_folder.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"
#include "engine/model/parameter_counts.h"
#include "engine/model/weights_file.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/history_folder.h"
#include "engine/train/run_data.h"
#include "engine/train/run_json.h"

namespace glassformer {

namespace {

namespace fs = std::filesystem;

// States that no training.json names any more.
bool is_leftover(std::string_view name, const RunFiles& files) {
  if (name == files.weights || name == files.optimizer || name == files.averages || name == files.best)
    return false;
  return (name.starts_with("last-") || name.starts_with("best-")) && name.ends_with(".safetensors");
}

}  // namespace

void remove_leftovers(OwnedFolder& home, const RunFiles& files) {
  std::vector<std::string> leftovers;
  for (const std::string& name : home.names()) {
    if (is_leftover(name, files)) leftovers.push_back(name);
  }
  home.remove(leftovers);
}

RunFiles free_names(const std::string& folder, long step, const StateParts& parts) {
  const auto named = [&](const std::string& number) -> RunFiles {
    return {.weights = "last-" + number + ".weights.safetensors",
            .optimizer = "last-" + number + ".optimizer.safetensors",
            .averages = parts.averages ? "last-" + number + ".averages.safetensors" : "",
            .best = parts.best ? "best-" + number + ".weights.safetensors" : ""};
  };
  const auto taken = [&](const RunFiles& files) {
    const auto exists = [&](const std::string& name) {
      return !name.empty() && fs::exists(folder + "/" + name);
    };
    return exists(files.weights) || exists(files.optimizer) || exists(files.averages) || exists(files.best);
  };
  const std::string first = std::to_string(step);
  RunFiles files = named(first);
  for (int number = 2; taken(files); ++number) files = named(first + "-" + std::to_string(number));
  return files;
}

nlohmann::json read_record(const std::string& folder) {
  const std::string training = folder + "/training.json";
  if (!fs::exists(training))
    throw Error(folder,
                "there is no training.json that tells of a run, so it cannot go on; train a new model");
  return read_json(training);
}

namespace {

namespace fs = std::filesystem;

// Every name that a model's files can have, beside the numbered ones of a run's state.
constexpr std::array<const char*, 12> kModelFiles = {
    "config.json",  "weights.safetensors", "training.json", "tokenizer.json",
    "source.model", "source.vocab",        "target.model",  "target.vocab",
    "shared.model", "shared.vocab",        "notes.txt",     "held-out.json"};

// A model alone, of either kind.
void read_model(const std::string& path, Transformer<float>& model) {
  read_weights(Safetensors::read(path), model);
}
void read_model(const std::string& path, RecurrentModel<float>& model) {
  copy_tensors(Safetensors::read(path), "", model);
}
void write_model(OwnedFolder& home, const Snapshot& snapshot, const Tokenizers& tokenizers) {
  save_model(home, snapshot, tokenizers);
}
void write_model(OwnedFolder& home, const SnapshotOf<RecurrentModel<float>>& snapshot,
                 const Tokenizers& tokenizers) {
  save_recurrent_model(home, *snapshot.weights, tokenizers);
}
template <class Model>
ConfigOf<Model> config_in(const std::string& folder) {
  if constexpr (kIsTransformer<Model>)
    return read_config(folder);
  else
    return read_recurrent_config(folder);
}

// In the optimizer's file, until weights are kept: those that a run began with when they are not the seed's.
constexpr const char* kStart = "start.";

template <class Model>
std::shared_ptr<SnapshotOf<Model>> read_snapshot(const std::string& path, const std::string& prefix,
                                                 const ConfigOf<Model>& config) {
  auto weights = std::make_shared<Model>(config);
  if (prefix.empty())
    read_model(path, *weights);
  else
    copy_tensors(Safetensors::read(path), prefix, *weights);
  auto snapshot = std::make_shared<SnapshotOf<Model>>();
  snapshot->config = config;
  snapshot->weights = std::move(weights);
  snapshot->validation_loss = std::numeric_limits<double>::quiet_NaN();
  return snapshot;
}

template <class Model>
void write_state(TrainerState<Model>& state, const RunFiles& files) {
  OwnedFolder& home = state.home;
  std::vector<TensorToWrite> weights, optimizer, averages;
  add_tensors(weights, "", state.weights);
  add_tensors(optimizer, "m.", state.first_moment);
  add_tensors(optimizer, "v.", state.second_moment);
  if (state.start) add_tensors(optimizer, kStart, *state.start);
  for (std::size_t i = 0; i < state.recent.size(); ++i)
    add_tensors(averages, std::to_string(i) + ".", *state.recent[i]->weights);
  const auto write = [&](const std::string& name, const std::vector<TensorToWrite>& tensors) {
    home.claim({name});
    write_safetensors(home.file(name), tensors);
  };
  write(files.weights, weights);
  write(files.optimizer, optimizer);
  if (!averages.empty()) write(files.averages, averages);
}

bool holds_start(const Safetensors& optimizer) {
  const auto next = optimizer.entries().lower_bound(kStart);
  return next != optimizer.entries().end() && next->first.starts_with(kStart);
}

template <class Model>
std::shared_ptr<const SnapshotOf<Model>> read_kept(const std::string& path, const ConfigOf<Model>& config,
                                                   const nlohmann::json& json, const std::string& where) {
  auto kept = read_snapshot<Model>(path, "", config);
  kept->step = kept_step(json, where);
  kept->validation_loss = kept_loss(json);
  return kept;
}

Error not_ours(const std::string& folder, const nlohmann::json::exception& error) {
  return Error(folder + "/training.json",
               "it is not as this program writes it (" + in_words(error) + "); use an older copy");
}

// The kept steps, or none of those that are new: what is wrong when they cannot be written.
template <class Model>
std::string history_problem(TrainerState<Model>& state) {
  const std::set<long> before = state.saved_history;
  try {
    write_history(state.history, state.home, state.saved_history);
    return {};
  } catch (const Error& error) {
    std::vector<std::string> fresh;
    for (const std::string& name : state.home.names()) {
      const std::optional<long> step = history_step(name);
      if (step && !before.contains(*step)) fresh.push_back(name);
    }
    state.home.remove(fresh);
    std::erase_if(state.saved_history, [&](long step) { return !before.contains(step); });
    return error.what();
  }
}

// A folder that went in the meantime is made anew, and all of the run is written there again.
template <class Model>
void enter(TrainerState<Model>& state, const std::string& folder) {
  const bool there = state.home.path() == folder;
  if (there && !state.home.gone()) {
    if (state.saved_folder != folder) state.saved_history.clear();
    return;
  }
  state.folder_lost = state.folder_lost || (there && state.saved_folder == folder);
  state.saved_folder.clear();
  state.saved_step = -1;
  state.saved_kept.reset();
  state.saved_history.clear();
  state.home = OwnedFolder();
  state.home = OwnedFolder(folder, names_of_older_run(folder));
}

}  // namespace

template <class Model>
void write_run(TrainerState<Model>& state, const std::shared_ptr<const SnapshotOf<Model>>& kept,
               const std::string& folder) {
  const std::string training = folder + "/training.json";
  enter(state, folder);
  OwnedFolder& home = state.home;
  const bool begun = state.saved_folder == folder && home.owns("training.json") && fs::exists(training);

  // After a divergence only what translates is worth keeping; the last state stays.
  const auto make_way = [&] {  // nothing of a run that this one replaces is taken for its own
    if (std::exchange(state.replaces, false)) home.remove({"training.json", "weights.safetensors"});
  };
  if (state.divergence) {
    if (begun && kept == state.saved_kept) return;
    make_way();
    write_model(home, *kept, state.data->tokenizers);
    if (begun) return;
    // No state is there: its curves and why they ended do, without one to resume from.
    nlohmann::json record = run_to_json(state, *kept, {});
    record.erase("files");
    home.write("training.json", record.dump() + "\n");
    return;
  }

  // The new state, beside the old one. A first state is there before the model does: so a first save that
  // was cut short is distinguished from somebody's model.
  const bool new_best = begun && kept != state.saved_kept;
  const RunFiles files =
      free_names(folder, state.step, {.averages = !state.recent.empty(), .best = new_best});
  home.check({"training.json", "config.json", "weights.safetensors", "tokenizer.json"});
  try {
    write_state(state, files);
  } catch (const Error&) {  // what nothing names yet would only fill the disk
    home.remove({files.weights, files.optimizer, files.averages});
    throw;
  }
  if (!begun) {
    make_way();
    write_model(home, *kept, state.data->tokenizers);
  }
  if (new_best) {
    std::vector<TensorToWrite> tensors;
    add_tensors(tensors, "", *kept->weights);
    home.claim({files.best});
    write_safetensors(home.file(files.best), tensors);
    home.write("config.json", to_json(kept->config).dump(2) + "\n");
  }
  // Last what is large and what the run can do without: on a small disk it takes no room from the rest.
  const std::string without_history = history_problem(state);

  // The one moment at which it becomes the state; then the best weights get their name and the old files go.
  home.write("training.json", run_to_json(state, *kept, files).dump() + "\n");
  if (new_best) {
    home.rename(files.best, "weights.safetensors");
  }
  state.saved_folder = folder;
  state.saved_kept = kept;
  state.saved_step = state.step;
  remove_leftovers(home, files);
  if (!without_history.empty())
    throw Error(folder, "step " + std::to_string(state.step) +
                            " is saved, but not the steps to look back at (" + without_history + ")");
}

std::vector<std::string> names_of_older_run(const std::string& folder) try {
  const std::string training = folder + "/training.json";
  if (has_list(folder) || !fs::exists(training)) return {};
  const nlohmann::json json = read_json(training);
  if (!json.is_object() || !json.value("program", "").starts_with("glassformer")) return {};
  std::vector<std::string> wrote(kModelFiles.begin(), kModelFiles.end());
  if (json.contains("files")) {
    const RunFiles files = run_files(json, training);
    for (const std::string& name : {files.weights, files.optimizer, files.averages, files.best})
      if (!name.empty()) wrote.push_back(name);
  }
  std::erase_if(wrote, [&](const std::string& name) { return !fs::exists(folder + "/" + name); });
  std::error_code absent;
  if (fs::is_directory(fs::symlink_status(folder + "/history", absent)))
    for (const auto& entry : fs::directory_iterator(folder + "/history", absent)) {
      const std::string name = "history/" + entry.path().filename().string();
      if (history_step(name)) wrote.push_back(name);
    }
  return wrote;
} catch (const std::exception&) {
  return {};  // another's training.json
}

bool holds_a_model(const std::string& folder) {
  if (!fs::exists(folder + "/weights.safetensors")) return false;
  if (fs::exists(folder + "/training.json")) return true;
  const std::vector<std::string> names = recorded_names(folder);
  const auto of_state = [](const std::string& name) { return name.starts_with("last-"); };
  const bool cut_short =
      std::ranges::find(names, "weights.safetensors") != names.end() && std::ranges::any_of(names, of_state);
  return !cut_short;
}

template <class Model>
std::unique_ptr<TrainerState<Model>> read_run_without_state(const std::string& folder,
                                                            std::shared_ptr<const TrainingSet> data,
                                                            int threads) try {
  const FolderLock lock(folder, FolderLock::Kind::reader);
  const std::string training = folder + "/training.json", weights = folder + "/weights.safetensors";
  const nlohmann::json json = read_record(folder);
  const ConfigOf<Model> config = config_in<Model>(folder);
  check_file_holds(weights, parameter_count(config));
  auto state = run_from_json<Model>(json, config, {std::move(data), threads}, training);
  read_model(weights, state->weights);
  state->moments_from = state->start_step = state->step;
  if (kept_is_validated(json)) {
    state->kept = read_kept<Model>(weights, config, json, training);
  } else {
    state->start = std::make_shared<const Model>(state->weights);
  }
  return state;
} catch (const nlohmann::json::exception& error) {
  throw not_ours(folder, error);
}

template <class Model>
std::unique_ptr<TrainerState<Model>> read_run(const std::string& folder,
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
  const ConfigOf<Model> config = config_in<Model>(folder);
  check_file_holds(folder + "/" + files.weights, parameter_count(config));
  check_file_holds(folder + "/" + files.optimizer, 2 * parameter_count(config));

  auto state = run_from_json<Model>(json, config, {std::move(data), threads}, training);
  copy_tensors(Safetensors::read(folder + "/" + files.weights), "", state->weights);
  const Safetensors optimizer = Safetensors::read(folder + "/" + files.optimizer);
  copy_tensors(optimizer, "m.", state->first_moment);
  copy_tensors(optimizer, "v.", state->second_moment);

  // The kept weights: under their own name still when the last save was cut short.
  const std::string best = folder + "/" + files.best;
  if (kept_is_validated(json)) {
    state->kept =
        read_kept<Model>(!files.best.empty() && fs::exists(best) ? best : folder + "/weights.safetensors",
                         config, json, training);
  } else if (holds_start(optimizer)) {
    auto start = std::make_shared<Model>(config);
    copy_tensors(optimizer, kStart, *start);
    state->start = std::move(start);
  }
  const std::vector<long> steps = averaged_steps(json, training);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    auto snapshot = read_snapshot<Model>(folder + "/" + files.averages, std::to_string(i) + ".", config);
    snapshot->step = steps[i];
    state->recent.push_back(std::move(snapshot));
  }
  state->history = HistoryOf<Model>(0, read_history<Model>(folder, config, state->step));
  if (state->kept) state->history.keep_best(state->kept->step);
  if (!state->kept && !state->start && begun_with_others(state->curves)) {  // as older programs saved it
    const auto& looks = state->history.kept();
    const bool from_start = !looks.empty() && looks.front()->step() == 0;
    state->start =
        from_start ? looks.front()->snapshot()->weights : std::make_shared<const Model>(state->weights);
  }
  if (here) {
    for (const auto& each : state->history.kept()) state->saved_history.insert(each->step());
    state->saved_folder = folder;
    state->saved_step = state->step;
    state->home = std::move(home);
  }
  return state;
} catch (const nlohmann::json::exception& error) {
  throw not_ours(folder, error);
}

#define GLASSFORMER_RUN_FOLDER(Model)                                                                    \
  template void write_run(TrainerState<Model>&, const std::shared_ptr<const SnapshotOf<Model>>&,         \
                          const std::string&);                                                           \
  template std::unique_ptr<TrainerState<Model>> read_run(const std::string&,                             \
                                                         std::shared_ptr<const TrainingSet>, int, bool); \
  template std::unique_ptr<TrainerState<Model>> read_run_without_state(                                  \
      const std::string&, std::shared_ptr<const TrainingSet>, int);
GLASSFORMER_RUN_FOLDER(Transformer<float>)
GLASSFORMER_RUN_FOLDER(RecurrentModel<float>)

}  // namespace glassformer
