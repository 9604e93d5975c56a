#include "app/session/recurrent_desk.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/data_consent.h"
#include "app/session/priority.h"
#include "app/session/run_record.h"
#include "engine/files/json_file.h"
#include "engine/math/error.h"
#include "engine/recurrent/recurrent_checkpoint.h"
#include "engine/train/fitted_config.h"
#include "engine/train/run_data.h"

namespace glassformer {

namespace {

constexpr double kDeskPictures = 0.25, kDeskSaves = 20;  // seconds

using Clock = std::chrono::steady_clock;

double since(Clock::time_point from) {
  return std::chrono::duration<double>(Clock::now() - from).count();
}

// Room for the longest sentences of the data too.
RecurrentConfig fitted(RecurrentConfig config, const PreparedData& data) {
  const int longest = static_cast<int>(std::max(data.report.source.longest, data.report.target.longest)) + 2;
  config.max_length = std::max(config.max_length, longest);
  return fitted_config(config, data.tokenizers);
}

// What its run has recorded, where it has: a model may come without.
void tell_record(RecurrentRunState& state) {
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
  tell_record(state);
}

}  // namespace

RecurrentDesk::~RecurrentDesk() {
  finish();
}

std::string RecurrentDesk::finish() {
  stop();
  if (thread_.joinable()) thread_.join();
  const auto state = shown();
  return state && !state->unsaved.empty() ? "“" + state->name + "”: " + state->unsaved : std::string();
}

std::shared_ptr<const RecurrentRunState> RecurrentDesk::take_ended() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(ended_, nullptr);
}

void RecurrentDesk::stop() {
  stop_ = true;
}

bool RecurrentDesk::busy() const {
  const auto state = shown();
  return state && (state->preparing || state->running);
}

std::shared_ptr<const RecurrentRunState> RecurrentDesk::shown() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

void RecurrentDesk::show(const RecurrentRunState& state) {
  auto made = std::make_shared<const RecurrentRunState>(state);
  {
    const std::scoped_lock lock(mutex_);
    shown_ = std::move(made);
  }
  if (wake_) wake_();
}

void RecurrentDesk::begin(RecurrentRunState state, bool learns,
                          std::function<void(RecurrentRunState&)> work) {
  if (busy()) return;
  if (thread_.joinable()) thread_.join();  // over by now
  stop_ = false;
  state.preparing = true;
  show(state);
  thread_ = std::thread([this, learns, state = std::move(state), work = std::move(work)]() mutable {
    try {
      work(state);
    } catch (const std::exception& error) {
      const bool given_up = learns && stop_ && state.preparing;
      state.problem = !given_up     ? failure_words(error)
                      : state.model ? std::string()
                                    : "It was stopped before it began.";
    }
    state.preparing = state.running = false;
    const auto last = std::make_shared<const RecurrentRunState>(state);
    {
      const std::scoped_lock lock(mutex_);
      shown_ = ended_ = last;
    }
    if (wake_) wake_();
  });
}

void RecurrentDesk::train(const NewRecurrentRun& recipe, const std::string& name, const std::string& folder) {
  begin({.name = name, .folder = folder}, true,
        [this, recipe](RecurrentRunState& state) { learn_anew(recipe, state); });
}

void RecurrentDesk::open(const std::string& folder) {
  begin(named_by(folder), false, read_model);
}

RecurrentRunState opened_recurrent(const std::string& folder) {
  RecurrentRunState state = named_by(folder);
  read_model(state);
  return state;
}

void RecurrentDesk::go_on(int threads) {
  const auto last = shown();
  if (!last || !last->may_go_on()) return;
  RecurrentRunState begun = *last;
  begun.opened = false;
  begun.problem.clear();
  begun.stage.clear();
  begun.tokens_per_s = 0;
  begin(std::move(begun), true, [this, threads](RecurrentRunState& state) {
    const auto set = run_data(state.folder, run_data_options(state.folder), progress_of(state));
    give_way(Patience::training);
    const auto run = RecurrentRun::resume(state.folder, set, threads);
    if (!set->validation_text.empty()) state.sample = set->validation_text.front().source;
    learn(*run, state);
  });
}

// Tells how far the data are, and gives up when it is stopped.
DataProgress RecurrentDesk::progress_of(RecurrentRunState& state) {
  return [this, &state, told = Clock::now()](const std::string& stage, double part) mutable {
    state.stage = stage + ", " + format_percent(part);
    if (since(told) > kDeskPictures) show(state), told = Clock::now();
    return !stop_.load();
  };
}

void RecurrentDesk::learn_anew(const NewRecurrentRun& recipe, RecurrentRunState& state) {
  const PreparedData data = prepare_data(recipe.data, progress_of(state));
  const auto set = std::make_shared<const TrainingSet>(training_set(data, recipe.data));
  give_way(Patience::training);  // a person waits for the data, not for the steps
  RecurrentRun run(set, fitted(recipe.config, data), recipe.training);
  if (!state.folder.empty()) {
    run.save_in(OwnedFolder(state.folder));
    run.save(state.folder);
    note_written_here(state.folder);
  }
  state.tokenizers = data.tokenizers;
  if (!data.validation.pairs.empty()) state.sample = data.validation.pairs.front().source;
  learn(run, state);
}

// Until it is over or stopped.
void RecurrentDesk::learn(RecurrentRun& run, RecurrentRunState& state) {
  state.planned = run.planned_steps();
  state.preparing = false;
  state.running = true;

  const auto tell = [&](long of_step, std::shared_ptr<const RecurrentModel<float>> model) {
    state.step = run.step_count();
    state.of_step = of_step;
    state.curves = std::make_shared<const Curves>(run.curves());
    state.model = std::move(model);
    show(state);
  };
  const auto tell_newest = [&] {
    tell(run.step_count(), std::make_shared<const RecurrentModel<float>>(run.model()));
  };
  // A disk that is full now may have room the next time.
  const auto save = [&] {
    if (state.folder.empty()) return;
    try {
      run.save(state.folder);
      state.resumable = true;
      state.unsaved.clear();
    } catch (const std::exception& error) {
      state.unsaved = failure_words(error);
    }
  };
  tell_newest();
  Clock::time_point told = Clock::now(), saved = told;
  while (!stop_) {
    if (run.validation_due()) {
      run.validate([this] { return !stop_.load(); });
      continue;
    }
    if (const std::optional<Stop> over = run.stop()) {
      state.ended = over->message;
      break;
    }
    const StepReport report = run.step();
    if (report.seconds > 0) state.tokens_per_s = static_cast<double>(report.tokens) / report.seconds;
    if (since(told) > kDeskPictures) tell_newest(), told = Clock::now();
    if (since(saved) > kDeskSaves) save(), saved = Clock::now();
  }
  save();
  // What its folder translates with: the best by validation.
  if (run.kept())
    tell(run.kept_step(), run.kept());
  else
    tell_newest();
}

}  // namespace glassformer
