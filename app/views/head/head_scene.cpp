#include "app/views/head/head_scene.h"

#include <algorithm>

#include "app/reading/attention_table.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

Selection one_head(const ViewInput& input) {
  Selection selection = within(input.shown, input);
  selection.head = std::max(0, selection.head);
  return selection;
}

StepPlace place_of(const Selection& selection) {
  StepPlace place;
  place.encoder = selection.kind == AttentionKind::encoder;
  place.layer = selection.layer;
  place.sublayer = selection.kind == AttentionKind::cross ? 2 : 1;
  place.head = selection.head;
  place.block = block_kind(place);
  return place;
}

std::string first_sentence(const std::string& text) {
  const std::size_t end = text.find(". ");
  return end == std::string::npos ? text : text.substr(0, end + 1);
}

}  // namespace

HeadScene::HeadScene(const ViewInput& input, StepLists& lists)
    : reader(input, lists), shown(one_head(input)), cross(shown.kind == AttentionKind::cross) {
  const StepValues values(input.snapshot.config);
  block = values.attention(place_of(shown));
  head = values.head(place_of(shown));
}

const Operand& HeadScene::result(HeadStage stage) const {
  switch (stage) {
    case HeadStage::project:
      return head.query;
    case HeadStage::match:
      return head.dot_products;
    case HeadStage::scale:
      return head.scores;
    case HeadStage::mask:
      return head.masked_scores;
    case HeadStage::softmax:
      return head.weights;
    case HeadStage::sum:
      return head.context;
    case HeadStage::concat:
      return block.concat;
    case HeadStage::output:
      break;
  }
  return block.output;
}

std::vector<const Step*> HeadScene::steps(HeadStage stage) const {
  std::vector<const Step*> found = {reader.step_making(result(stage))};
  if (stage == HeadStage::project) {
    found.push_back(reader.step_making(head.key));
    found.push_back(reader.step_making(head.value));
  }
  if (stage == HeadStage::match && rotates()) {
    found.push_back(reader.step_making(head.rotated_query));
    found.push_back(reader.step_making(head.rotated_key));
  }
  std::erase(found, nullptr);
  return found;
}

std::string HeadScene::short_name(HeadStage stage) const {
  switch (stage) {
    case HeadStage::project:
      return "project";
    case HeadStage::match:
      return head.rotated_query.symbol + " " + head.rotated_key.symbol + "ᵀ";
    case HeadStage::scale:
      return reader.scales() ? "÷ √k" : "scores";
    case HeadStage::mask:
      return "+ mask";
    case HeadStage::softmax:
      return reader.config().attention_activation == AttentionActivation::softmax ? "softmax" : "ReLU / n";
    case HeadStage::sum:
      return "× V";
    case HeadStage::concat:
      return "concat";
    case HeadStage::output:
      break;
  }
  return "× W_O";
}

std::string HeadScene::title(HeadStage stage) const {
  if (stage == HeadStage::project) return "Queries, keys and values";
  const auto found = steps(stage);
  return found.empty() ? short_name(stage) : std::string(found.front()->name);
}

std::string HeadScene::why(HeadStage stage) const {
  const auto found = steps(stage);
  if (found.empty()) return {};
  if (stage == HeadStage::match && rotates())
    return first_sentence(explanation(*found.front())) + " " + explanation(*found[1]);
  if (stage != HeadStage::project) return explanation(*found.front());
  std::string text;
  for (const Step* step : found) text += (text.empty() ? "" : " ") + first_sentence(explanation(*step));
  return text;
}

std::string HeadScene::place() const {
  return "layer " + std::to_string(shown.layer + 1) + ", head " + std::to_string(shown.head + 1);
}

}  // namespace glassformer
