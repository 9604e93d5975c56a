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

// The changes that concern this sentence, which is now the only one.
WhatIf changes_of(const WhatIf& all, int sentence) {
  WhatIf changes = all;
  std::erase_if(changes.edited_rows, [&](const EditedRow& row) { return row.sentence != sentence; });
  for (EditedRow& row : changes.edited_rows) row.sentence = 0;
  return changes;
}

}  // namespace

std::shared_ptr<const SceneResult> with_gradients(const SceneResult& result, int sentence) {
  const Snapshot& snapshot = *result.snapshot;
  sentence = std::clamp(sentence, 0, static_cast<int>(result.trace->source.size()) - 1);
  const TraceInput input = sentence_of(*result.trace, snapshot.config, static_cast<std::size_t>(sentence));
  const auto pass = [&](const WhatIf& what_if) {
    SentenceGradients made;
    made.sentence = sentence;
    made.trace = record_trace(*snapshot.weights, input,
                              {.smoothing = result.scene.smoothing,
                               .what_if = what_if,
                               .gradients = true,
                               .parameter_gradients = true});
    made.norm = gradient_norm(*made.trace.parameter_gradients);
    return std::make_shared<const SentenceGradients>(std::move(made));
  };
  auto with = std::make_shared<SceneResult>(result);
  const WhatIf changes = changes_of(result.scene.what_if, sentence);
  with->gradients = pass(changes);
  with->untouched_gradients = changes.empty() ? with->gradients : pass({});
  return with;
}

}  // namespace glassformer
