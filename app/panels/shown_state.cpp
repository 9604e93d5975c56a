#include "app/panels/shown_state.h"

#include <optional>
#include <utility>

#include "app/lessons/staged_page.h"
#include "app/reading/cell_names.h"
#include "app/session/change_words.h"
#include "engine/math/error.h"
#include "engine/model/what_if/change_text.h"

namespace glassformer {

namespace {

// The words that a change is read with are those without it.
std::string what_if_text(const SceneResult& result, const WhatIf& what_if, const Tokenizers& tokenizers) {
  const SceneResult& plain = result.plain ? *result.plain : result;
  return what_if.empty() ? "" : text_of(what_if, change_words(plain, tokenizers));
}

// The pin as far as a session can save it: of the first sentence, and of numbers that its Scene has.
Selection kept_part(Selection pin, const SceneResult& result) {
  if (pin.sentence != 0) return {.kind = pin.kind, .layer = pin.layer, .head = pin.head};
  if (pin.cell && !stored_of({*result.snapshot->weights, *result.trace}, *pin.cell)) pin.cell.reset();
  return pin;
}

// A variant is a model by itself in a session, and so is a step of the run that `model`, the line of what is
// shown, does not have.
std::optional<Other> kept_other(const Session& session, const std::string& model, const ModelValue& value) {
  std::optional<Other> other = session.compared_with();
  if (!other) return other;
  if (auto* another = std::get_if<OtherModel>(&*other)) another->folder = model_line(another->folder);
  const Compared* const two = session.compared();
  const bool there = two && two->second && two->second->untouched_snapshot;
  if (std::get_if<OtherRun>(&*other))
    return there ? std::optional<Other>(OtherModel{value(shown_variant(session), "other")}) : std::nullopt;
  if (std::get_if<OtherStep>(&*other) && there) {
    ShownModel step = shown_at(session, two->second->untouched_snapshot);
    if (!step.folder.empty() && model != model_line(step.folder)) step.folder.clear();
    const std::string of_step = value(step, "other");
    if (of_step != model) return OtherModel{of_step};
    return OtherStep{step.weights->step};
  }
  return other;
}

// A reference that is known here is typed for whoever does not know it.
std::optional<std::string> kept_target(const SceneSentence& sentence) {
  return sentence.target ? sentence.target : sentence.reference;
}

}  // namespace

SessionState shown_state(const Session& session, const std::string& view, const ViewControls& controls,
                         const ModelValue& value) {
  const auto result = session.result();
  if (!result || !result->trace || result->scene.sentences.empty() || session.scene().sentences.empty())
    throw Error("session", "there is no sentence to keep yet: type one first");
  const Scene& scene = session.scene();
  const SceneSentence& sentence = scene.sentences.front();
  const ShownModel shown = shown_model(session);
  const std::string model = value(shown, "model");
  const std::optional<ShownModel> recurrent = shown_recurrent(session);
  const bool in_folder = !shown.folder.empty() && model == model_line(shown.folder);
  return {.model = model,
          .fingerprint = {},
          .source = sentence.source,
          .target = kept_target(sentence),
          .batch = session.own_batch(),
          .step = in_folder ? shown.looked_back : std::nullopt,
          .view = view,
          .selection = kept_part(session.pinned(), *result),
          .what_if = what_if_text(*result, scene.what_if, session.tokenizers()),
          .decode = scene.decode,
          .other = kept_other(session, model, value),
          .recurrent = recurrent ? value(*recurrent, "recurrent") : std::string(),
          .settings = controls.all(view)};
}

}  // namespace glassformer
