#include "app/views/block/block_scene.h"

#include <algorithm>

#include "app/reading/attention_table.h"

namespace glassformer {

namespace {

std::optional<BlockWork> work_of(StepKind kind) {
  switch (kind) {
    case StepKind::project_heads:
      return BlockWork::attend;
    case StepKind::add:
      return BlockWork::add;
    case StepKind::layer_norm:
      return BlockWork::norm;
    case StepKind::expand:
      return BlockWork::expand;
    case StepKind::relu:
    case StepKind::gelu:
    case StepKind::swish:
      return BlockWork::activate;
    case StepKind::contract:
      return BlockWork::contract;
    default:
      return std::nullopt;
  }
}

std::optional<BlockFocus> focus_of(const Selection& shown) {
  if (!shown.cell || shown.cell->gradient) return std::nullopt;
  const std::string& name = shown.cell->name;
  const std::vector<int>& at = shown.cell->index;
  const std::optional<ValueName> read = read_name(name);
  BlockFocus focus{name, read && read->encoder ? Extent::source : Extent::target};
  if (at.size() == 3) {
    focus.row = at[1], focus.column = at[2];
    return focus;
  }
  const bool of_norm = read && (read->value == ValueKind::mean || read->value == ValueKind::deviation);
  if (at.size() != 2 || !of_norm) return std::nullopt;
  focus.row = at[1];
  return focus;
}

}  // namespace

BlockScene::BlockScene(const ViewInput& input, StepLists& lists)
    : reader(input, lists),
      shown(within(input.shown, input)),
      focus(focus_of(input.shown)),
      pinned(focus_of(input.pinned)) {
  const Selection place = within(input.pinned, input);
  encoder = place.kind == AttentionKind::encoder;
  layer = place.layer;
  for (const Step& step : reader.steps()) {
    const std::optional<BlockWork> work = work_of(step.kind);
    if (!work || step.off || step.place.encoder != encoder || step.place.layer != layer) continue;
    stages.push_back({*work, &step, *read_name(step.output.name)});
  }
  const StepValues values(input.snapshot.config);
  stream = values.layer_output(encoder, layer - 1);
}

std::optional<int> BlockScene::stage_of(const ValueName& value) const {
  const auto same = [&](const ValueName& made) {
    return made.block == value.block && made.value == value.value && made.sublayer == value.sublayer;
  };
  for (int i = 0; i < count(); ++i)
    if (same(at(i).value)) return i;
  const bool has_parts = is_attention(value.block) || value.block == BlockKind::feed_forward;
  if (!has_parts || is_parameter(value.value)) return std::nullopt;
  for (int i = 0; i < count(); ++i)
    if (at(i).value.block == value.block) return i;
  return std::nullopt;
}

int BlockScene::made_by(const Operand& operand) const {
  const auto found = std::ranges::find_if(
      stages, [&](const BlockStage& each) { return each.step->output.name == operand.name; });
  return found == stages.end() ? -1 : static_cast<int>(found - stages.begin());
}

AttentionKind BlockScene::kind(const BlockStage& stage) const {
  if (encoder) return AttentionKind::encoder;
  return stage.sublayer() == 2 ? AttentionKind::cross : AttentionKind::decoder;
}

std::string BlockScene::short_name(const BlockStage& stage) const {
  switch (stage.work) {
    case BlockWork::attend:
      return "attend";
    case BlockWork::add:
      return "add";
    case BlockWork::norm:
      return "norm";
    case BlockWork::expand:
      return "× W_1";
    case BlockWork::activate:
      return std::string(stage.step->name);
    case BlockWork::contract:
      break;
  }
  return "× W_2";
}

std::string BlockScene::title(const BlockStage& stage) const {
  if (stage.work == BlockWork::attend) return "Attend and project the heads";
  return std::string(stage.step->name);
}

std::string BlockScene::sublayer_name(int sublayer) const {
  if (sublayer == sublayers(encoder)) return "Feed-forward";
  if (sublayer == 2) return "Cross-attention";
  return encoder ? "Self-attention" : "Masked self-attention";
}

std::string BlockScene::place() const {
  return std::string(encoder ? "encoder" : "decoder") + ", layer " + std::to_string(layer + 1);
}

std::optional<int> BlockScene::lit_row(const Operand& operand) const {
  if (focus && focus->words == operand.rows && focus->row < reader.extent(operand.rows)) return focus->row;
  const bool cross = shown.kind == AttentionKind::cross;
  if (operand.rows == Extent::source && !encoder) return cross ? shown.key : std::nullopt;
  const bool same_side = (shown.kind == AttentionKind::encoder) == encoder;
  const bool of_words = operand.rows == Extent::source || operand.rows == Extent::target;
  return same_side && of_words ? shown.query : std::nullopt;
}

Plane BlockScene::plane(const Operand& operand) const {
  Plane plane = reader.input().result.trace->plane(operand.name, reader.sentence());
  plane.rows = std::min(plane.rows, reader.extent(operand.rows));
  return plane;
}

}  // namespace glassformer
