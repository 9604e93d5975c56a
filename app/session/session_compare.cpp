// The part of the session that computes a second Scene beside the open one.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "app/session/session_state.h"
#include "engine/math/failure.h"

namespace glassformer {

namespace {

template <class What>
const What* kind(const Other& other) {
  return std::get_if<What>(&other);
}

std::string step_words(const SceneResult& result) {
  return "step " + format_count(result.snapshot->step);
}

}  // namespace

// All that the second side is made of, by what it is.
struct Session::State::Side {
  SceneWorker::Weights weights;  // none while they are on their way
  const Tokenizers& tokenizers;
  const ModelTitle& title;
  const RunState& run;
  std::string missing;  // why there are no weights; empty: wait
};

Session::State::Side Session::State::second_side() const {
  Side side{{snapshot, looked_at}, tokenizers, title, run, {}};
  if (const auto* earlier = kind<OtherStep>(comparison->other)) {
    side.weights.kept = nearest(run.history, earlier->step);
    if (!side.weights.kept) side.weights.newest = nullptr, side.missing = "That step is not kept any more.";
    return side;
  }
  if (kind<OtherRun>(comparison->other)) {
    const RunState& theirs = variant->shown.run;
    Side beside{{variant->snapshot, nullptr}, variant->tokenizers, title, theirs, {}};
    if (looked_at) beside.weights.kept = nearest(theirs.history, looked_at->step());
    if (comparison->held) beside.weights.kept = comparison->held;
    if (!variant->snapshot)
      beside.missing =
          theirs.phase == RunPhase::preparing ? "The variant prepares its data." : theirs.message;
    return beside;
  }
  if (!kind<OtherModel>(comparison->other)) return side;
  if (!comparison->model) return {{}, tokenizers, title, run, comparison->refused};
  return {{comparison->snapshot, nullptr},
          comparison->model->tokenizers,
          comparison->model->title,
          comparison->recorded,
          {}};
}

void Session::State::carry_out(const Compare& what) {
  if (kind<OtherRun>(what.other) && !variant)
    return say(Place::training, "No variant trains beside this run: start one in the Model menu.");
  std::shared_ptr<const KeptWeights> held;
  if (const auto* beside = kind<OtherRun>(what.other); beside && beside->step) {
    held = nearest(variant->shown.run.history, *beside->step);
    if (!held) return say(Place::training, "No step of the variant is kept yet.");
  }
  stop_comparing();
  clear_offer_to_compare();
  comparison = std::make_unique<Comparison>(what.other, options.wake);
  comparison->held = held;
  comparison->shown.of_variant = compares_runs();
  comparison->shown.held = held != nullptr;
  if (const auto* saved = kind<OtherModel>(what.other)) comparison->opening = open_soon(saved->folder);
  ask_other();
}

void Session::State::carry_out(const StopComparing&) {
  stop_comparing();
}

// What it still computes is not waited for in the frame.
void Session::State::stop_comparing() {
  if (!comparison) return;
  end_aside(std::move(comparison));
  // What was told of the second is no longer true.
  std::erase_if(notices, [](const Notice& each) { return each.place == Place::sentence && !each.error; });
  tell_of_reading();
}

Scene Session::State::other_scene() const {
  if (const auto* another = kind<OtherSentence>(comparison->other)) {
    Scene second = scene;
    second.sentences.resize(std::max<std::size_t>(1, second.sentences.size()));
    second.sentences.front() = sentence_of(another->source);
    second.what_if.edited_rows.clear();
    return second;
  }
  Scene second = on_same_words(*result);
  if (kind<OtherUntouched>(comparison->other)) second.what_if = {};
  return second;
}

void Session::State::name_both(const Side& side) {
  Compared& shown = comparison->shown;
  const std::string here = step_words(*shown.first), there = step_words(*shown.second);
  shown.first_name = here;
  shown.second_name = there;
  if (const auto* another = kind<OtherSentence>(comparison->other)) {
    shown.first_name = "“" + shown.first->scene.sentences.front().source + "”";
    shown.second_name = "“" + another->source + "”";
  } else if (kind<OtherUntouched>(comparison->other)) {
    shown.first_name = "with the changes";
    shown.second_name = "untouched";
  } else if (kind<OtherRun>(comparison->other)) {
    shown.first_name = "this run, " + here;
    shown.second_name = variant->shown.title() + ", " + there + (shown.held ? ", held" : "");
  } else if (comparison->model) {
    const bool alike = side.title.name == title.name;
    const std::string folder = std::filesystem::path(comparison->model->folder).filename().string();
    shown.first_name = title.name + ", " + here;
    shown.second_name = (alike ? folder : side.title.name) + ", " + there;
  }
}

// Asked whenever the first has a new result, whose words the second is to read.
void Session::State::ask_other(bool at_leisure) {
  if (!comparison || !result) return;
  if (kind<OtherUntouched>(comparison->other) && scene.what_if.empty()) return stop_comparing();
  const Side side = second_side();
  if (side.weights.newest)
    comparison->worker.ask(side.weights, side.tokenizers, other_scene(), gradients_of, result, at_leisure);
}

bool Session::State::take_other() {
  if (!comparison) return false;
  Compared& shown = comparison->shown;
  bool changed = false;
  if (comparison->opening.valid() &&
      comparison->opening.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    changed = true;
    try {
      comparison->model = comparison->opening.get();
      comparison->snapshot = std::make_shared<const Snapshot>(comparison->model->snapshot);
      comparison->recorded = recorded_run(*comparison->model);
      ask_other();
    } catch (const std::exception& error) {
      comparison->refused = failure_words(error);
    }
  }
  const Side side = second_side();
  shown.run = side.run;
  if (!shown.second && shown.problem != side.missing) shown.problem = side.missing, changed = true;
  const std::optional<SceneWorker::Answer> answer = comparison->worker.take();
  if (!answer) return changed;
  shown.first = answer->result ? answer->beside : nullptr;
  shown.second = answer->result;
  shown.problem = answer->error;
  if (!answer->result) return true;
  shown.given_words = writes_own_words(*shown.first) && !kind<OtherSentence>(comparison->other);
  shown.tokenizers = side.tokenizers;
  shown.source_language = side.title.source_language;
  shown.target_language = side.title.target_language;
  shown.looked_back = side.weights.kept ? std::optional(side.weights.kept->step()) : std::nullopt;
  name_both(side);
  tell_of_reading();
  return true;
}

}  // namespace glassformer
