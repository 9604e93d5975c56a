#include "app/views/block/block.h"

#include <algorithm>

#include "app/inspector/wider_words.h"
#include "app/reading/difference.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "engine/model/place_words.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kLowStage = 620;  // px of a stage that has no room for the line below the title

struct BlockLayout {
  bool subtitle = true;
  Rect flow, step, transport;
};

BlockLayout layout_of(const Rect& area) {
  BlockLayout layout;
  layout.subtitle = area.height >= kLowStage;
  const Rect inner = stage_inner(area);
  const float top = area.y + (layout.subtitle ? kStageTop : kStageTopBare);
  const float height = std::clamp(area.height * 0.24f, 112.0f, kBlockFlow);
  layout.flow = {inner.x, top, inner.width, height};
  const float below = top + height + 8;
  layout.step = {inner.x, below, inner.width, area.bottom() - kTransport - below};
  layout.transport = {inner.x, area.bottom() - 44, inner.width, 32};
  return layout;
}

std::string subtitle_of(const ViewInput& input, const BlockScene& scene) {
  if (input.difference_to) return kDifferenceSubtitle;
  const std::string word = scene.encoder ? source_language(input) : target_language(input);
  return "What each " + word + " word is on its way through the " + scene.place() +
         ": every part adds to it.";
}

}  // namespace

int BlockView::stage(const BlockScene& scene) const {
  const AttentionKind kind = scene.reader.input().pinned.kind;
  if (chosen_ && chosen_->value && chosen_->kind.value_or(kind) == kind)
    if (const auto found = scene.stage_of(*chosen_->value)) return *found;
  return scene.stage_of(value_in(kind, scene.layer, ValueKind::output)).value_or(0);
}

void BlockView::choose(const BlockScene& scene, int stage) {
  chosen_ = Chosen{scene.at(stage).value, scene.reader.input().pinned.kind};
}

void BlockView::open_cell(const CellRef& cell) {
  chosen_ = Chosen{read_name(cell.name), std::nullopt};
}

int BlockView::step_count(const ViewInput& input) const {
  return BlockScene(input, *lists_).count();
}

void BlockView::show_step(const ViewInput& input, int stage) {
  choose(BlockScene(input, *lists_), stage);
}

void BlockView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const BlockScene scene(input, *lists_);
  const BlockLayout layout = layout_of(area);
  draw_stage_title(canvas, area, "One block, step by step", layout.subtitle ? subtitle_of(input, scene) : "");
  const int current = stage(scene);
  draw_block_flow(canvas, block_flow(scene, layout.flow), scene, current);
  draw_block_step(canvas, layout.step, scene, scene.at(current));
}

void BlockView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const BlockScene scene(input, *lists_);
  draw_block_part(canvas, area.inset(kStagePadding), scene, scene.at(stage(scene)));
}

// Shift and an arrow: the number beside the pinned one, so that large matrices go along.
void BlockView::to_neighbour(ui::Ui& ui, const BlockScene& scene) {
  const Selection& pinned = scene.reader.input().pinned;
  if (ui.field_active() || ui.popup.is_open() || !ui.shift() || !pinned.cell || !scene.focus) return;
  if (!scene.focus->column || pinned.cell->name != scene.focus->name) return;
  CellRef cell = *pinned.cell;
  if (ui.pressed(ui::Key::right)) ++cell.index.back();
  if (ui.pressed(ui::Key::left)) --cell.index.back();
  if (cell != *pinned.cell && scene.reader.stored(cell)) ui.push(SetPin{selecting(pinned, cell)});
}

void BlockView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const BlockScene scene(input, *lists_);
  to_neighbour(ui, scene);
  const BlockLayout layout = layout_of(area);
  const int current = stage(scene);
  if (chosen_) choose(scene, current);
  transport_.at = current;

  const BlockFlow flow = block_flow(scene, layout.flow);
  int wanted = current;
  for (int i = 0; i < scene.count(); ++i) {
    const Rect place = flow.stage[static_cast<std::size_t>(i)].inset(-6);
    const std::string label = "block step " + std::to_string(i + 1);
    if (ui.area(place, label, "button").clicked) wanted = i;
    ui.tooltip(place, scene.title(scene.at(i)) + ", " + scene.sublayer_name(scene.at(i).sublayer()));
  }
  // A head of the attention leads to its pipeline.
  const std::vector<Rect> heads = block_heads(ui.canvas(), layout.step, scene, scene.at(current));
  for (std::size_t head = 0; head < heads.size(); ++head) {
    const std::string label = "open head " + std::to_string(head + 1);
    if (ui.area(heads[head], label, "button").clicked) {
      Selection selection = of_kind(input.pinned, scene.kind(scene.at(current)));
      selection.layer = scene.layer;
      selection.head = static_cast<int>(head);
      selection.cell.reset();
      ui.push(SetPin{selection});
      ui.push(OpenView{"head"});
    }
    ui.tooltip(heads[head], "Head " + std::to_string(head + 1) + ": click opens it");
  }
  transport_.show(ui, layout.transport, scene.count(),
                  {.name = "Block", .word = "Step", .hint = "click a cell, then Enter: how it was computed"});
  if (transport_.at != current) wanted = transport_.at;
  if (wanted == current) return;
  choose(scene, wanted);
  ui.ask_frame(0);
}

Point BlockView::minimum_size(const ViewInput& input) const {
  const std::size_t words = std::max(source_words(input, input.pinned.sentence).size(),
                                     target_in_words(input, input.pinned.sentence).size());
  return {440, words <= 16 ? 480.0f : 600.0f};
}

ViewPlace BlockView::place(const ViewInput& input) const {
  const BlockScene scene(input, *lists_);
  const BlockStage& current = scene.at(stage(scene));
  return {.path = {scene.encoder ? "Encoder" : "Decoder", capitalized(layer_words(scene.layer)),
                   scene.sublayer_name(current.sublayer()), scene.title(current)},
          .computing = current.step->output.name};
}

std::optional<InspectorPage> BlockView::inspect(const ViewInput& input) const {
  if (input.shown.cell) return std::nullopt;
  const BlockScene scene(input, *lists_);
  const BlockStage& current = scene.at(stage(scene));
  InspectorPage page;
  page.caption = scene.place();
  page.subject = "**" + scene.title(current) + "**";
  page.name = current.step->output.name;
  InspectorSection section;
  section.heading = scene.sublayer_name(current.sublayer());
  section.formulas = {walk_formula(symbols_formula(*current.step)),
                      walk_formula(shapes_formula(*current.step)),
                      walk_formula(sizes_formula(*current.step, scene.reader.numbers().sizes()))};
  page.sections.push_back(std::move(section));
  if (current.work == BlockWork::activate) {
    const std::vector<UnitActivity> units = unit_activity(scene, current);
    InspectorSection firing;
    firing.heading = "Which units fire";
    firing.text = firing_words(firing_summary(units, scene.plane(current.step->output).rows),
                               static_cast<int>(units.size()));
    page.sections.push_back(std::move(firing));
  }
  for (InspectorSection& wider : wider_sections(*current.step, scene.reader.numbers()))
    page.sections.push_back(std::move(wider));
  page.meaning = explanation(*current.step);
  if (!current.step->section.empty()) page.paper = "Paper, section " + std::string(current.step->section);
  return page;
}

std::vector<NumberTable> BlockView::numbers(const ViewInput& input) const {
  const BlockScene scene(input, *lists_);
  const BlockStage& current = scene.at(stage(scene));
  std::vector<NumberTable> tables;
  for (const OperandPart& part : block_row(scene, current).parts)
    tables.push_back(
        matrix_table(operand_matrix(scene.reader, part.operand),
                     part.operand.symbol + " (" + part.operand.name + ")" + difference_suffix(input)));
  for (const RowBars& bars : row_bars(scene, current)) {
    NumberTable& table = tables.emplace_back();
    table.title =
        bars.word + " (" + (bars.value ? bars.value->name : bars.symbol) + ")" + difference_suffix(input);
    table.columns = {bars.word};
    table.rows = scene.reader.words(scene.stream, false);
    for (const double value : bars.values) table.values.push_back({value});
  }
  if (current.work != BlockWork::activate || input.difference_to) return tables;
  NumberTable& table = tables.emplace_back();
  table.title = "words that each unit fires for";
  table.columns = {"words"};
  const std::vector<UnitActivity> units = unit_activity(scene, current);
  for (std::size_t unit = 0; unit < units.size(); ++unit) {
    table.rows.push_back(std::to_string(unit));
    table.values.push_back({static_cast<double>(units[unit].firing)});
  }
  return tables;
}

std::string BlockView::caption(const ViewInput& input) const {
  const BlockScene scene(input, *lists_);
  const int current = stage(scene);
  std::string place = scene.place();
  place[0] = static_cast<char>(place[0] - 'a' + 'A');
  return place + ", " + scene.sublayer_name(scene.at(current).sublayer()) + ", step " +
         std::to_string(current + 1) + " of " + std::to_string(scene.count()) + ": " +
         scene.title(scene.at(current)) + difference_suffix(input) + ".";
}

std::string BlockView::no_difference(const ViewInput& input) const {
  const std::string layers = View::no_difference(input);
  if (!layers.empty()) return layers;
  const Config &first = input.snapshot.config, &second = input.difference_to->snapshot->config;
  if (first.norm_kind != second.norm_kind)
    return glassformer::no_difference("the first has " + std::string(norm_traits(first.norm_kind).name) +
                                      ", the second " + std::string(norm_traits(second.norm_kind).name));
  if (first.feed_forward != second.feed_forward)
    return glassformer::no_difference(
        "the feed-forward of the first is " + std::string(feed_forward_traits(first.feed_forward).name) +
        ", of the second " + std::string(feed_forward_traits(second.feed_forward).name));
  if (first.norm == second.norm) return glassformer::no_difference(unlike("units", first.d_ff, second.d_ff));
  const bool post = first.norm == NormPlace::post;
  return glassformer::no_difference(std::string("the first normalizes ") + (post ? "after" : "before") +
                                    " each part, the second " + (post ? "before" : "after") + " it");
}

// The pinned number, or the head behind an attention, or the first number of what this stage gives.
bool BlockView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed != ViewKey::enter) return false;
  const BlockScene scene(input, *lists_);
  const BlockStage& current = scene.at(stage(scene));
  if (current.work == BlockWork::attend && !input.pinned.cell) {
    Selection selection = of_kind(input.pinned, scene.kind(current));
    selection.layer = scene.layer;
    selection.head = std::max(0, selection.head);
    commands.push_back(SetPin{selection});
    commands.push_back(OpenView{"head"});
    return true;
  }
  if (!input.pinned.cell) {
    const Operand& output = current.step->output;
    const auto cell = scene.reader.cell(output, scene.lit_row(output).value_or(0), 0);
    if (cell) commands.push_back(SetPin{selecting(input.pinned, *cell)});
  }
  commands.push_back(OpenView{"cell"});
  return true;
}

bool BlockView::shows(const CellRef& cell) {
  if (cell.gradient) return false;
  const std::optional<ValueName> read = read_name(cell.name);
  if (!read) return false;
  if (in_layer(read->block)) return cell.index.size() < 4;
  const bool memory = read->block == BlockKind::stack && read->encoder;
  return memory || (read->block == BlockKind::embedding && read->value == ValueKind::input);
}

ViewTraits BlockView::traits() const {
  const std::string part = !chosen_         ? "attention"
                           : chosen_->value ? name_in_layer(*chosen_->value)
                                            : std::string();
  return {.shows = shows,
          .shows_block = true,
          .shows_difference = true,
          .state = part + (transport_.playing() ? ", playing" : ""),
          .panels = {"step"}};
}

std::unique_ptr<View> make_block_view() {
  return std::make_unique<BlockView>();
}

}  // namespace glassformer
