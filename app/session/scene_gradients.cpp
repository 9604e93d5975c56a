// The backward pass of one sentence of a Scene, for the views that show gradients.
#include <algorithm>

#include "app/session/run_scene.h"
#include "engine/model/optimizer.h"

namespace glassformer {

namespace {

TraceInput sentence_of(const Trace& trace, const Config& config, std::size_t at) {
  std::vector<int> source = trace.source[at];
  if (config.source_eos) source.pop_back();
  return {.sources = {std::move(source)},
          .targets = {{trace.target_in[at].begin() + 1, trace.target_in[at].end()}}};
}

// The changes that concern this sentence, which is now the only one; its words are swapped already.
WhatIf changes_of(const WhatIf& all, int sentence) {
  WhatIf changes = sentence == 0 ? all : all.of_all_sentences();
  std::erase_if(changes.changes, [](const Change& change) { return change.kind == ChangeKind::swap_words; });
  return changes;
}

}  // namespace

std::shared_ptr<const SceneResult> with_gradients(const SceneResult& result, int sentence) {
  sentence = std::clamp(sentence, 0, static_cast<int>(result.trace->source.size()) - 1);
  const auto pass = [&](const Trace& trace, const Snapshot& weights, const WhatIf& what_if) {
    const TraceInput input = sentence_of(trace, weights.config, static_cast<std::size_t>(sentence));
    SentenceGradients made;
    made.sentence = sentence;
    made.what_if = what_if;
    made.trace = record_trace(*weights.weights, input,
                              {.smoothing = result.scene.smoothing,
                               .what_if = what_if,
                               .substitutes = result.scene.substitutes,
                               .gradients = true,
                               .parameter_gradients = true});
    made.norm = gradient_norm(*made.trace.parameter_gradients);
    return std::make_shared<const SentenceGradients>(std::move(made));
  };
  auto with = std::make_shared<SceneResult>(result);
  with->gradients = pass(*result.trace, *result.snapshot, changes_of(result.scene.what_if, sentence));
  const SceneResult* const plain = result.plain.get();
  if (!plain) {
    with->untouched_gradients = with->gradients;
    return with;
  }
  const bool known = plain->gradients && plain->gradients->sentence == sentence;
  with->plain = known ? result.plain : with_gradients(*plain, sentence);
  with->untouched_gradients = result.untouched == plain->trace
                                  ? with->plain->gradients
                                  : pass(*result.untouched, *result.untouched_snapshot, {});
  return with;
}

}  // namespace glassformer
