// The State's dealings with training runs: how they begin and end. What becomes of them between:
// session_run_news.cpp.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/session/run_reports.h"
#include "app/session/session_state.h"

namespace glassformer {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code absent;
  return fs::exists(path, absent);
}

bool plan_over(const RunRecord& record) {
  return record.options.steps > 0 && record.last_step >= record.options.steps;
}

}  // namespace

// The open run, whose recipe is set, gets a thread.
void Session::State::start_run(RunThread::Make make, const std::string& folder, bool running) {
  stop_opening();
  Run& run = runs.open();
  run.folder = options.keep_runs ? folder : std::string();
  run.looked_at.reset();
  const RunState known = run.of_model ? recorded_run(*model) : RunState();
  RunState& state = run.state();
  state = RunState();
  state.phase = RunPhase::preparing;
  state.data_name = known.data_name;
  state.training_pairs = known.training_pairs;
  state.validation_pairs = known.validation_pairs;
  if (run.recipe) {
    state.options = run.recipe->training;
    state.live = first_settings(run.recipe->config, run.recipe->training);
  }
  if (run.goes_on) {
    state.live = known.live;
    state.held_out = known.held_out;
    state.schedule = known.schedule;
  }
  notices.clear(Place::training);
  runs.begin(run, std::move(make), running);
}

std::optional<NewRun> Session::State::known_recipe() const {
  const Run& run = runs.open();
  if (run.recipe || !model || !model->data) return run.recipe;
  NewRun of_model{model->snapshot.config, *model->data, model->options};
  // As it began: what was changed on the way is not of the recipe.
  if (model->curves) of_model.config.dropout = settings_at(*model->curves, model->live, 0).dropout;
  of_model.training.threads = options.threads;
  return of_model;
}

// The run is to be one of the open model: by its configuration, data, options and tokenizers.
void Session::State::follow_model() {
  Run& run = runs.open();
  run.recipe.reset();
  run.recipe = known_recipe();
  run.tokenizers = model->tokenizers;
  run.of_model = true;
}

// The open model from its first step on: same configuration, data and seed, fresh weights.
void Session::State::start_fresh_run(bool running, const ResetTraining& changed) {
  if (!known_recipe()) return notices.notify(no_recipe_notice());
  runs.set_aside();
  Run& run = runs.open();
  if (!run.recipe) follow_model();
  TrainingOptions& training = run.recipe->training;
  if (changed.new_seed) ++training.seed;
  if (changed.schedule) training = with_schedule(training, *changed.schedule, run.recipe->config.d_model);
  run.scene_follows = run.goes_on = false;
  start_run(
      make_run(*run.recipe, run.data, ahead.of(run.recipe->data, run.tokenizers), run.tokenizers, run.begin),
      run_folder_for(title.name), running);
  if (const auto notice = fresh_model_notice(run, model ? model->folder : "")) notices.notify(*notice);
}

bool Session::State::learns_on() const {
  return model && model->data && !resumes_model() && model->last_step > 0 && !runs.open().recipe;
}

bool Session::State::resumes_model() const {
  return model && model->data && model->curves && model->resumable && !plan_over(*model) &&
         !runs.open().recipe;
}

// By the recipe from step 0, where nothing that was learned gives way to it.
bool Session::State::begins_afresh() const {
  const Run& run = runs.open();
  if (!known_recipe()) return false;
  return run.recipe ? run.state().step == 0 : model->last_step == 0 && model->snapshot.step == 0;
}

void Session::State::begin_training(bool running) {
  if (resumes_model() || learns_on())
    resume_open_model(running, resumes_model());
  else if (begins_afresh())
    start_fresh_run(running);
  else
    notices.notify(no_recipe_notice());
}

// The run that left the open model goes on where its folder says it stood; past its plan or without the
// moments of its weights a new one learns on from them, and the folder stays as it is.
void Session::State::resume_open_model(bool running, bool whole) {
  runs.set_aside();
  follow_model();
  Run& run = runs.open();
  run.goes_on = true;
  const std::string folder = model->folder;
  // One of our own runs goes on in its folder; what came with the program or from elsewhere stays as it is.
  const bool elsewhere = std::ranges::find(settings.runs_elsewhere, folder) != settings.runs_elsewhere.end();
  const bool own = fs::path(folder).parent_path() == runs_folder() || elsewhere;
  const ResumedRun from{.folder = folder, .data = *model->data, .whole = whole, .own = own};
  start_run(make_resumed(from, ahead.of(from.data, run.tokenizers), run.tokenizers, options.threads,
                         runs.saves_into(folder)),
            own && whole ? folder : run_folder_for(title.name), running);
  if (!whole) return notices.notify(learns_on_notice(*model, nullptr));
  if (model->last_step > model->snapshot.step)
    notices.say(Place::training, "The run goes on from its newest weights, of step " +
                                     format_count(model->last_step) + "; the best, of step " +
                                     format_count(model->snapshot.step) + ", were shown.");
}

// What carry_out(Train) does, in its order.
TrainWould Session::State::train_would() const {
  const Run& run = runs.open();
  const RunState& state = run.state();
  const bool over = !run.thread || state.phase == RunPhase::stopped;
  if (state.phase == RunPhase::preparing) return TrainWould::wait;
  if (over && std::ranges::any_of(runs.all_beside(), [](Run* each) { return each->active() != nullptr; }))
    return TrainWould::of_variant;
  if (run.thread && state.diverged) return TrainWould::slower;
  if (run.thread && state.phase == RunPhase::stopped) return TrainWould::further;
  if (run.thread) return state.phase == RunPhase::ready ? TrainWould::begin : TrainWould::go_on;
  if (over && state.phase == RunPhase::stopped && state.step > 0 && !run.folder.empty())
    return TrainWould::go_on;
  if (resumes_model()) return TrainWould::go_on;
  if (learns_on()) return TrainWould::go_on;
  return begins_afresh() ? TrainWould::fresh : TrainWould::nothing;
}

// Whoever trains wants to see what is learned, not what was.
void Session::State::carry_out(const Train& what) {
  pausing = false;
  look_at_newest();
  const Run& run = runs.open();
  bool variant_goes = false;
  for (Run* const each : runs.all_beside()) {
    if (!each->active()) continue;
    each->active()->go();
    variant_goes = true;
  }
  const bool stopped = run.state().phase == RunPhase::stopped;
  // What is over, or was never begun, is there to be compared with.
  if (variant_goes && !what.further && (!run.thread || stopped)) return;
  if (!run.thread && stopped && run.state().step > 0 && !run.folder.empty()) {
    carry_out(ContinueRun{run.folder});  // ended by an error
  } else if (!run.thread) {
    begin_training(true);
  } else {
    notices.clear(Place::training);
    run.thread->go();  // while it prepares: as soon as it is ready
  }
}

void Session::State::carry_out(const TrainOneStep&) {
  look_at_newest();
  bool variant_steps = false;
  for (Run* const each : runs.all_beside()) {
    if (!each->active()) continue;
    each->active()->one_step();
    variant_steps = true;
  }
  if (variant_steps && (!runs.open().thread || runs.open().state().phase == RunPhase::stopped)) return;
  if (!runs.open().thread) begin_training(false);
  if (runs.open().thread) runs.open().thread->one_step();
}

void Session::State::carry_out(const ResetTraining& what) {
  const Run& run = runs.open();
  const std::string before = run.thread && run.state().step > 0 ? run.folder : std::string();
  const long stood_at = run.state().step;
  start_fresh_run(false, what);
  if (what.new_seed || what.schedule) set_beside_aside();  // they differ from the run in more than one thing
  if (before.empty() || runs.open().begin.weights || runs.open().begins_again()) return;
  notices.notify(begun_again_notice(before, stood_at));
}

void Session::State::carry_out(const ForkRun& what) {
  if (!runs.open().looked_at) return;
  if (!known_recipe()) return notices.notify(no_recipe_notice());
  runs.set_aside();
  set_beside_aside();
  Run& run = runs.open();
  if (!run.recipe) follow_model();
  const std::string step = "step " + format_count(run.looked_at->step());
  const bool of_run = runs.pending() && runs.pending()->thread && !run.folder.empty();
  const std::string origin = of_run ? run.folder : model ? model->folder : "";
  const std::string name = fs::path(origin).filename().string();
  run.begin = {run.looked_at, step + (name.empty() ? "" : " of " + run_in_words(name)), origin};
  run.recipe->training = what.training;
  run.recipe->training.threads = options.threads;
  run.recipe->config.dropout = what.dropout;
  run.scene_follows = run.goes_on = false;
  start_run(
      make_run(*run.recipe, run.data, ahead.of(run.recipe->data, run.tokenizers), run.tokenizers, run.begin),
      run_folder_for(title.name + ", from " + step), true);
  if (const auto notice = fresh_model_notice(run, model ? model->folder : "")) notices.notify(*notice);
}

void Session::State::carry_out(const ContinueRun& what) {
  forget_unfinished(what.folder);
  settings.unfinished_run = what.folder;
  // What waits until another run is prepared has only to go on.
  if (runs.pending_in(what.folder)) {
    return_from_preparing();
    return runs.open().thread->go_on();
  }
  open_to_go_on(what.folder, true);
}

void Session::State::carry_out(const NewRun& what) {
  notices.clear(Place::model);
  const std::optional<Notice> stopped = about_stopping();
  runs.set_aside();
  set_beside_aside();
  stop_comparing();
  Run& run = runs.open();
  run.recipe = what;
  run.recipe->training.threads = options.threads;
  const bool read = preview && preview->data && to_json(preview->options) == to_json(what.data);
  run.data = read ? preview->data : nullptr;
  run.tokenizers = {};
  run.scene_follows = true;
  run.of_model = run.goes_on = false;
  run.begin = {};
  const DataSource& from = what.data.training;
  const std::string file = from.corpus.empty() ? from.source : from.corpus;
  const std::string name = from.task.empty() ? title_of(what.config, what.data, file).name : from.task;
  start_run(make_run(what, run.data, {}, {}, {}), run_folder_for(name), false);
  if (stopped) notices.notify(*stopped);
}

void Session::State::carry_out(const SetLearning& what) {
  if (runs.open().thread) runs.open().thread->change(what);
}

void Session::State::carry_out(const KeepHistory& what) {
  settings.history_mb = std::clamp(what.megabytes, 0, kMostHistory);
  runs.keep_history(history_bytes());
}

std::size_t Session::State::history_bytes() const {
  return static_cast<std::size_t>(settings.history_mb) << 20U;
}

void Session::State::carry_out(const CancelPreparing&) {
  if (!runs.open().thread || runs.open().state().phase != RunPhase::preparing) return;
  notices.clear(Place::training);
  return_from_preparing();
}

// What waited was ended by hand: the next start has no need to offer it.
void Session::State::discard_pending() {
  for (const std::string& folder : runs.end_pending()) forget_unfinished(folder);
}

// The data could not be prepared, or no longer are to be: what was open before goes on as it was.
void Session::State::return_from_preparing() {
  runs.take_back();
  runs.catch_up();
  const Run& run = runs.open();
  // A run that was let go of is gone on with in its folder.
  if (!run.thread && run.state().phase != RunPhase::none && !run.folder.empty() &&
      is_file(fs::path(run.folder) / "training.json"))
    open(run.folder);
  compute();
}

std::string Session::State::open_folder() const {
  const Run& run = runs.open();
  const bool of_run = run.thread || (run.state().phase == RunPhase::stopped && !run.folder.empty());
  return of_run ? run.folder : model ? model->folder : std::string();
}

// Of what waits until another run is prepared; empty: nothing does.
std::string Session::State::pending_folder() const {
  if (!runs.pending()) return {};
  return runs.pending()->thread ? runs.pending()->folder : model ? model->folder : "";
}

RunThread* Session::State::keeper() const {
  return runs.pending() ? runs.pending()->thread.get() : runs.open().thread.get();
}

// For who trains something and opens something else.
std::optional<Notice> Session::State::about_stopping() const {
  const Run& run = runs.pending() ? *runs.pending() : runs.open();
  if (run.state().phase == RunPhase::training)
    return run.folder.empty() ? std::nullopt : std::optional(stopped_notice(run.folder));
  for (const Run* const each : runs.all_beside())
    if (each->learns() && !each->folder.empty()) return stopped_notice(each->folder);
  return std::nullopt;
}

}  // namespace glassformer
