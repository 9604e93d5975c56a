#include "engine/model/steps/step_text.h"

#include <algorithm>

#include "engine/math/error.h"

namespace glassformer {

const StepText& step_text(StepKind kind) {
  for (const auto& texts : {embedding_texts(), attention_texts(), feed_forward_texts(), layer_texts(),
                            output_texts(), update_texts()}) {
    const auto found = std::ranges::find(texts, kind, &StepText::kind);
    if (found != texts.end()) return *found;
  }
  throw Error("steps", "a kind of step has no row among the texts; give it one in the texts of its layer");
}

}  // namespace glassformer
