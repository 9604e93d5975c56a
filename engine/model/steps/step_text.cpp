#include "engine/model/steps/step_text.h"

namespace glassformer {

const StepText& step_text(StepKind kind) {
  auto at = static_cast<std::size_t>(kind);
  for (const auto& texts : {forward_texts(), backward_texts()}) {
    if (at < texts.size()) return texts[at];
    at -= texts.size();
  }
  return update_texts()[at];
}

}  // namespace glassformer
