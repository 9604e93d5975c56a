#include "app/session/trials.h"

#include <optional>

#include "app/format/number_format.h"
#include "engine/train/run_command.h"
#include "engine/train/sweep.h"

namespace glassformer {

std::vector<Trial> planned_trials(const NewRun& base, const std::string& text) {
  const Sweep sweep = sweep_of_settings(text, "row");
  const Recipe recipe{base.config, base.training, base.data};
  std::vector<Trial> trials;
  for (const SweepRun& run : planned_runs(sweep)) {
    const Recipe one = with_options(recipe, run.options);
    trials.push_back({sweep.settings[run.setting].name + ", seed " + std::to_string(run.seed), one.config,
                      one.data, one.training});
  }
  return trials;
}

void Trials::begin(const TrySettings& what, Data data,
                   std::function<std::string(const std::string&)> folder_for) {
  if (state_.under_way()) return;
  waiting_.assign(what.trials.begin(), what.trials.end());
  at_once_ = what.at_once;
  data_ = std::move(data);
  folder_for_ = std::move(folder_for);
  state_ = {.all = waiting_.size()};
  begin_next();
}

void Trials::begin_next() {
  while (!waiting_.empty() && state_.now.size() < static_cast<std::size_t>(at_once_)) {
    Trial next = std::move(waiting_.front());
    waiting_.pop_front();
    next.training.threads = 1;
    Run& run = runs_.add_trial();
    run.recipe = {next.config, next.data, next.training};
    run.state().phase = RunPhase::preparing;
    run.folder = folder_for_(next.name);
    state_.now.push_back(
        {.number = state_.over + state_.now.size() + 1, .name = next.name, .steps = next.training.steps});
    runs_.begin(run, make_run(*run.recipe, data_.ready, data_.ahead, data_.tokenizers, {}), true);
  }
}

void Trials::cancel() {
  if (!state_.under_way()) return;
  waiting_.clear();
  state_.cancelled = true;
  for (Run* const each : runs_.all_trials()) runs_.end_beside(*each);
  state_.now.clear();
  data_ = {};
  ended_ = true;
}

// It was to reach the end of its plan.
void Trials::note_end(const Run& run, const TrialsState::Learning& learning) {
  const RunState& state = run.state();
  if (state.diverged)
    state_.problems.push_back(learning.name + ": it diverged, at step " + format_count(state.step) + ".");
  else if (!state.unsaved.empty())
    state_.problems.push_back(learning.name + ": " + state.unsaved);
  else if (!run.snapshot)
    state_.problems.push_back(learning.name + ": " + state.message);
}

bool Trials::take() {
  bool changed = false;
  const std::vector<Run*> learning = runs_.all_trials();  // as in state_.now
  for (std::size_t i = learning.size(); i-- > 0;) {
    Run& run = *learning[i];
    const std::optional<RunNews> news = run.take();
    if (!news) continue;
    changed = true;
    TrialsState::Learning& shown = state_.now[i];
    shown.preparing = run.state().phase == RunPhase::preparing;
    shown.step = run.state().step;
    if (run.state().phase != RunPhase::stopped && !run.state().diverged && !news->update.ended) continue;
    note_end(run, shown);
    state_.now.erase(state_.now.begin() + static_cast<std::ptrdiff_t>(i));
    ++state_.over;
    if (news->update.ended) run.thread.reset();
    runs_.end_beside(run);
  }
  if (!changed) return false;
  begin_next();
  if (state_.now.empty()) {
    ended_ = true;
    data_ = {};
  }
  return true;
}

}  // namespace glassformer
