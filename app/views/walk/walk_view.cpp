#include "app/views/walk/walk.h"

#include <algorithm>
#include <limits>

#include "app/inspector/walk_pages.h"
#include "app/reading/covered.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/step_transport.h"
#include "engine/model/steps/step_formula.h"
#include "engine/model/transformer.h"

namespace glassformer {

namespace {

constexpr float kWindows = 32;  // and for the sliders of long axes

std::string joined_path(const Step& step, const char* between) {
  std::string text;
  for (const std::string& part : step_path(step)) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string in_layer_of(bool encoder, int layer, BlockKind block, ValueKind value, int sublayer = 0) {
  return written({block, value, encoder, layer, sublayer});
}

// The last block of a layer, the one that hands on.
std::string end_of_layer(const Config& config, bool encoder, int layer) {
  if (layer < 0) return written({BlockKind::embedding, ValueKind::embedding, encoder});
  if (config.norm == NormPlace::pre)
    return in_layer_of(encoder, layer, BlockKind::feed_forward, ValueKind::hidden);
  return in_layer_of(encoder, layer, BlockKind::add_norm, ValueKind::normed, encoder ? 2 : 3);
}

std::string end_of_stack(const Config& config, bool encoder) {
  return end_of_layer(config, encoder, (encoder ? config.encoder_layers : config.decoder_layers) - 1);
}

// A value of the block that a weight belongs to.
std::string value_near_weight(const Config& config, const std::string& weight) {
  ValueName near = read_name(weight).value_or(ValueName());
  switch (near.block) {
    case BlockKind::embedding:
    case BlockKind::embedding_norm:
      near.block = BlockKind::embedding;
      near.value = near.value == ValueKind::position_table ? ValueKind::positions : ValueKind::embedding;
      return written(near);
    case BlockKind::self_attention:
    case BlockKind::cross_attention:
      near.value = ValueKind::output;
      return written(near);
    case BlockKind::feed_forward:
      near.value = ValueKind::hidden;
      return written(near);
    case BlockKind::add_norm:
      near.value = ValueKind::normed;
      return written(near);
    case BlockKind::final_norm:
      return end_of_stack(config, near.encoder);
    default:
      return written({BlockKind::output, ValueKind::logits});
  }
}

// A value of the block where a step takes place; on the way back, what it gives may belong to the one before.
std::string value_of_block(const Step& step, const Config& config, const ChosenWeight& weight) {
  const StepPlace& place = step.place;
  const bool pre = config.norm == NormPlace::pre;
  const int sublayers = place.encoder ? 2 : 3;
  const bool norms = is_norm(step.pattern.kind) || is_norm_backward(step.pattern.kind);
  const auto block_of = [&](int sublayer) {
    if (sublayer == sublayers)
      return in_layer_of(place.encoder, place.layer, BlockKind::feed_forward, ValueKind::hidden);
    const BlockKind attention = sublayer == 1 ? BlockKind::self_attention : BlockKind::cross_attention;
    return in_layer_of(place.encoder, place.layer, attention, ValueKind::output);
  };
  using enum StepBlock;
  switch (place.block) {
    case embedding:
      if (const auto made = read_name(step.output.name); made && made->value == ValueKind::positions)
        return step.output.name;
      return written({BlockKind::embedding, ValueKind::embedding, place.encoder});
    case self_attention:
    case cross_attention:
    case feed_forward:
      return place.phase == StepPhase::forward ? step.output.name : block_of(place.sublayer);
    case add_norm:
      // Where norms come first, the map's strip is the norm alone and what is added is its block's result.
      if (pre && !norms) return block_of(place.sublayer);
      return in_layer_of(place.encoder, place.layer, BlockKind::add_norm, ValueKind::normed, place.sublayer);
    case stack_end:
      return place.layer >= 0 ? end_of_layer(config, place.encoder, place.layer)
                              : end_of_stack(config, place.encoder);
    case output:
    case loss:
      return written({BlockKind::output, ValueKind::logits});
    case adam:
      return value_near_weight(config, weight.name);
  }
  return step.output.name;
}

std::string weight_place(const ChosenWeight& weight) {
  return weight.name + ", row " + std::to_string(weight.row) + ", column " + std::to_string(weight.column);
}

// Which weight it is, and what the model does not know about it.
std::string update_note(const WalkScene& scene) {
  std::string note = "For one weight of many: " + weight_place(scene.weight) +
                     ". Click any cell of a weight matrix to follow that one instead.";
  if (scene.frozen)
    note += " This table is frozen: the weight stays as it is, and w′ is what Adam would make of it.";
  switch (scene.moments) {
    case Moments::there:
      break;
    case Moments::earlier:
      note +=
          " Of earlier steps only the weights are kept, not Adam’s m and v: those stand at the newest step.";
      break;
    case Moments::coming:
      note += " Adam’s m and v come with the next state of the run.";
      break;
    case Moments::anew:
      note +=
          " A model is opened with its weights alone. So this is Adam’s first step anew: m and v come from "
          "0, "
          "the learning rate from the schedule’s beginning.";
  }
  return note;
}

TextStyle words_style(const Canvas& canvas) {
  return {.size = 14, .color = canvas.theme().second_text};
}

}  // namespace

// Words are broken so that they are seen whole, also where the picture is wider than the window.
float WalkView::words_width(const Rect& inner) const {
  const float seen = seen_ > 0 ? seen_ - 2 * kStagePadding : inner.width;
  return std::min({inner.width, seen, 860.0f});
}

const Step* WalkView::current(const WalkScene& scene) const {
  if (scene.steps.empty()) return nullptr;
  return &scene.steps[static_cast<std::size_t>(std::clamp(step_, 0, last(scene)))];
}

int WalkView::step_count(const ViewInput& input) const {
  const auto shown = scene(input);
  return shown ? static_cast<int>(shown->steps.size()) : 0;
}

// The pinned weight is the one whose update is shown, and stays it until another is pinned.
std::shared_ptr<const WalkScene> WalkView::scene(const ViewInput& input) const {
  const auto of_weight = [](const std::string& name) {
    const std::optional<ValueName> read = read_name(name);
    return read && is_parameter(read->value);
  };
  if (input.pinned.cell && of_weight(input.pinned.cell->name) && input.pinned.cell->index.size() <= 2) {
    const CellRef& cell = *input.pinned.cell;
    const ChosenWeight pinned{cell.name, cell.index.size() == 2 ? cell.index[0] : 0,
                              cell.index.empty() ? 0 : cell.index.back()};
    if (has_weight(*input.snapshot.weights, pinned)) return walk_scene(*cache_, input, pinned);
  }
  return walk_scene(*cache_, input, weight_);
}

std::optional<StoredCell> WalkView::shown_cell(const WalkScene& scene, const ViewInput& input) const {
  return input.shown.cell ? scene.reader().stored(*input.shown.cell) : std::nullopt;
}

void WalkView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const auto found = scene(input);
  if (!found || current(*found) == nullptr) {
    return draw_nothing_yet(canvas, area, "Running the sentence forward and backward",
                            "Every value and every gradient of it will stand here in a moment.");
  }
  const Step& step = *current(*found);
  draw_stage_title(canvas, area, std::string(step.name), "");

  // Why it is there, then the formula and the numbers.
  const Rect inner = stage_inner(area);
  const float width = words_width(inner), top = area.y + kStageTopBare;
  const float used = paragraph(canvas, {inner.x, top}, width, explanation(step), words_style(canvas));
  if (step.place.phase == StepPhase::update)
    paragraph(canvas, {inner.x, top + used + 8}, width, update_note(*found), caption_style(canvas));
  draw_step(canvas, input, found, step_area(canvas, *found, area), true);
}

void WalkView::draw_step(Canvas& canvas, const ViewInput& input,
                         const std::shared_ptr<const WalkScene>& scene, const Rect& area, bool sizes) const {
  const std::vector<WalkSummary> summaries =
      walk_summaries(*summaries_, scene, std::clamp(step_, 0, last(*scene)), canvas.is_file());
  draw_walk_step(canvas, area,
                 {.scene = scene,
                  .step = *current(*scene),
                  .window = window_,
                  .pinned = input.pinned,
                  .summaries = summaries,
                  .cell = shown_cell(*scene, input),
                  .sizes = sizes});
}

void WalkView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const auto found = scene(input);
  if (!found || current(*found) == nullptr) return picture(canvas, input, area);
  const Rect inner = area.inset(kStagePadding);
  const Step& step = *current(*found);
  const std::string of = step.place.phase == StepPhase::update ? weight_place(found->weight) : "";
  draw_heading(canvas, inner, step.name, {.note = of});
  draw_step(canvas, input, found, {inner.x, inner.y + 28, inner.width, inner.height - 28}, false);
}

Rect WalkView::step_area(const Canvas& canvas, const WalkScene& scene, const Rect& area) const {
  const Step& step = *current(scene);
  const Rect inner = stage_inner(area);
  const TextStyle body = words_style(canvas);
  float used = paragraph_height(canvas, words_width(inner), explanation(step), body);
  if (step.place.phase == StepPhase::update)
    used += 8 + paragraph_height(canvas, words_width(inner), update_note(scene), caption_style(canvas));
  const float y = area.y + kStageTopBare + std::max(used, 2 * body.size * kLineHeight) + 12;
  const float below = kTransport + (walk_stretches(scene, step).empty() ? 0 : kWindows);
  return {inner.x, y, inner.width, area.bottom() - below - y - 8};
}

Point WalkView::minimum_size(const ViewInput& input) const {
  const auto found = scene(input);
  const Step* step = found ? current(*found) : nullptr;
  return step != nullptr ? walk_minimum(*found, *step, width_) : Point{560, 400};
}

ViewPlace WalkView::place(const ViewInput& input) const {
  const auto found = scene(input);
  ViewPlace place{.path = {"Walk"}};
  const Step* step = found ? current(*found) : nullptr;
  if (step == nullptr) return place;
  for (const std::string& part : step_path(*step)) place.path.push_back(part);
  place.path.emplace_back(step->name);
  place.computing = value_of_block(*step, found->weights->config, found->weight);
  return place;
}

std::optional<InspectorPage> WalkView::inspect(const ViewInput& input) const {
  const auto found = scene(input);
  if (!found || current(*found) == nullptr) return std::nullopt;
  const Step& step = *current(*found);
  if (const auto cell = shown_cell(*found, input))
    return walk_cell_page(input, *found, step, *cell,
                          input.shown.cell == input.pinned.cell ? checks_.get() : nullptr);
  return walk_step_page(*found, step);
}

std::vector<NumberTable> WalkView::numbers(const ViewInput& input) const {
  const auto found = scene(input);
  std::vector<NumberTable> tables;
  const Step* step = found ? current(*found) : nullptr;
  if (step == nullptr) return tables;
  const auto add = [&](const Operand& operand) {
    const WalkPanel panel = walk_panel(*found, *step, operand, window_);
    if (panel.values.empty()) return;
    NumberTable& table = tables.emplace_back();
    table.title = operand.symbol + " (" + operand.name + ")";
    const auto labels = [](const WalkAxis& axis) {
      std::vector<std::string> all = axis.labels;
      for (std::size_t i = all.size(); i < axis.shown.size(); ++i)
        all.push_back(std::to_string(axis.shown[i]));
      return all;
    };
    table.rows = labels(panel.rows);
    table.columns = labels(panel.columns);
    for (std::size_t i = 0; i < panel.rows.shown.size(); ++i) {
      std::vector<double>& row = table.values.emplace_back();
      for (std::size_t j = 0; j < panel.columns.shown.size(); ++j)
        row.push_back(static_cast<double>(panel.at(i, j)));
      if (panel.columns.shown.empty()) continue;
      const auto first = found->reader().shown(panel.stored(input.snapshot.config, i, 0));
      if (!first || !is_covered(input, *first)) continue;
      std::ranges::fill(row, std::numeric_limits<double>::quiet_NaN());
      if (i < table.rows.size()) table.rows[i] = covered_name(table.rows[i]);
    }
  };
  for (const WalkOperand& operand : walk_operands(*step)) add(operand.operand);
  return tables;
}

std::string WalkView::caption(const ViewInput& input) const {
  const auto found = scene(input);
  const Step* step = found ? current(*found) : nullptr;
  if (step == nullptr) return {};
  return joined_path(*step, ", ") + ": " + std::string(step->name) + ", " + symbols_formula(*step) + ".";
}

ViewTraits WalkView::traits() const {
  return {.shows = [](const CellRef&) { return true; },
          .wants_gradients = true,
          .wants_moments = true,
          .state = "step " + std::to_string(step_) + (playing_ ? ", playing" : ""),
          .panels = {"step"}};
}

std::unique_ptr<View> make_walk_view() {
  return std::make_unique<WalkView>();
}

}  // namespace glassformer
