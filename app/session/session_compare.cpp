// The part of the session that computes a second Scene beside the open one.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/session/paths.h"
#include "app/session/session_state.h"
#include "app/widgets/number_format.h"

namespace glassformer {

namespace {

template <class What>
const What* kind(const Other& other) {
  return std::get_if<What>(&other);
}

std::string step_words(long step) {
  return "step " + format_count(step);
}

}  // namespace

void Session::State::carry_out(const Compare& what) {
  if (kind<OtherRun>(what.other) && !variant) return;
  stop_comparing();
  comparison = std::make_unique<Comparison>(what.other, options.wake);
  if (const auto* saved = kind<OtherModel>(what.other)) {
    comparison->opening = std::async(std::launch::async, [folder = saved->folder, wake = options.wake] {
      struct Wake {
        const std::function<void()>& call;
        ~Wake() {
          if (call) call();
        }
      } const wake_at_end{wake};
      return open_model(plain_path(resolved(folder)));
    });
  }
  ask_other();
  take_other();  // so that what is shown has its run from the first frame on
}

void Session::State::carry_out(const StopComparing&) {
  stop_comparing();
}

// What it still computes is not waited for in the frame.
void Session::State::stop_comparing() {
  if (!comparison) return;
  endings.push_back({.ended = std::async(std::launch::async, [old = std::move(comparison)]() mutable {
                                old.reset();
                                return std::string();
                              }).share()});
}

SceneWorker::Weights Session::State::other_weights() const {
  const Other& other = comparison->other;
  if (const auto* earlier = kind<OtherStep>(other)) {
    auto kept = nearest(run.history, earlier->step);
    return {.newest = snapshot, .kept = std::move(kept)};
  }
  if (kind<OtherRun>(other))
    return {.newest = variant->snapshot,
            .kept = looked_at ? nearest(variant->shown.run.history, looked_at->step()) : nullptr};
  if (kind<OtherModel>(other)) return {.newest = comparison->snapshot, .kept = nullptr};
  return {.newest = snapshot, .kept = looked_at};
}

Scene Session::State::other_scene() const {
  if (const auto* another = kind<OtherSentence>(comparison->other)) {
    Scene second = scene;
    second.sentences.resize(std::max<std::size_t>(1, second.sentences.size()));
    second.sentences.front() = {another->source, std::nullopt, std::nullopt};
    second.what_if.edited_rows.clear();
    return second;
  }
  Scene second = on_same_words(*result);
  if (kind<OtherUntouched>(comparison->other)) second.what_if = {};
  return second;
}

void Session::State::name_both() {
  Compared& shown = comparison->shown;
  const Other& other = comparison->other;
  const auto step_of = [](const SceneWorker::Weights& weights) {
    return weights.kept ? weights.kept->step() : weights.newest ? weights.newest->step : 0;
  };
  const std::string here = step_words(step_of({.newest = snapshot, .kept = looked_at})),
                    there = step_words(step_of(other_weights()));
  shown.first = here;
  shown.second = there;
  if (const auto* another = kind<OtherSentence>(other)) {
    shown.first = scene.sentences.empty() ? "" : "“" + scene.sentences.front().source + "”";
    shown.second = "“" + another->source + "”";
  } else if (kind<OtherUntouched>(other)) {
    shown.first = "with the changes";
    shown.second = "untouched";
  } else if (kind<OtherRun>(other)) {
    shown.first = "this run, " + here;
    shown.second = variant->shown.name + ", " + there;
  } else if (comparison->model) {
    const std::string name = comparison->model->title.name;
    const bool alike = name == title.name;
    shown.first = title.name + ", " + here;
    shown.second =
        (alike ? std::filesystem::path(comparison->model->folder).filename().string() : name) + ", " + there;
  }
}

// Asked whenever the first has a new result, whose words the second is to read.
void Session::State::ask_other() {
  if (!comparison || !result) return;
  Compared& shown = comparison->shown;
  const Tokenizers* words = &tokenizers;
  const ModelTitle* names = &title;
  if (kind<OtherRun>(comparison->other)) words = &variant->tokenizers;
  if (comparison->model) {
    words = &comparison->model->tokenizers;
    names = &comparison->model->title;
  }
  shown.tokenizers = *words;
  shown.source_language = names->source_language;
  shown.target_language = names->target_language;
  shown.given_words = writes_own_words(*result) && !kind<OtherSentence>(comparison->other);
  SceneWorker::Weights weights = other_weights();
  if (!weights.newest) return;
  comparison->worker.ask(std::move(weights), *words, other_scene(), gradients_of);
}

bool Session::State::take_other() {
  if (!comparison) return false;
  Compared& shown = comparison->shown;
  const Other& other = comparison->other;
  shown.run = kind<OtherRun>(other)     ? &variant->shown.run
              : kind<OtherModel>(other) ? &comparison->recorded
                                        : &run;
  if (comparison->opening.valid() &&
      comparison->opening.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    try {
      comparison->model = comparison->opening.get();
      comparison->snapshot = std::make_shared<const Snapshot>(comparison->model->snapshot);
      comparison->recorded = recorded_run(*comparison->model);
      ask_other();
    } catch (const std::exception& error) {
      shown.problem = error.what();
    }
  }
  name_both();
  std::optional<SceneWorker::Answer> answer = comparison->worker.take();
  if (!answer) return false;
  shown.problem = answer->error;
  if (answer->result) {
    shown.result = std::move(answer->result);
    const auto kept = other_weights().kept;
    shown.looked_back = kept ? std::optional(kept->step()) : std::nullopt;
  }
  return true;
}

}  // namespace glassformer
