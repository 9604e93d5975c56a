// The part of the session that deals with training runs and their data.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/session/paths.h"
#include "app/session/session_state.h"
#include "engine/math/error.h"
#include "engine/model/checkpoint.h"

namespace glassformer {

namespace {

// "2026-11-20 17.05.31 reverse": sorts by time, tells what it is.
std::string folder_for(const std::string& name) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H.%M.%S ", &local);
  std::string folder = stamp + name;
  std::replace(folder.begin(), folder.end(), '/', '-');
  return (runs_folder() / folder).string();
}

Config fitted(Config config, const PreparedData& data) {
  config.source_vocab = data.tokenizers.source->size();
  config.target_vocab = data.tokenizers.target->size();
  const SpecialIds& special = data.tokenizers.source->special();
  config.pad_id = special.pad;
  config.unk_id = special.unk;
  config.bos_id = special.bos;
  config.eos_id = special.eos;
  return config;
}

RunThread::Make make_run(const NewRun& recipe, std::shared_ptr<const PreparedData> ready,
                         const Tokenizers& given) {
  return [recipe, ready = std::move(ready), given](const DataProgress& progress) {
    const PreparedData prepared = ready ? *ready : prepare_data(recipe.data, progress, given);
    auto set = std::make_shared<const TrainingSet>(training_set(prepared, recipe.data));
    return std::make_unique<Trainer>(std::move(set), fitted(recipe.config, prepared), recipe.training);
  };
}

}  // namespace

void Session::State::start_run(RunThread::Make make, const std::string& folder, bool running) {
  stop_opening();
  end_run();
  run_folder = options.keep_runs ? folder : std::string();
  run = RunState();
  run.phase = RunPhase::preparing;
  run.options = recipe ? recipe->training : TrainingOptions{};
  clear(Place::training);
  thread = std::make_unique<RunThread>(
      std::move(make), RunThread::Options{.folder = run_folder, .running = running, .wake = options.wake});
}

// The open model from its first step on: same configuration, data and seed, fresh weights.
void Session::State::start_fresh_run(bool running) {
  if (!recipe) {
    if (!model || !model->data) {
      notify(
          {.place = Place::training,
           .error = true,
           .text =
               "This model came without a record of its training data. Choose data to train a new model on.",
           .action = "New model",
           .command = OpenDialog{"new model"}});
      return;
    }
    recipe = NewRun{model->snapshot.config, *model->data, model->options};
    recipe->training.threads = options.threads;
  }
  scene_follows_run = false;
  start_run(make_run(*recipe, nullptr, model ? model->tokenizers : Tokenizers{}), folder_for(title.name),
            running);
  notify({.place = Place::training,
          .text = "A fresh model learns here, from step 0, by the recipe of the one that was open.",
          .action = "Back to the trained model",
          .command = OpenModel{settings.last_model}});
}

void Session::State::end_run() {
  if (!thread) return;
  // Saving may take a while on a large model: the screen does not wait for it.
  closing.push_back(
      std::async(std::launch::async, [ending = std::move(thread)]() mutable { ending.reset(); }));
}

bool Session::State::take_run_update() {
  if (!thread) return false;
  std::optional<RunUpdate> update = thread->take();
  if (!update) return false;
  const RunPhase before = run.phase;
  run = std::move(update->state);
  if (!update->save_error.empty()) complain(Place::training, update->save_error);
  if (!update->saved_to.empty()) say(Place::model, "Saved to " + update->saved_to + ".");
  if (run.step > 0 && run.phase == RunPhase::training && settings.unfinished_run != run_folder) {
    remember_unfinished_run();
    keep_settings();
  }
  if (run.phase == RunPhase::stopped && before != RunPhase::stopped && !run.message.empty()) {
    notify({.place = Place::training,
            .error = run.diverged || !update->snapshot,
            .text = run.message,
            .action = run.diverged ? "Start again at half the rate" : "",
            .command = run.diverged ? std::optional<Command>(Train{}) : std::nullopt});
  }
  if (update->ended) thread.reset();
  if (!update->snapshot) return true;

  snapshot = update->snapshot;
  if (tokenizers.source != update->tokenizers.source || tokenizers.target != update->tokenizers.target) {
    tokenizers = update->tokenizers;
  }
  if (scene_follows_run) {
    scene_follows_run = false;
    std::vector<SceneSentence> sentences;
    for (const HeldOutSentence& sentence : run.held_out) {
      sentences.push_back({sentence.pair.source, std::nullopt, sentence.pair.target});
    }
    title = title_of(snapshot->config, recipe->data, run.data_name);
    start_with(sentences);
  }
  ask();
  return true;
}

void Session::State::offer_unfinished_run() {
  std::error_code failed;
  if (settings.unfinished_run.empty() || !std::filesystem::exists(settings.unfinished_run, failed)) return;
  notify({.place = Place::training,
          .text = "Training was interrupted when the program closed; everything up to then is kept.",
          .action = "Go on with it",
          .command = ContinueRun{settings.unfinished_run}});
}

void Session::State::remember_unfinished_run() {
  const bool open =
      thread && run.step > 0 && (run.phase == RunPhase::training || run.phase == RunPhase::paused);
  if (open && !run_folder.empty()) settings.unfinished_run = run_folder;
}

void Session::State::forget_unfinished_run() {
  settings.unfinished_run.clear();
}

void Session::State::keep_settings() {
  if (!options.keep_settings) return;
  const std::string problem = write_settings(settings_file(), settings);
  if (!problem.empty()) complain(Place::model, problem);
}

void Session::State::begin_training(bool running) {
  if (model && model->resumable && !recipe) {
    continue_run(model->folder, running);
  } else {
    start_fresh_run(running);
  }
}

void Session::State::carry_out(const Train&) {
  if (!thread) {
    begin_training(true);
  } else if (run.diverged && recipe) {
    recipe->training.factor /= 2;
    recipe->training.peak /= 2;
    start_run(make_run(*recipe, data, tokenizers), folder_for(title.name), true);
  } else {
    clear(Place::training);
    thread->go();  // while it prepares: as soon as it is ready
  }
}

void Session::State::carry_out(const PauseTraining&) {
  if (thread) thread->pause();
}

void Session::State::carry_out(const TrainOneStep&) {
  if (!thread) begin_training(false);
  if (thread) thread->one_step();
}

void Session::State::carry_out(const ResetTraining& what) {
  if (!thread) {
    start_fresh_run(false);
    return;
  }
  if (!recipe) return;
  if (what.new_seed) ++recipe->training.seed;
  scene_follows_run = false;
  start_run(make_run(*recipe, data, tokenizers), folder_for(title.name), false);
}

void Session::State::carry_out(const SetLearning& what) {
  if (thread) thread->change(what);
}

void Session::State::carry_out(const ContinueRun& what) {
  continue_run(what.folder, true);
}

void Session::State::continue_run(const std::string& folder, bool running) {
  try {
    OpenedModel opened = open_model(folder);
    if (!opened.data)
      throw Error(folder, "the run does not say what it was trained on; choose New model instead");
    show(std::move(opened));
  } catch (const std::exception& error) {
    complain(Place::training, error.what());
    return;
  }
  recipe = NewRun{model->snapshot.config, *model->data, model->options};
  const auto make = [folder, origin = *model->data, given = tokenizers](const DataProgress& progress) {
    auto set =
        std::make_shared<const TrainingSet>(training_set(prepare_data(origin, progress, given), origin));
    return Trainer::resume(folder, std::move(set));
  };
  // One of our own runs goes on in its folder; what came with the program or from elsewhere stays as it is.
  const bool own = std::filesystem::path(folder).parent_path() == runs_folder();
  start_run(make, own ? folder : folder_for(title.name), running);
}

void Session::State::carry_out(const SaveModel& what) {
  std::error_code failed;
  if (std::filesystem::exists(what.folder, failed) && !std::filesystem::is_empty(what.folder, failed)) {
    complain(Place::model, what.folder + " holds something already; choose a new name.");
    return;
  }
  if (thread) {
    thread->save(what.folder);
    say(Place::model, "Saving to " + what.folder + ".");
    return;
  }
  try {
    if (!snapshot) throw Error(what.folder, "no model is open, so there is nothing to save");
    save_model(what.folder, *snapshot, tokenizers);
    say(Place::model, "Saved to " + what.folder + ".");
  } catch (const std::exception& error) {
    complain(Place::model, error.what());
  }
}

void Session::State::carry_out(const ReadData& what) {
  end_reading();
  reader = std::make_unique<DataReader>(what.data, Tokenizers{}, options.wake);
  preview = reader->preview();
  for (const std::string* file : {&what.data.training.corpus, &what.data.training.source}) {
    if (!file->empty()) remember(settings.recent_corpora, *file);
  }
}

// Learning pieces cannot be interrupted halfway: the screen does not wait for it.
void Session::State::end_reading() {
  if (!reader) return;
  closing.push_back(
      std::async(std::launch::async, [ending = std::move(reader)]() mutable { ending.reset(); }));
}

void Session::State::carry_out(const CancelReading&) {
  end_reading();
  preview.reset();
}

void Session::State::carry_out(const NewRun& what) {
  clear(Place::model);
  recipe = what;
  recipe->training.threads = options.threads;
  data =
      preview && preview->data && to_json(preview->options) == to_json(what.data) ? preview->data : nullptr;
  scene_follows_run = true;
  const std::string name = what.data.training.task.empty() ? title_of(what.config, what.data, "own data").name
                                                           : what.data.training.task;
  start_run(make_run(what, data, {}), folder_for(name), false);
}

}  // namespace glassformer
