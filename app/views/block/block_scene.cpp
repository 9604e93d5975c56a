#include "app/views/block/block.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "engine/model/place_words.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

std::optional<BlockWork> work_of(StepKind kind) {
  switch (kind) {
    case StepKind::project_heads:
      return BlockWork::attend;
    case StepKind::add:
      return BlockWork::add;
    case StepKind::layer_norm:
    case StepKind::rms_norm:
      return BlockWork::norm;
    case StepKind::expand:
    case StepKind::expand_gate:
    case StepKind::expand_value:
      return BlockWork::expand;
    case StepKind::relu:
    case StepKind::gelu:
    case StepKind::swish:
    case StepKind::gelu_sigmoid:
      return BlockWork::activate;
    case StepKind::gated:
      return BlockWork::gate;
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
  if (at.size() != 2 || !read || !of_norm(read->value)) return std::nullopt;
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
    case BlockWork::activate:
      return std::string(stage.step->name);
    case BlockWork::gate:
      return "gate";
    case BlockWork::expand:
    case BlockWork::contract:
      break;
  }
  return "× " + stage.step->inputs[1].symbol;
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
  return std::string(encoder ? "encoder" : "decoder") + ", " + layer_words(layer);
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

namespace {

std::vector<OperandPart> parts_of(const BlockScene& scene, const BlockStage& stage) {
  const Step& step = *stage.step;
  const Operand &first = step.inputs.front(), &output = step.output;
  switch (stage.work) {
    case BlockWork::attend: {
      const AttentionValues values = StepValues(scene.reader.config()).attention(step.place);
      std::vector<OperandPart> parts = {{.operand = values.input, .row_words = true}};
      if (scene.kind(stage) == AttentionKind::cross)
        parts.push_back({.operand = values.memory, .row_words = true});
      parts.push_back({.operand = first, .before = "× V"});
      parts.push_back({.operand = output, .before = "× W_O"});
      return parts;
    }
    case BlockWork::add:
      return {{.operand = first, .row_words = true},
              {.operand = step.inputs[1], .before = "+"},
              {.operand = output, .before = "="}};
    case BlockWork::norm:
      return {{.operand = first, .row_words = true},
              {.operand = output, .before = step.inputs.size() > 2 ? "× γ + β" : "× γ"}};
    case BlockWork::expand:
    case BlockWork::contract:
      return {{.operand = first, .row_words = true},
              {.operand = output, .before = "× " + step.inputs[1].symbol}};
    case BlockWork::activate:
    case BlockWork::gate:
      break;
  }
  std::vector<OperandPart> parts;
  for (const Operand& input : step.inputs) parts.push_back({.operand = input, .row_words = true});
  parts.push_back({.operand = output, .row_words = true});
  return parts;
}

}  // namespace

OperandRow block_row(const BlockScene& scene, const BlockStage& stage) {
  OperandRow row = operand_row(scene.reader, scene.title(stage), {stage.step}, explanation(*stage.step),
                               parts_of(scene, stage));
  for (OperandPart& part : row.parts) {
    const bool here = scene.pinned && scene.pinned->column && scene.pinned->name == part.operand.name;
    part.cut_at = here ? *scene.pinned->column : 0;
  }
  return row;
}

std::vector<RowBars> row_bars(const BlockScene& scene, const BlockStage& stage) {
  const Step& step = *stage.step;
  const bool difference = scene.reader.input().difference_to != nullptr;
  const auto recorded = [&](const Operand& operand) {
    const std::vector<float> values = operand_matrix(scene.reader, operand).values;
    return std::vector<double>(values.begin(), values.end());
  };
  if (stage.work == BlockWork::norm) {
    std::vector<RowBars> bars;
    for (const Operand& each : step.also) {
      const ValueKind value = read_name(each.name)->value;
      bars.push_back({each.symbol, std::string(word_of(value)), recorded(each),
                      difference || value == ValueKind::mean, false, each});
    }
    return bars;
  }
  if (stage.work == BlockWork::add && !difference) {
    const Operand &stream = step.inputs[0], &added = step.inputs[1];
    return {{"|" + added.symbol + "| / |" + stream.symbol + "|",
             "change",
             relative_changes(scene.plane(stream), scene.plane(added)),
             false,
             true,
             {}}};
  }
  return {};
}

std::vector<UnitActivity> unit_activity(const BlockScene& scene, const BlockStage& stage) {
  return unit_activity(scene.plane(stage.step->output));
}

std::string firing_words(const FiringSummary& summary, int units) {
  return format_percent(summary.share) + " of the activations are above 0; of " + format_count(units) +
         " units " + format_count(summary.never) + " fire for no word, " + format_count(summary.always) +
         " for all.";
}

void set_looks(const Canvas& canvas, const BlockScene& scene, const BlockStage& stage,
               std::vector<OperandPart>& parts) {
  const Theme& theme = canvas.theme();
  const std::string memory = written({BlockKind::stack, ValueKind::output, true});
  const std::string looked = scene.focus && scene.focus->column ? scene.focus->name : "";
  const bool elementwise = stage.work == BlockWork::add || stage.work == BlockWork::norm ||
                           stage.work == BlockWork::activate || stage.work == BlockWork::gate;
  const bool in_all = elementwise && std::ranges::any_of(parts, [&](const OperandPart& part) {
                        return part.operand.name == looked;
                      });
  for (OperandPart& part : parts) {
    MatrixLook& look = part.look;
    look.row_labels = part.row_words;
    look.lit_row = scene.lit_row(part.operand);
    look.row_outline = !scene.encoder && part.operand.name == memory ? theme.key : theme.query;
    if (in_all || part.operand.name == looked) {
      look.lit_column = part.matrix.columns.shown(*scene.focus->column);
      look.outline_cell = look.lit_column.has_value();
    }
    look.hit = operand_hits(scene.reader, part.operand, part.matrix, false, "block " + part.operand.symbol);
  }
}

}  // namespace glassformer
