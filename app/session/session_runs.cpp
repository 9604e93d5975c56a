// The part of the session that deals with training runs and their data.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/priority.h"
#include "app/session/run_name.h"
#include "app/session/session_state.h"
#include "engine/math/error.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kPatience{50};

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

}  // namespace

RunThread::Make make_run(const NewRun& recipe, std::shared_ptr<const PreparedData> ready,
                         const Tokenizers& given, const Beginning& begin) {
  return [recipe, ready = std::move(ready), given, begin](const DataProgress& progress) {
    const PreparedData prepared = ready ? *ready : prepare_data(recipe.data, progress, given);
    auto set = std::make_shared<const TrainingSet>(training_set(prepared, recipe.data));
    give_way(Patience::training);  // a person waits for the data, not for the steps
    if (begin.weights)
      return Trainer::begin_with(*begin.weights->snapshot(), begin.from, recipe.config.dropout,
                                 std::move(set), recipe.training);
    return std::make_unique<Trainer>(std::move(set), fitted(recipe.config, prepared), recipe.training);
  };
}

void Session::State::start_run(RunThread::Make make, const std::string& folder, bool running) {
  stop_opening();
  run_folder = options.keep_runs ? folder : std::string();
  looked_at.reset();
  const RunState known_of_it = run_of_model ? recorded_run(*model) : RunState();
  run = RunState();
  run.phase = RunPhase::preparing;
  run.data_name = known_of_it.data_name;
  run.training_pairs = known_of_it.training_pairs;
  run.validation_pairs = known_of_it.validation_pairs;
  if (recipe) {
    run.options = recipe->training;
    run.live = first_settings(recipe->config, recipe->training);
  }
  if (goes_on) {
    run.live = known_of_it.live;
    run.held_out = known_of_it.held_out;
    run.schedule = known_of_it.schedule;
  }
  clear(Place::training);
  thread = std::make_unique<RunThread>(std::move(make), RunThread::Options{.folder = run_folder,
                                                                           .running = running,
                                                                           .history = history_bytes(),
                                                                           .moments = wants_moments,
                                                                           .looks = run.held_out,
                                                                           .wake = options.wake});
}

// Of the run, else of the open model.
std::optional<NewRun> Session::State::known_recipe() const {
  if (recipe || !model || !model->data) return recipe;
  NewRun of_model{model->snapshot.config, *model->data, model->options};
  // As it began: what was changed on the way is not of the recipe.
  if (model->curves) of_model.config.dropout = settings_at(*model->curves, model->live, 0).dropout;
  of_model.training.threads = options.threads;
  return of_model;
}

// The run is to be one of the open model: by its configuration, data, options and tokenizers.
void Session::State::follow_model() {
  recipe.reset();
  recipe = known_recipe();
  run_tokenizers = model->tokenizers;
  run_of_model = true;
}

void Session::State::tell_of_no_recipe() {
  notify(
      {.place = Place::training,
       .error = true,
       .text = "This model came without a record of its training data. Choose data to train a new model on.",
       .action = "New model",
       .command = OpenDialog{"new model"}});
}

// The open model from its first step on: same configuration, data and seed, fresh weights.
void Session::State::start_fresh_run(bool running, const ResetTraining& changed) {
  if (!known_recipe()) return tell_of_no_recipe();
  set_aside();
  if (!recipe) follow_model();
  if (changed.new_seed) ++recipe->training.seed;
  if (changed.schedule)
    recipe->training = with_schedule(recipe->training, *changed.schedule, recipe->config.d_model);
  scene_follows_run = goes_on = false;
  start_run(make_run(*recipe, data, run_tokenizers, begin), run_folder_for(title.name), running);
  tell_of_fresh_model();
}

void Session::State::tell_of_fresh_model() {
  if (begin.weights)
    return notify({.place = Place::training,
                   .text = "A copy learns on from " + begin.from +
                           ", with Adam's moments and the schedule from the beginning. The run it comes from "
                           "stays as it was.",
                   .action = "Back to that run",
                   .command = OpenModel{begin.folder}});
  if (begins_model_again())
    notify({.place = Place::training,
            .text = "A fresh model learns here, from step 0, by the recipe of the one that was open.",
            .action = "Back to the trained model",
            .command = OpenModel{model ? model->folder : std::string()}});
}

// What begins afresh is not worth opening before it has learned something.
bool Session::State::begins_model_again() const {
  return run_of_model && !goes_on;
}

void Session::State::keep_settings() {
  if (!writer) return;
  writer->keep(settings);
  const std::string problem = writer->take_problem();
  if (!problem.empty()) complain(Place::model, problem);
}

bool Session::State::learns_on() const {
  return model && model->data && model->curves && !model->resumable && !recipe;
}

void Session::State::begin_training(bool running) {
  if (model && model->data && model->curves && model->resumable && !recipe) {
    resume_open_model(running);
  } else {
    start_fresh_run(running);
  }
}

// The run that left the open model goes on where its folder says it stood; without the moments of its
// weights, on fresh ones.
void Session::State::resume_open_model(bool running) {
  set_aside();
  follow_model();
  goes_on = true;
  const std::string folder = model->folder;
  const bool resumable = model->resumable;
  // One of our own runs goes on in its folder; what came with the program or from elsewhere stays as it is.
  const bool elsewhere = std::ranges::find(settings.runs_elsewhere, folder) != settings.runs_elsewhere.end();
  const bool own = fs::path(folder).parent_path() == runs_folder() || elsewhere;
  const auto make = [=, still_saving = saves_into(folder), origin = *model->data, given = run_tokenizers,
                     threads = options.threads](const DataProgress& progress) {
    for (const auto& saving_run : still_saving) {
      while (saving_run.wait_for(kPatience) != std::future_status::ready) {
        if (!progress("saving", 0)) throw Error(folder, "going on was given up");
      }
    }
    auto set =
        std::make_shared<const TrainingSet>(training_set(prepare_data(origin, progress, given), origin));
    give_way(Patience::training);
    return resumable ? Trainer::resume(folder, std::move(set), threads, own)
                     : Trainer::train_on(folder, std::move(set), threads);
  };
  start_run(make, own && resumable ? folder : run_folder_for(title.name), running);
  if (resumable) {
    if (model->last_step > model->snapshot.step)
      say(Place::training, "The run goes on from its newest weights, of step " +
                               format_count(model->last_step) + "; the best, of step " +
                               format_count(model->snapshot.step) + ", were shown.");
    return;
  }
  notify({.place = Place::training,
          .text = "The model learns on from its weights, with Adam's moments and the schedule from the "
                  "beginning: the moments were not kept.",
          .action = "Back to the trained model",
          .command = OpenModel{folder}});
}

// Whoever trains wants to see what is learned, not what was.
void Session::State::carry_out(const Train& what) {
  look_at_newest();
  if (RunThread* const beside = variant_thread()) {
    beside->go();
    // What is over, or was never begun, is there to be compared with.
    if (!what.further && (!thread || run.phase == RunPhase::stopped)) return;
  }
  if (!thread && run.phase == RunPhase::stopped && run.step > 0 && !run_folder.empty()) {
    carry_out(ContinueRun{run_folder});  // ended by an error
  } else if (!thread) {
    begin_training(true);
  } else {
    clear(Place::training);
    thread->go();  // while it prepares: as soon as it is ready
  }
}

void Session::State::carry_out(const LearnOn&) {
  if (learns_on()) resume_open_model(true);
}

void Session::State::carry_out(const PauseTraining&) {
  if (thread) thread->pause();
  if (RunThread* const beside = variant_thread()) beside->pause();
}

void Session::State::carry_out(const TrainOneStep&) {
  look_at_newest();
  if (RunThread* const beside = variant_thread()) {
    beside->one_step();
    if (!thread || run.phase == RunPhase::stopped) return;
  }
  if (!thread) begin_training(false);
  if (thread) thread->one_step();
}

void Session::State::carry_out(const ResetTraining& what) {
  const std::string before = thread && run.step > 0 ? run_folder : std::string();
  const std::string stood_at = format_count(run.step);
  start_fresh_run(false, what);
  if (what.new_seed || what.schedule) set_variant_aside();  // it differs from the run in more than one thing
  if (before.empty() || begin.weights || begins_model_again()) return;
  notify({.place = Place::training,
          .text = "The run begins again at step 0. The one before, of " + stood_at + " steps, is kept.",
          .action = "Go back to it",
          .command = ContinueRun{before}});
}

void Session::State::carry_out(const ForkRun& what) {
  if (!looked_at) return;
  if (!known_recipe()) return tell_of_no_recipe();
  set_aside();
  set_variant_aside();
  if (!recipe) follow_model();
  const std::string step = "step " + format_count(looked_at->step());
  const bool of_run = behind->thread && !run_folder.empty();
  const std::string origin = of_run ? run_folder : model ? model->folder : "";
  const std::string name = fs::path(origin).filename().string();
  begin = {looked_at, step + (name.empty() ? "" : " of " + run_in_words(name)), origin};
  recipe->training = what.training;
  recipe->training.threads = options.threads;
  recipe->config.dropout = what.dropout;
  scene_follows_run = goes_on = false;
  start_run(make_run(*recipe, data, run_tokenizers, begin), run_folder_for(title.name + ", from " + step),
            true);
  tell_of_fresh_model();
}

void Session::State::carry_out(const CancelPreparing&) {
  if (!thread || run.phase != RunPhase::preparing) return;
  clear(Place::training);
  return_from_preparing();
}

void Session::State::carry_out(const SetLearning& what) {
  if (thread) thread->change(what);
}

void Session::State::carry_out(const KeepHistory& what) {
  settings.history_mb = std::clamp(what.megabytes, 0, kMostHistory);
  if (thread) thread->keep_history(history_bytes());
  if (variant_thread()) variant_thread()->keep_history(history_bytes() / 2);
}

std::size_t Session::State::history_bytes() const {
  return static_cast<std::size_t>(settings.history_mb) << 20U;
}

void Session::State::carry_out(const WantMoments& what) {
  wants_moments = what.wanted;
  if (thread) thread->want_moments(wants_moments);
  if (variant_thread()) variant_thread()->want_moments(wants_moments);
}

void Session::State::carry_out(const ContinueRun& what) {
  forget_unfinished(what.folder);
  settings.unfinished_run = what.folder;
  // What waits behind a run that is being prepared has only to go on.
  if (waits_behind(what.folder)) {
    return_from_preparing();
    return thread->go_on();
  }
  open_to_go_on(what.folder, true);
}

void Session::State::carry_out(const NewRun& what) {
  clear(Place::model);
  const std::optional<Notice> stopped = about_stopping();
  set_aside();
  set_variant_aside();
  stop_comparing();
  recipe = what;
  recipe->training.threads = options.threads;
  data =
      preview && preview->data && to_json(preview->options) == to_json(what.data) ? preview->data : nullptr;
  run_tokenizers = {};
  scene_follows_run = true;
  run_of_model = goes_on = false;
  begin = {};
  const DataSource& from = what.data.training;
  const std::string file = from.corpus.empty() ? from.source : from.corpus;
  const std::string name = from.task.empty() ? title_of(what.config, what.data, file).name : from.task;
  start_run(make_run(what, data, {}, {}), run_folder_for(name), false);
  if (stopped) notify(*stopped);
}

}  // namespace glassformer
