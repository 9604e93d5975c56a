#include "app/views/head/head.h"

#include <algorithm>
#include <limits>

#include "app/inspector/inspector.h"
#include "app/inspector/wider_words.h"
#include "app/reading/attention_table.h"
#include "app/reading/cell_names.h"
#include "app/reading/covered.h"
#include "app/reading/difference.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "engine/model/place_words.h"
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
  if (stage == HeadStage::softmax) return explanation(*found.front()) + sums_words();
  if (stage != HeadStage::project) return explanation(*found.front());
  std::string text;
  for (const Step* step : found) text += (text.empty() ? "" : " ") + first_sentence(explanation(*step));
  return text;
}

// What of "each row adds up to 1" does not hold for the matrix shown.
std::string HeadScene::sums_words() const {
  const ViewInput& input = reader.input();
  if (reader.config().attention_activation == AttentionActivation::relu) return {};
  if (input.difference_to) return " Shown is the difference of two such matrices.";
  const auto set = [&](const Change& change) {
    return (change.kind == ChangeKind::set_weight || change.kind == ChangeKind::edit_row) &&
           change.block.layer == shown.layer && change.head == shown.head &&
           attention_of(change.block) == shown.kind;
  };
  return std::ranges::any_of(input.result.scene.what_if.changes, set)
             ? " Behind the softmax a change sets weights of this head: its rows add up to what it gives "
               "them."
             : "";
}

std::string HeadScene::place() const {
  return head_words(shown.layer, shown.head);
}

namespace {

constexpr float kLow = 620;     // px of a stage that has no room for the line below the title
constexpr float kFolds = 540;   // that has none for the flow's pictures
constexpr float kLowest = 420;  // nor for the title

constexpr const char* kFlow = "flow";

struct HeadLayout {
  bool title = true, subtitle = true;
  Rect flow, step;
};

HeadLayout layout_of(const Rect& area) {
  HeadLayout layout;
  layout.subtitle = area.height >= kLow;
  layout.title = area.height >= kLowest;
  const Rect inner = stage_inner(area);
  const float head = layout.subtitle ? kStageTop : layout.title ? kStageTopBare : 8;
  const float top = area.y + head - 4;
  const float height = area.height < kFolds ? kFoldedFlow : std::clamp(area.height * 0.31f, 170.0f, 236.0f);
  layout.flow = {inner.x, top, inner.width, height};
  const float below = top + height + 4;
  layout.step = {inner.x, below, inner.width, area.bottom() - kTransport - below};
  return layout;
}

std::string subtitle_of(const ViewInput& input, const HeadScene& scene) {
  const std::string source = source_language(input), target = target_language(input);
  if (input.difference_to) return kDifferenceSubtitle;
  const std::string end = ": " + scene.place() + ".";
  switch (scene.shown.kind) {
    case AttentionKind::encoder:
      return "How each " + source + " word gathers information from the whole sentence" + end;
    case AttentionKind::decoder:
      return "How each " + target + " word gathers information from the words before it" + end;
    case AttentionKind::cross:
      break;
  }
  return "How each " + target + " word gathers information from the " + source + " sentence" + end;
}

}  // namespace

HeadStage HeadView::stage() const {
  return static_cast<HeadStage>(std::clamp(transport_.at, 0, kHeadStages - 1));
}

void HeadView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const HeadScene scene(input, *lists_);
  const HeadLayout layout = layout_of(area);
  if (layout.title)
    draw_stage_title(canvas, area, "One head, step by step",
                     layout.subtitle ? subtitle_of(input, scene) : "");
  draw_head_flow(canvas, head_flow(scene, layout.flow), scene, stage());
  draw_head_step(canvas, layout.step, scene, stage());
}

void HeadView::panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const HeadScene scene(input, *lists_);
  const Rect inner = area.inset(kStagePadding);
  if (name == kFlow) draw_head_flow(canvas, head_flow(scene, inner), scene, stage());
  if (name == "step") draw_head_step(canvas, inner, scene, stage());
}

void HeadView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const HeadScene scene(input, *lists_);
  const HeadLayout layout = layout_of(area);
  const HeadFlow flow = head_flow(scene, layout.flow);
  for (int i = 0; i < kHeadStages; ++i) {
    const Rect place = flow.stage[static_cast<std::size_t>(i)].inset(-6);
    const std::string label = "pipeline " + scene.short_name(static_cast<HeadStage>(i));
    if (ui.area(place, label, "button").clicked) {
      transport_.at = i;
      ui.ask_frame(0);
    }
    ui.tooltip(place, scene.title(static_cast<HeadStage>(i)));
  }
  const StageFoot foot(ui, area, kTransport);
  transport_.show(ui, foot.transport(), kHeadStages,
                  {.name = "Head", .word = "Step", .hint = "click a cell, then Enter: how it was computed"});
}

Point HeadView::minimum_size(const ViewInput&) const {
  return {610, 360};
}

ViewPlace HeadView::place(const ViewInput& input) const {
  const HeadScene scene(input, *lists_);
  const std::string block = scene.shown.kind == AttentionKind::encoder   ? "Self-attention"
                            : scene.shown.kind == AttentionKind::decoder ? "Masked self-attention"
                                                                         : "Cross-attention";
  return {.path = {scene.shown.kind == AttentionKind::encoder ? "Encoder" : "Decoder",
                   capitalized(layer_words(scene.shown.layer)), block,
                   "Head " + std::to_string(scene.shown.head + 1)}};
}

std::optional<InspectorPage> HeadView::inspect(const ViewInput& input) const {
  if (selected_cell(input.shown) || alone_ == kFlow) return std::nullopt;
  const HeadScene scene(input, *lists_);
  InspectorPage page;
  page.caption = scene.place();
  page.subject = "**" + scene.title(stage()) + "**";
  page.name = scene.result(stage()).name;
  for (const Step* step : scene.steps(stage())) {
    InspectorSection section;
    section.heading = std::string(step->name);
    section.formulas = {walk_formula(symbols_formula(*step)), walk_formula(shapes_formula(*step)),
                        walk_formula(sizes_formula(*step, scene.reader.numbers().sizes()))};
    page.sections.push_back(std::move(section));
    for (InspectorSection& wider : wider_sections(*step, scene.reader.numbers()))
      page.sections.push_back(std::move(wider));
    if (!step->section.empty()) page.paper = "Paper, section " + std::string(step->section);
  }
  page.meaning = scene.why(stage());
  return page;
}

std::vector<NumberTable> HeadView::numbers(const ViewInput& input) const {
  const HeadScene scene(input, *lists_);
  std::vector<NumberTable> tables;
  std::vector<OperandPart> parts = head_parts(scene, stage());
  if (alone_ == kFlow) {
    parts.clear();
    for (int i = 0; i < kHeadStages; ++i)
      for (OperandPart& part : head_parts(scene, static_cast<HeadStage>(i)))
        if (part.operand.name == scene.result(static_cast<HeadStage>(i)).name) parts.push_back(part);
  }
  for (const OperandPart& part : parts) {
    const MatrixNumbers matrix = operand_matrix(scene.reader, part.operand, part.transposed);
    NumberTable& table =
        tables.emplace_back(matrix_table(matrix, part.operand.symbol + (part.transposed ? "^T" : "") + " (" +
                                                     part.operand.name + ")" + difference_suffix(input)));
    for (int row = 0; row < matrix.rows.count() && !part.transposed; ++row) {
      const auto first = scene.reader.cell(part.operand, row, 0);
      std::string& name = table.rows[static_cast<std::size_t>(row)];
      if (first && is_covered(input, *first)) name = covered_name(name);
    }
  }
  return tables;
}

std::string HeadView::caption(const ViewInput& input) const {
  const HeadScene scene(input, *lists_);
  std::string title = attention_title(scene.shown.kind);
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  if (alone_ == kFlow)
    return title + ", " + scene.place() + ", in " + std::to_string(kHeadStages) + " steps" +
           difference_suffix(input) + ".";
  return title + ", " + scene.place() + ", step " + std::to_string(static_cast<int>(stage()) + 1) + " of " +
         std::to_string(kHeadStages) + ": " + scene.title(stage()) + difference_suffix(input) + ".";
}

// What each step does, where all of them are shown alone; the inspector's page is of one.
std::vector<std::string> HeadView::sentences(const ViewInput& input) const {
  if (alone_ != kFlow) return {};
  const HeadScene scene(input, *lists_);
  std::vector<std::string> all;
  for (int i = 0; i < kHeadStages; ++i) {
    const auto each = static_cast<HeadStage>(i);
    all.push_back("Step " + std::to_string(i + 1) + ", " + scene.title(each) + ": " + scene.why(each));
  }
  return all;
}

// The same shapes, and yet another product: turned queries and keys, or plain ones.
std::string HeadView::no_difference(const ViewInput& input) const {
  const std::string shapes = View::no_difference(input);
  if (!shapes.empty()) return shapes;
  const bool first = input.snapshot.config.turns_queries(),
             second = input.difference_to->snapshot->config.turns_queries();
  if (first == second) return {};
  return glassformer::no_difference(std::string("only the ") + (first ? "first" : "second") +
                                    " rotates its queries and keys");
}

// Up to the block or to the attention; deeper to the pinned number, or the first one of what this stage
// gives.
bool HeadView::key(ViewKey key, const ViewInput& input, Commands& commands) {
  if (key.typed == ViewKey::backspace) commands.push_back(OpenView{key.times == 2 ? "block" : "attention"});
  if (key.typed != ViewKey::enter) return key.typed == ViewKey::backspace;
  const HeadScene scene(input, *lists_);
  if (!input.pinned.cell) {
    const Operand& result = scene.result(stage());
    const bool pairs = result.columns == Extent::source || result.columns == Extent::target;
    const auto cell =
        scene.reader.cell(result, scene.shown.query.value_or(0), pairs ? scene.shown.key.value_or(0) : 0);
    if (cell) commands.push_back(SetPin{selecting(input.pinned, *cell)});
  }
  commands.push_back(OpenView{"cell"});
  return true;
}

// The attention with all its heads; the layer's name in the breadcrumb leads to the block around it.
ViewTraits HeadView::traits() const {
  return {.shows = in_attention,
          .shows_weights = true,
          .follows_kind = true,
          .shows_difference = true,
          .state = "step " + std::to_string(transport_.at + 1) + (transport_.playing() ? ", playing" : ""),
          .panels = {kFlow, "step"}};
}

std::unique_ptr<View> make_head_view() {
  return std::make_unique<HeadView>();
}

}  // namespace glassformer
