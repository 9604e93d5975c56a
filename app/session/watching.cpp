#include "app/session/watching.h"

#include <algorithm>

#include "app/session/run_scene.h"
#include "engine/math/ready.h"

namespace glassformer {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr long kFirstAttempt = 10;  // step of the first that is kept after the untrained model's

}  // namespace

Watching::~Watching() {
  if (looking_.valid()) looking_.wait();
}

void Watching::begin(const NewRun& recipe, RunThread::Make make, WatchState what, const std::string& folder) {
  end();
  Run& run = runs_.add_watched();
  run.recipe = recipe;
  run.folder = folder;
  run.state().phase = RunPhase::preparing;
  run.state().options = recipe.training;
  run.state().planned_steps = recipe.training.steps;
  state_ = std::move(what);
  state_->run = run.state();
  looked_at_.reset();
  before_ = Clock::now();
  runs_.begin(run, std::move(make), true);
}

void Watching::set_running(bool running) {
  Run* const run = runs_.watched();
  if (!run || !run->active()) return;
  running ? run->thread->go() : run->thread->pause();
}

void Watching::end() {
  if (Run* const run = runs_.watched()) runs_.end_beside(*run);
  state_.reset();
  looked_at_.reset();
}

bool Watching::take() {
  bool changed = false;
  if (is_ready(looking_)) {
    try {
      // What was begun of a run that is watched no more is of no use.
      std::shared_ptr<const SceneResult> result = looking_.get();
      if (state_ && result && result->untouched_snapshot == looked_at_)
        state_->result = std::move(result), keep_attempt(), changed = true;
    } catch (const std::exception&) {
      // Weights of a run that diverges write nothing that could be shown: the last picture stays.
    }
  }
  Run* const run = runs_.watched();
  if (!run || !state_) return changed;
  const Clock::time_point now = Clock::now();
  if (state_->learns) state_->seconds += std::chrono::duration<double>(now - before_).count();
  before_ = now;
  if (const auto news = run->take()) {
    changed = true;
    if (news->update.ended) run->thread.reset();
  }
  state_->run = run->state();
  state_->learns = run->learns();
  look(*run);
  return changed;
}

void Watching::keep_attempt() {
  const long step = state_->result->snapshot->step;
  std::vector<WatchedAttempt>& kept = state_->attempts;
  if (kept.empty() || step >= std::max(kFirstAttempt, 2 * kept.back().step))
    kept.push_back({step, state_->result->translation});
}

void Watching::look(const Run& run) {
  if (!run.snapshot || run.snapshot == looked_at_ || looking_.valid()) return;
  if (state_->result && state_->learns && Clock::now() - looked_ < kBetweenLooks) return;
  looked_at_ = run.snapshot;
  looked_ = Clock::now();
  Scene scene;
  scene.sentences = {state_->sentence};
  looking_ = std::async(std::launch::async,
                        [snapshot = run.snapshot, tokenizers = run.tokenizers, scene, wake = wake_] {
                          auto result = run_scene(snapshot, tokenizers, scene);
                          if (wake) wake();
                          return result;
                        });
}

}  // namespace glassformer
