#include "app/session/recurrent_desk.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/priority.h"
#include "app/session/run_record.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/fitted_config.h"
#include "engine/train/history_folder.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

// Room for the longest sentences of the data too.
RecurrentConfig fitted(RecurrentConfig config, const PreparedData& data) {
  const int longest = static_cast<int>(std::max(data.report.source.longest, data.report.target.longest)) + 2;
  config.max_length = std::max(config.max_length, longest);
  return fitted_config(config, data.tokenizers);
}

// What its run has recorded, where it has: a model may come without.
void take_record(RecurrentRunState& state) {
  const std::string file = state.folder + "/training.json";
  nlohmann::json training;
  try {
    training = read_json(file);
  } catch (const Error&) {
    return;
  }
  const RunRecord record = run_record(training, Config(), state.folder);
  state.curves = record.curves;
  state.step = state.of_step = record.last_step;
  state.resumable = record.resumable;
  // A limit of passes over the data is known when these have been read.
  if (training.is_object() && training.contains("options") && record.options.epochs <= 0)
    state.planned = record.options.steps;
  const nlohmann::json::json_pointer kept("/kept/step");
  if (training.is_object() && training.contains(kept))
    state.of_step = as_whole<long>(training[kept]).value_or(state.step);
}

RecurrentRunState named_by(const std::string& folder) {
  return {.name = without_time(std::filesystem::path(folder).filename().string()),
          .folder = folder,
          .opened = true};
}

void read_model(RecurrentRunState& state) {
  RecurrentCheckpoint read = load_recurrent_checkpoint(state.folder);
  if (!read.tokenizers.source || !read.tokenizers.target)
    throw Error(state.folder,
                "a recurrent model without tokenizers, so that no sentence can be read; expected "
                "tokenizer.json beside it");
  state.model = std::move(read.model);
  state.tokenizers = std::move(read.tokenizers);
  take_record(state);
  state.history = read_history<RecurrentModel<float>>(state.folder, state.model->config, state.step);
}

}  // namespace

RecurrentRunState opened_recurrent(const std::string& folder) {
  RecurrentRunState state = named_by(folder);
  read_model(state);
  return state;
}

void RecurrentDesk::show(RecurrentRunState state) {
  shown_ = std::make_shared<const RecurrentRunState>(std::move(state));
  if (!busy()) ended_ = shown_;
}

void RecurrentDesk::begin(RecurrentRunState state, Thread::Make make) {
  state.preparing = true;
  stop_ = false;
  thread_ = std::make_unique<Thread>(
      std::move(make), Thread::Options{.folder = state.folder, .history = history_, .wake = wake_});
  thread_->resume();
  show(std::move(state));
}

void RecurrentDesk::train(const NewRecurrentRun& recipe, const std::string& name, const std::string& folder) {
  if (busy()) return;
  begin({.name = name, .folder = folder}, [recipe, folder](const DataProgress& progress) {
    const PreparedData data = prepare_data(recipe.data, progress);
    auto set = std::make_shared<const TrainingSet>(training_set(data, recipe.data));
    give_way(Patience::training);  // a person waits for the data, not for the steps
    auto run =
        std::make_unique<RecurrentTrainer>(std::move(set), fitted(recipe.config, data), recipe.training);
    if (!folder.empty()) {  // at once, so that a kill leaves something to resume from
      run->save_in(OwnedFolder(folder));
      run->save(folder);
      note_written_here(folder);
    }
    return run;
  });
}

void RecurrentDesk::resume(int threads) {
  if (!shown_ || !shown_->can_resume()) return;
  RecurrentRunState begun = *shown_;
  begun.opened = false;
  begun.looked_at.reset();
  begun.problem.clear();
  begun.stage.clear();
  begun.tokens_per_s = 0;
  begin(std::move(begun), [folder = shown_->folder, threads](const DataProgress& progress) {
    auto set = run_data(folder, run_data_options(folder), progress);
    give_way(Patience::training);
    return RecurrentTrainer::resume(folder, std::move(set), threads);
  });
}

void RecurrentDesk::open(const std::string& folder) {
  if (busy()) return;
  RecurrentRunState state = named_by(folder);
  state.preparing = true;
  stop_ = false;
  thread_.reset();
  reading_ = std::async(std::launch::async, [folder, wake = wake_] {
    RecurrentRunState read = named_by(folder);
    try {
      read_model(read);
    } catch (const std::exception& error) {
      read.problem = failure_words(error);
    }
    if (wake) wake();
    return read;
  });
  show(std::move(state));
}

void RecurrentDesk::show_step(std::optional<long> step) {
  if (!shown_) return;
  RecurrentRunState state = *shown_;
  state.looked_at = step ? nearest(state.history, *step) : nullptr;
  if (state.looked_at && state.looked_at->step() == state.of_step) state.looked_at.reset();
  if (state.looked_at != shown_->looked_at)
    shown_ = std::make_shared<const RecurrentRunState>(std::move(state));
}

void RecurrentDesk::keep_history(std::size_t bytes) {
  history_ = bytes;
  if (thread_) thread_->keep_history(bytes);
}

void RecurrentDesk::stop() {
  stop_ = true;
  if (!thread_) return;
  thread_->pause();  // so that it says how far it has come
  thread_->ask_to_end();
}

std::string RecurrentDesk::finish() {
  stop();
  if (thread_) thread_->end();
  if (reading_.valid()) reading_.wait();
  take();
  return shown_ && !shown_->unsaved.empty() ? "“" + shown_->name + "”: " + shown_->unsaved : std::string();
}

void RecurrentDesk::take() {
  if (is_ready(reading_)) show(reading_.get());
  if (!thread_) return;
  if (const auto update = thread_->take()) take(*update);
}

void RecurrentDesk::take(const RunUpdateOf<RecurrentModel<float>>& update) {
  const RunState& run = update.state;
  RecurrentRunState state = *shown_;
  const bool begun = update.snapshot != nullptr;
  state.preparing = !begun && !update.ended;
  state.running = begun && !update.ended;
  if (state.preparing) state.stage = run.message + ", " + format_percent(run.progress);
  if (begun) {
    state.step = run.step;
    state.of_step = update.snapshot->step;
    state.planned = run.planned_steps;
    state.tokens_per_s = run.tokens_per_second;
    state.curves = run.curves;
    state.model = update.snapshot->weights;
    state.history = update.history;
    state.tokenizers = update.tokenizers;
    state.unsaved = run.unsaved;
    state.resumable = !state.folder.empty();
    if (!run.held_out.empty()) state.sample = run.held_out.front().pair.source;
    if (run.phase == RunPhase::stopped || run.diverged) {
      state.ended = run.message;
      thread_->ask_to_end();
    } else if (run.phase == RunPhase::paused && !run.unsaved.empty() && !stop_) {
      thread_->resume();  // a disk that is full now may have room the next time
    }
  } else if (update.ended) {
    state.problem = !stop_ ? run.message : state.model ? std::string() : "It was stopped before it began.";
  }
  show(std::move(state));
  if (update.ended) thread_.reset();
}

}  // namespace glassformer
