#include "app/session/run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/session/priority.h"
#include "engine/math/error.h"
#include "engine/train/fitted_config.h"

namespace glassformer {

namespace {

constexpr std::chrono::milliseconds kSavingPatience{50};

// Those that were prepared before anybody asked, else prepared now.
std::shared_ptr<const PreparedData> prepared_data(const DataOptions& data, const FutureData& ahead,
                                                  const Tokenizers& given, const DataProgress& progress) {
  if (auto found = wait_for(ahead, progress)) return found;
  return std::make_shared<const PreparedData>(prepare_data(data, progress, given));
}

}  // namespace

RunThread::Make make_run(const NewRun& recipe, std::shared_ptr<const PreparedData> ready,
                         const FutureData& ahead, const Tokenizers& given, const Beginning& begin) {
  return [recipe, ready = std::move(ready), ahead, given, begin](const DataProgress& progress) {
    const auto prepared = ready ? ready : prepared_data(recipe.data, ahead, given, progress);
    auto set = std::make_shared<const TrainingSet>(training_set(*prepared, recipe.data));
    give_way(Patience::training);  // a person waits for the data, not for the steps
    if (begin.weights)
      return Trainer::begin_with(*begin.weights->snapshot(), begin.from, recipe.config.dropout,
                                 std::move(set), recipe.training);
    return std::make_unique<Trainer>(std::move(set), fitted_config(recipe.config, prepared->tokenizers),
                                     recipe.training);
  };
}

RunThread::Make make_resumed(const ResumedRun& from, const FutureData& ahead, const Tokenizers& given,
                             int threads, std::vector<std::shared_future<std::string>> still_saving) {
  return [=, still_saving = std::move(still_saving)](const DataProgress& progress) {
    for (const auto& save : still_saving) {
      while (save.wait_for(kSavingPatience) != std::future_status::ready) {
        if (!progress("saving", 0)) throw Error(from.folder, "going on was given up");
      }
    }
    auto set = std::make_shared<const TrainingSet>(
        training_set(*prepared_data(from.data, ahead, given, progress), from.data));
    give_way(Patience::training);
    return from.whole ? Trainer::resume(from.folder, std::move(set), threads, from.own)
                      : Trainer::train_on(from.folder, std::move(set), threads);
  };
}

Run Run::record() const {
  Run copy;
  copy.place = place;
  copy.recipe = recipe;
  copy.data = data;
  copy.tokenizers = tokenizers;
  copy.begin = begin;
  copy.folder = folder;
  copy.shown = shown;
  copy.of_model = of_model;
  copy.from_weights = from_weights;
  copy.scene_follows = scene_follows;
  copy.looked_at = looked_at;
  return copy;
}

bool Run::under_way() const {
  const RunPhase phase = state().phase;
  return thread && state().step > 0 && (phase == RunPhase::training || phase == RunPhase::paused);
}

UnsavedRun Run::as_unsaved() const {
  return {folder, state().unsaved, state().step, state().saved_step, state().failed_saves, state().not_moved};
}

std::optional<RunNews> Run::take() {
  if (!thread) return std::nullopt;
  std::optional<RunUpdate> update = thread->take();
  if (!update) return std::nullopt;
  RunNews news{std::move(*update), state().phase, state().diverged};
  if (news.update.state.phase == RunPhase::preparing) {
    state().message = news.update.state.message;
    state().progress = news.update.state.progress;
  } else {
    state() = std::move(news.update.state);
    state().history = std::move(news.update.history);
    news.ends = state().phase == RunPhase::stopped && news.before != RunPhase::stopped;
  }
  if (!news.update.moved_to.empty()) news.moved_from = std::exchange(folder, news.update.moved_to);
  if (news.update.snapshot) {
    snapshot = news.update.snapshot;
    tokenizers = news.update.tokenizers;
  }
  return news;
}

void Run::follow_changes(const Curves& of_open) {
  if (!active()) return;
  const std::vector<RunMark>& marks = of_open.marks;
  marks_known = std::min(marks_known, marks.size());  // the open run began again
  for (; marks_known < marks.size(); ++marks_known) {
    const RunMark& mark = marks[marks_known];
    if (!mark.change) continue;
    const auto changed = [&](double LiveSettings::*setting) {
      const bool moved = mark.change->before.*setting != mark.change->after.*setting;
      const bool shared = first.*setting == first_of_open.*setting;
      return moved && shared ? std::optional(mark.change->after.*setting) : std::nullopt;
    };
    active()->change({.rate_scale = changed(&LiveSettings::rate_scale),
                      .dropout = changed(&LiveSettings::dropout),
                      .smoothing = changed(&LiveSettings::smoothing),
                      .clip = changed(&LiveSettings::clip)},
                     mark.step);
  }
}

}  // namespace glassformer
