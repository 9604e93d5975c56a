#include "app/commands/render_screen.h"

#include <charconv>

#include "app/commands/what_if_option.h"
#include "app/format/number_format.h"
#include "app/reading/change_offers.h"
#include "app/session/change_words.h"
#include "app/session/measuring.h"
#include "app/session/paths.h"
#include "app/session/run_scene.h"
#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

// Throws Error when a change takes values that the second does not have.
void check_from_second(const WhatIf& what_if, const ChangeWords& words, const SceneResult& first,
                       const SceneResult& second) {
  for (const Change& change : what_if.changes) {
    if (change.by != Replacement::other) continue;
    const std::string why = why_not_from_second(first, &second, change);
    if (!why.empty()) throw Error("what-if", "“" + text_of(change, words) + "”: " + why);
  }
}

}  // namespace

RenderSecond::RenderSecond(const OpenedModel& first, const std::string& against) : first_(first) {
  long wanted = 0;
  const char* const end = against.data() + against.size();
  step_ = std::from_chars(against.data(), end, wanted).ptr == end;
  if (!step_) {
    opened_ = open_model(resolved(against));
    weights_ = std::make_shared<const Snapshot>(opened_.snapshot);
    return;
  }
  const auto kept = nearest(first.history, wanted);
  if (!kept) throw Error("--against", "no earlier step is kept with " + first.folder);
  weights_ = kept->snapshot();
  looked_back_ = kept->step();
}

std::shared_ptr<const SceneResult> RenderSecond::on_words_of(const SceneResult& first) const {
  Scene scene = on_same_words(first);
  // The means are those of the other weights.
  if (wants(scene.what_if, Replacement::mean)) scene.substitutes.means = means_of(model().folder, *weights_);
  return run_scene(weights_, model().tokenizers, scene);
}

std::shared_ptr<const Trace> RenderSecond::values_for(const WhatIf& what_if,
                                                      const SceneResult& untouched) const {
  if (!wants(what_if, Replacement::other)) return nullptr;
  const auto second = on_words_of(untouched);
  check_from_second(what_if, change_words(untouched, first_.tokenizers), untouched, *second);
  return second->trace;
}

FigureContent::Second RenderSecond::content(const View& view, ComparedAs as,
                                            const std::shared_ptr<const SceneResult>& first) const {
  if (as == ComparedAs::difference && !view.traits().shows_difference)
    throw Error("--as", "this view has no difference; choose both, first or second");
  FigureContent::Second second{.as = as, .view = view.clone(), .compared = {.first = first}};
  Compared& compared = second.compared;
  compared.looked_back = looked_back_;
  compared.second = with_leak(*on_words_of(*first));
  if (view.traits().wants_gradients) compared.second = with_gradients(*compared.second);
  compared.first_name = "step " + format_count(first->snapshot->step);
  compared.second_name = "step " + format_count(weights_->step);
  if (!step_) {
    compared.first_name = first_.title.name + ", " + compared.first_name;
    compared.second_name = opened_.title.name + ", " + compared.second_name;
  }
  compared.given_words = writes_own_words(*first);
  compared.tokenizers = model().tokenizers;
  compared.run = recorded_run(model());
  compared.source_language = model().title.source_language;
  compared.target_language = model().title.target_language;
  return second;
}

Other RenderSecond::other() const {
  if (step_) return OtherStep{*looked_back_};
  return OtherModel{opened_.folder};
}

}  // namespace glassformer
