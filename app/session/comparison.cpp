#include "app/session/comparison.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "app/format/number_format.h"
#include "engine/math/error.h"
#include "engine/math/ready.h"

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
struct SceneComparison::Side {
  SceneWorker::Weights weights;  // none while they are on their way
  const Tokenizers& tokenizers;
  const ModelTitle& title;
  const RunState& run;
  std::string missing;  // why there are no weights; empty: wait
};

SceneComparison::SceneComparison(Other other, std::future<OpenedModel> opening,
                                 std::shared_ptr<const KeptWeights> held, const std::function<void()>& wake)
    : other_(std::move(other)), opening_(std::move(opening)), held_(std::move(held)), worker_(wake) {
  if (const auto* run = kind<OtherRun>(other_)) shown_.variant = run->variant;
  shown_.held = held_ != nullptr;
}

SceneComparison::Side SceneComparison::second_side(const First& first) const {
  Side side{first.weights, first.tokenizers, first.title, first.run, {}};
  if (const auto* earlier = kind<OtherStep>(other_)) {
    side.weights.kept = nearest(first.run.history, earlier->step);
    if (!side.weights.kept) side.weights.newest = nullptr, side.missing = "That step is not kept any more.";
    return side;
  }
  if (variant() > 0) {
    const Run& run = *first.beside;
    const RunState& theirs = run.state();
    Side beside{{run.snapshot, nullptr}, run.tokenizers, first.title, theirs, {}};
    if (first.weights.kept) beside.weights.kept = nearest(theirs.history, first.weights.kept->step());
    if (held_) beside.weights.kept = held_;
    if (!run.snapshot)
      beside.missing =
          theirs.phase == RunPhase::preparing ? "The variant prepares its data." : theirs.message;
    return beside;
  }
  if (!kind<OtherModel>(other_)) return side;
  if (!model_) return {{}, first.tokenizers, first.title, first.run, refused_};
  return {{snapshot_, nullptr}, model_->tokenizers, model_->title, recorded_, {}};
}

bool SceneComparison::follows_variant(const First& first) const {
  return variant() > 0 && !held_ && (!first.weights.kept || !shown_.second);
}

bool SceneComparison::meaningful(const Scenes& scenes) const {
  return !kind<OtherUntouched>(other_) || !scenes.scene().what_if.empty();
}

Scene SceneComparison::second_scene(const Scenes& scenes) const {
  if (const auto* another = kind<OtherSentence>(other_)) {
    Scene second = scenes.scene();
    second.sentences.resize(std::max<std::size_t>(1, second.sentences.size()));
    second.sentences.front() = scenes.sentence_of(another->source);
    second.what_if = second.what_if.of_all_sentences();
    return second;
  }
  Scene second = on_same_words(*scenes.result());
  if (kind<OtherUntouched>(other_)) second.what_if = {};
  return second;
}

void SceneComparison::compute(const First& first, bool low_priority) {
  if (!first.scenes.result()) return;
  const Side side = second_side(first);
  if (side.weights.newest)
    worker_.ask(side.weights, side.tokenizers, second_scene(first.scenes), first.scenes.gradients_of(),
                first.scenes.result(), low_priority);
}

void SceneComparison::gradients_came(const std::shared_ptr<const SceneResult>& first) {
  if (shown_.first && shown_.first->trace == first->trace) shown_.first = first;
}

bool SceneComparison::take_model() {
  if (!is_ready(opening_)) return false;
  try {
    model_ = opening_.get();
    snapshot_ = std::make_shared<const Snapshot>(model_->snapshot);
    recorded_ = recorded_run(*model_);
  } catch (const std::exception& error) {
    refused_ = failure_words(error);
  }
  return true;
}

SceneComparison::News SceneComparison::take(const First& first) {
  News news = News::none;
  if (take_model()) {
    news = News::changed;
    if (model_) compute(first);
  }
  const Side side = second_side(first);
  shown_.run = side.run;
  if (!shown_.second && shown_.problem != side.missing) shown_.problem = side.missing, news = News::changed;
  const std::optional<SceneWorker::Answer> answer = worker_.take();
  if (!answer) return news;
  shown_.first = answer->result ? answer->beside : nullptr;
  shown_.second = answer->result;
  shown_.problem = answer->error;
  if (!answer->result) return News::changed;
  shown_.given_words = writes_own_words(*shown_.first) && !kind<OtherSentence>(other_);
  shown_.tokenizers = side.tokenizers;
  shown_.source_language = side.title.source_language;
  shown_.target_language = side.title.target_language;
  shown_.looked_back = side.weights.kept ? std::optional(side.weights.kept->step()) : std::nullopt;
  name_both(first, side);
  return News::result;
}

void SceneComparison::name_both(const First& first, const Side& second) {
  const std::string here = step_words(*shown_.first), there = step_words(*shown_.second);
  shown_.first_name = here;
  shown_.second_name = there;
  if (const auto* another = kind<OtherSentence>(other_)) {
    shown_.first_name = "“" + shown_.first->scene.sentences.front().source + "”";
    shown_.second_name = "“" + another->source + "”";
  } else if (kind<OtherUntouched>(other_)) {
    shown_.first_name = "with the changes";
    shown_.second_name = "untouched";
  } else if (variant() > 0) {
    shown_.first_name = "this run, " + here;
    shown_.second_name = first.beside->shown.title() + ", " + there + (shown_.held ? ", held" : "");
  } else if (model_) {
    const bool alike = second.title.name == first.title.name;
    const std::filesystem::path path = std::filesystem::path(model_->folder).lexically_normal();
    std::string folder = path.filename().string();
    if (folder == first.title.name) folder = path.parent_path().filename().string() + "/" + folder;
    shown_.first_name = first.title.name + ", " + here;
    shown_.second_name = (alike ? folder : second.title.name) + ", " + there;
  }
}

void SceneComparison::follow_folder(const std::string& from, const std::string& to) {
  if (auto* other = std::get_if<OtherModel>(&other_); other && other->folder == from) other->folder = to;
}

}  // namespace glassformer
