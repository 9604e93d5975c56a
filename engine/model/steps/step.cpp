#include "engine/model/steps/step.h"
#include "engine/model/place_words.h"

namespace glassformer {
namespace {

const char* phase_name(StepPhase phase) {
  switch (phase) {
    case StepPhase::forward:
      return "Forward";
    case StepPhase::loss:
      return "Loss";
    case StepPhase::backward:
      return "Backward";
    case StepPhase::update:
      return "Update";
  }
  return "";
}

std::string block_title(const StepPlace& place) {
  switch (place.block) {
    case StepBlock::embedding:
      return "Embedding";
    case StepBlock::self_attention:
      return place.encoder ? "Self-attention" : "Masked self-attention";
    case StepBlock::cross_attention:
      return "Cross-attention";
    case StepBlock::feed_forward:
      return "Feed-forward";
    case StepBlock::add_norm:
      return "Add & norm";
    case StepBlock::stack_end:
      return place.layer >= 0 ? "Hand on" : "Result";
    case StepBlock::output:
      return "Linear, softmax";
    case StepBlock::loss:
      return "Cross-entropy";
    case StepBlock::adam:
      return "Adam";
  }
  return {};
}

}  // namespace

int level(const Step& step) {
  if (step.place.head >= 0) return 3;
  return step.place.phase == StepPhase::forward || step.place.phase == StepPhase::backward ? 2 : 1;
}

std::vector<std::string> step_path(const Step& step) {
  const StepPlace& place = step.place;
  std::vector<std::string> path = {phase_name(place.phase)};
  if (place.phase == StepPhase::loss || place.phase == StepPhase::update) return path;
  if (place.block == StepBlock::output) {
    path.push_back("Output");
  } else if (place.block == StepBlock::loss) {
    path.push_back("Loss");
  } else if (place.block == StepBlock::embedding) {
    path.push_back(place.encoder ? "Source embedding" : "Target embedding");
    return path;
  } else {
    path.push_back(place.encoder ? "Encoder" : "Decoder");
    if (place.layer >= 0) path.back() += ", " + layer_words(place.layer);
  }
  path.push_back(block_title(place));
  if (place.head >= 0) path.push_back("Head " + std::to_string(place.head + 1));
  return path;
}

Operand value_of(const Operand& gradient) {
  Operand value = gradient;
  value.symbol.erase(0, 1);
  value.store = gradient.store == OperandStore::gradient ? OperandStore::trace : OperandStore::parameter;
  return value;
}

}  // namespace glassformer
