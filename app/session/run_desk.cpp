#include "app/session/run_desk.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/paths.h"
#include "app/session/run_record.h"
#include "app/session/run_reports.h"

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
void RunDesk::start(RunThread::Make make, const std::string& folder, bool running) {
  common_.opening.stop();
  Run& run = runs_.open();
  run.folder = common_.options.keep_runs ? folder : std::string();
  run.looked_at.reset();
  const RunState known = run.of_model ? recorded_run(*common_.model) : RunState();
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
  if (run.from_weights) {
    state.live = known.live;
    state.held_out = known.held_out;
    state.schedule = known.schedule;
  }
  notices_.clear(Place::training);
  runs_.begin(run, std::move(make), running);
}

// The run is to be one of the open model: by its configuration, data, options and tokenizers.
void RunDesk::follow_model() {
  Run& run = runs_.open();
  run.recipe.reset();
  run.recipe = common_.known_recipe();
  run.tokenizers = common_.model->tokenizers;
  run.of_model = true;
}

// The open model from its first step on: same configuration, data and seed, fresh weights.
void RunDesk::start_fresh(bool running, const ResetTraining& changed) {
  if (!common_.known_recipe()) return notices_.notify(no_recipe_notice());
  runs_.set_aside();
  Run& run = runs_.open();
  if (!run.recipe) follow_model();
  TrainingOptions& training = run.recipe->training;
  if (changed.new_seed) ++training.seed;
  if (changed.schedule) training = with_schedule(training, *changed.schedule, run.recipe->config.d_model);
  run.scene_follows = run.from_weights = false;
  start(make_run(*run.recipe, run.data, common_.ahead.of(run.recipe->data, run.tokenizers), run.tokenizers,
                 run.begin),
        run_folder_for(common_.title.name), running);
  if (const auto notice = fresh_model_notice(run, common_.model ? common_.model->folder : ""))
    notices_.notify(*notice);
}

bool RunDesk::would_fine_tune() const {
  return common_.model && common_.model->data && !resumes_model() && common_.model->last_step > 0 &&
         !runs_.open().recipe;
}

bool RunDesk::resumes_model() const {
  return common_.model && common_.model->data && common_.model->curves && common_.model->resumable &&
         !plan_over(*common_.model) && !runs_.open().recipe;
}

// By the recipe from step 0, where nothing that was learned gives way to it.
bool RunDesk::begins_afresh() const {
  const Run& run = runs_.open();
  if (!common_.known_recipe()) return false;
  return run.recipe ? run.state().step == 0
                    : common_.model->last_step == 0 && common_.model->snapshot.step == 0;
}

void RunDesk::begin_training(bool running) {
  if (resumes_model() || would_fine_tune())
    resume_open_model(running, resumes_model());
  else if (begins_afresh())
    start_fresh(running);
  else
    notices_.notify(no_recipe_notice());
}

// The run that left the open model is resumed where its folder says it was; past its plan or without the
// moments of its weights a new one fine-tunes them, and the folder stays unchanged.
void RunDesk::resume_open_model(bool running, bool whole) {
  runs_.set_aside();
  follow_model();
  Run& run = runs_.open();
  run.from_weights = true;
  const std::string folder = common_.model->folder;
  // Our own runs are resumed in their folders; what came with the program or from elsewhere stays unchanged.
  const bool elsewhere =
      std::ranges::find(settings_.runs_elsewhere, folder) != settings_.runs_elsewhere.end();
  const bool own = fs::path(folder).parent_path() == runs_folder() || elsewhere;
  const ResumedRun from{.folder = folder, .data = *common_.model->data, .whole = whole, .own = own};
  start(make_resumed(from, common_.ahead.of(from.data, run.tokenizers), run.tokenizers,
                     common_.options.threads, runs_.saves_into(folder)),
        own && whole ? folder : run_folder_for(common_.title.name), running);
  if (!whole) return notices_.notify(fine_tune_notice(*common_.model, nullptr));
  if (common_.model->last_step > common_.model->snapshot.step)
    notices_.say(Place::training, "The run goes on from its newest weights, of step " +
                                      format_count(common_.model->last_step) + "; the best, of step " +
                                      format_count(common_.model->snapshot.step) + ", were shown.");
}

// What carry_out(Train) does, in its order.
TrainWould RunDesk::train_would() const {
  const Run& run = runs_.open();
  const RunState& state = run.state();
  const bool over = !run.thread || state.phase == RunPhase::stopped;
  if (state.phase == RunPhase::preparing) return TrainWould::wait;
  if (over && std::ranges::any_of(runs_.all_beside(), [](Run* each) { return each->active() != nullptr; }))
    return TrainWould::of_variant;
  if (run.thread && state.diverged) return TrainWould::slower;
  if (run.thread && state.phase == RunPhase::stopped) return TrainWould::extend;
  if (run.thread) return state.phase == RunPhase::ready ? TrainWould::begin : TrainWould::resume;
  if (over && state.phase == RunPhase::stopped && state.step > 0 && !run.folder.empty())
    return TrainWould::resume;
  if (resumes_model()) return TrainWould::resume;
  if (would_fine_tune()) return TrainWould::resume;
  return begins_afresh() ? TrainWould::fresh : TrainWould::nothing;
}

// Whoever trains wants to see what is learned, not what was.
void RunDesk::carry_out(const Train& what) {
  pausing_ = false;
  scenes_.look_at_newest();
  const Run& run = runs_.open();
  bool variant_goes = false;
  for (Run* const each : runs_.all_beside()) {
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
    notices_.clear(Place::training);
    run.thread->go();  // while it prepares: as soon as it is ready
  }
}

void RunDesk::carry_out(const TrainOneStep&) {
  scenes_.look_at_newest();
  bool variant_steps = false;
  for (Run* const each : runs_.all_beside()) {
    if (!each->active()) continue;
    each->active()->one_step();
    variant_steps = true;
  }
  if (variant_steps && (!runs_.open().thread || runs_.open().state().phase == RunPhase::stopped)) return;
  if (!runs_.open().thread) begin_training(false);
  if (runs_.open().thread) runs_.open().thread->one_step();
}

void RunDesk::carry_out(const ResetTraining& what) {
  const Run& run = runs_.open();
  const std::string before = run.thread && run.state().step > 0 ? run.folder : std::string();
  const long reached = run.state().step;
  start_fresh(false, what);
  if (what.new_seed || what.schedule)
    variants_.set_all_aside();  // they differ from the run in more than one thing
  if (before.empty() || runs_.open().begin.weights || runs_.open().begins_again()) return;
  notices_.notify(begun_again_notice(before, reached));
}

void RunDesk::carry_out(const ForkRun& what) {
  if (!runs_.open().looked_at) return;
  if (!common_.known_recipe()) return notices_.notify(no_recipe_notice());
  runs_.set_aside();
  variants_.set_all_aside();
  Run& run = runs_.open();
  if (!run.recipe) follow_model();
  const std::string step = "step " + format_count(run.looked_at->step());
  const bool of_run = runs_.pending() && runs_.pending()->thread && !run.folder.empty();
  const std::string origin = of_run ? run.folder : common_.model ? common_.model->folder : "";
  const std::string name = fs::path(origin).filename().string();
  run.begin = {run.looked_at, step + (name.empty() ? "" : " of " + run_in_words(name)), origin};
  run.recipe->training = what.training;
  run.recipe->training.threads = common_.options.threads;
  run.recipe->config.dropout = what.dropout;
  run.scene_follows = run.from_weights = false;
  start(make_run(*run.recipe, run.data, common_.ahead.of(run.recipe->data, run.tokenizers), run.tokenizers,
                 run.begin),
        run_folder_for(common_.title.name + ", from " + step), true);
  if (const auto notice = fresh_model_notice(run, common_.model ? common_.model->folder : ""))
    notices_.notify(*notice);
}

void RunDesk::carry_out(const ContinueRun& what) {
  common_.forget_unfinished(what.folder);
  settings_.unfinished_run = what.folder;
  // What waits until another run is prepared has only to continue.
  if (runs_.pending_in(what.folder)) {
    return_from_preparing();
    return runs_.open().thread->resume();
  }
  common_.open(what.folder, true);
}

void RunDesk::begin(const NewRun& what, std::shared_ptr<const PreparedData> read) {
  notices_.clear(Place::model);
  const std::optional<Notice> stopped = about_stopping();
  runs_.set_aside();
  variants_.set_all_aside();
  scenes_.stop_comparing();
  Run& run = runs_.open();
  run.recipe = what;
  run.recipe->training.threads = common_.options.threads;
  run.data = std::move(read);
  run.tokenizers = {};
  run.scene_follows = true;
  run.of_model = run.from_weights = false;
  run.begin = {};
  const DataSource& from = what.data.training;
  const std::string file = from.corpus.empty() ? from.source : from.corpus;
  const std::string name = from.task.empty() ? title_of(what.config, what.data, file).name : from.task;
  start(make_run(what, run.data, {}, {}, {}), run_folder_for(name), false);
  if (stopped) notices_.notify(*stopped);
}

void RunDesk::carry_out(const SetLearning& what) {
  if (runs_.open().thread) runs_.open().thread->change(what);
}

void RunDesk::carry_out(const KeepHistory& what) {
  settings_.history_mb = std::clamp(what.megabytes, 0, kMostHistory);
  runs_.keep_history(history_bytes());
}

std::size_t RunDesk::history_bytes() const {
  return static_cast<std::size_t>(settings_.history_mb) << 20U;
}

void RunDesk::carry_out(const CancelPreparing&) {
  if (!runs_.open().thread || runs_.open().state().phase != RunPhase::preparing) return;
  notices_.clear(Place::training);
  return_from_preparing();
}

// What waited was ended by hand: the next start has no need to offer it.
void RunDesk::discard_pending() {
  for (const std::string& folder : runs_.end_pending()) common_.forget_unfinished(folder);
}

// The data could not be prepared, or no longer are to be: what was open before continues.
void RunDesk::return_from_preparing() {
  runs_.take_back();
  runs_.catch_up();
  const Run& run = runs_.open();
  // A run that was dropped is resumed in its folder.
  if (!run.thread && run.state().phase != RunPhase::none && !run.folder.empty() &&
      is_file(fs::path(run.folder) / "training.json"))
    common_.open(run.folder);
  scenes_.compute();
}

// For who trains something and opens something else.
std::optional<Notice> RunDesk::about_stopping() const {
  const Run& run = runs_.pending() ? *runs_.pending() : runs_.open();
  if (run.state().phase == RunPhase::training)
    return run.folder.empty() ? std::nullopt : std::optional(stopped_notice(run.folder));
  for (const Run* const each : runs_.all_beside())
    if (each->learns() && !each->folder.empty()) return stopped_notice(each->folder);
  return std::nullopt;
}

}  // namespace glassformer
