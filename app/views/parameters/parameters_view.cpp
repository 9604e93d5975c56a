#include "app/views/parameters/parameters.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/inspector/pages.h"
#include "app/reading/difference.h"
#include "app/reading/walk_scene.h"
#include "app/ui/ui.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr long kAtOnce = 50000;  // numbers that are looked through within a frame

std::string short_count(long count) {
  if (count < 1000000) return format_count(count);
  return format_fixed(double(count) / 1e6, count < 10000000 ? 2 : 1) + " million";
}

// What of it training does not move.
std::string but_frozen(const ViewInput& input) {
  const bool source = is_frozen(input, true), target = is_frozen(input, false);
  if (!source && !target) return "";
  return source && target
             ? ", but for the frozen embeddings"
             : std::string(", but for the frozen embeddings of the ") + (source ? "source" : "target");
}

constexpr float kNameHeight = 52;

void draw_looking(Canvas& canvas, const Rect& area) {
  draw_nothing_yet(canvas, area, "Computing…", "The numbers of this matrix are being looked through.");
}

}  // namespace

std::unique_ptr<View> make_parameters_view() {
  return std::make_unique<ParametersView>();
}

ParametersView::ParametersView() : caches_(std::make_shared<std::array<SheetCache, kSheetKinds.size()>>()) {}

ParametersView::Parts ParametersView::parts(const Rect& area, std::size_t tree_rows) {
  const Rect content = stage_content(area);
  Parts parts;
  const float tree_width = std::clamp(std::round(content.width * 0.34f), 190.0f, 320.0f);
  const float room = content.height - kHeadingHeight;
  parts.row_height =
      std::clamp(std::floor(room / static_cast<float>(std::max<std::size_t>(tree_rows, 1))), 20.0f, 26.0f);
  parts.tree = {content.x, content.y, tree_width, content.height};

  const float x = content.x + tree_width + 40, width = content.right() - x;
  parts.name = {x, content.y, width, kNameHeight};
  const float learning = std::clamp(std::round(content.height * 0.3f), 120.0f, 190.0f);
  const float upper = content.height - kNameHeight - learning - 24;
  const float figures = std::clamp(std::round(width * 0.36f), 128.0f, 230.0f);
  parts.map = {x, content.y + kNameHeight, width - figures - 32, upper};
  parts.figures = {x + width - figures, content.y + kNameHeight, figures, upper};
  parts.learning = {x, content.bottom() - learning, width, learning};
  return parts;
}

Point ParametersView::minimum_size(const ViewInput& input) const {
  const auto rows = parameter_tree(input.snapshot.config, open_tensor(input)).size();
  return {620, std::max(540.0f, kStageTop + kHeadingHeight + 12 + 20 * static_cast<float>(rows))};
}

std::string ParametersView::open_tensor(const ViewInput& input) const {
  // A pinned weight opens its matrix.
  if (input.pinned.cell && block_of(input.snapshot.config, input.pinned.cell->name) &&
      (tensor_.empty() || input.pinned.cell->name == tensor_))
    return input.pinned.cell->name;
  if (!tensor_.empty() && block_of(input.snapshot.config, tensor_)) return tensor_;
  const auto blocks = parameter_blocks(input.snapshot.config);
  return blocks.empty() ? std::string() : blocks.front().tensors.front().name;
}

SheetKey ParametersView::sheet_key(const ViewInput& input, SheetKind kind) const {
  const SceneResult* const other = input.difference_to ? input.difference_to : input.other;
  SheetKey key{.model = sheet_model(input.snapshot, kind),
               .name = open_tensor(input),
               .beside = other ? sheet_model(*other->snapshot, kind) : nullptr,
               .difference = input.difference_to != nullptr,
               .weights = kind == SheetKind::weight};
  if (key.difference && !key.beside) key.model = nullptr;
  return key;
}

// Matrix by matrix: what the layers or the sentences have else does not matter.
std::string ParametersView::no_difference(const ViewInput& input) const {
  const std::string name = open_tensor(input);
  const auto first = find_parameter(*input.snapshot.weights, name),
             second = find_parameter(*input.difference_to->snapshot->weights, name);
  if (!second) return glassformer::no_difference("the second has no " + name);
  if (!first || first->shape == second->shape) return {};
  return glassformer::no_difference(name + " is " + format_shape(first->shape) + " in the first, " +
                                    format_shape(second->shape) + " in the second");
}

SheetCache::Found ParametersView::sheet(const ViewInput& input, SheetKind kind, bool at_once) const {
  const SheetKey key = sheet_key(input, kind);
  if (!key.model) return {};
  const auto parameter = find_parameter(*key.model, key.name);
  if (!parameter) return {};
  const int most_cells = kind == SheetKind::weight ? 256 : 128;
  SheetCache::Found found = (*caches_)[static_cast<std::size_t>(kind)].get(
      key, at_once || parameter->size() <= kAtOnce,
      [key, most_cells] { return make_sheet(key, most_cells); });
  // The last picture stays meanwhile, but never that of another matrix.
  if (!found.current && found.key.name != key.name) return {};
  return found;
}

void ParametersView::picture(Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Config& config = input.snapshot.config;
  const long all = parameter_count(config);
  const std::vector<TreeRow> rows = parameter_tree(config, open_tensor(input));
  const auto blocks =
      std::count_if(rows.begin(), rows.end(), [](const TreeRow& row) { return row.level == 0; });
  const Rect content = draw_stage_title(
      canvas, area, "Where the model keeps what it knows",
      input.difference_to
          ? kDifferenceSubtitle
          : short_count(all) + " weights in " + std::to_string(blocks) + " blocks, " +
                (input.snapshot.step == 0 ? "no training step here has moved them."
                                          : "moved by training, step by step" + but_frozen(input) + "."));
  const Parts at = parts(area, rows.size());
  draw_tree(canvas, at.tree, rows, at.row_height);

  const auto found = sheet(input, SheetKind::weight, canvas.is_file());
  if (!found.value) return draw_looking(canvas, {at.name.x, content.y, at.name.width, content.height});
  draw_weight(canvas, at, input, *found.value);
  draw_figures(canvas, at.figures, input, *found.value);
  draw_learning(canvas, at.learning, input);
}

// The open matrix alone.
void ParametersView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const Rect room = area.inset(kStagePadding);
  const auto found = sheet(input, SheetKind::weight, canvas.is_file());
  if (!found.value) return draw_looking(canvas, room);
  Parts at;
  at.name = {room.x, room.y, room.width, kNameHeight};
  constexpr float kBarWords = 16;  // what those beside its colours need more in large type
  at.map = {room.x, room.y + kNameHeight, room.width - kBarWords, room.height - kNameHeight};
  draw_weight(canvas, at, input, *found.value);
}

void ParametersView::controls(ui::Ui& ui, const ViewInput& input, const Rect& area) {
  const std::vector<TreeRow> rows = parameter_tree(input.snapshot.config, open_tensor(input));
  const Parts at = parts(area, rows.size());
  float y = at.tree.y + kHeadingHeight;
  for (const TreeRow& row : rows) {
    const Rect line{at.tree.x, y, at.tree.width, at.row_height};
    const std::string label = (row.leaf ? "tensor " : "block ") + (row.leaf ? row.tensor : row.title);
    if (ui.area(line, label).clicked && !(row.open && !row.leaf)) tensor_ = row.tensor;
    y += at.row_height;
  }
}

ViewPlace ParametersView::place(const ViewInput& input) const {
  const auto block = block_of(input.snapshot.config, open_tensor(input));
  ViewPlace place{.path = {"Parameters"}};
  if (block) place.path.push_back(block->title());
  return place;
}

std::optional<InspectorPage> ParametersView::inspect(const ViewInput& input) const {
  if (input.shown.cell && find_parameter(*input.snapshot.weights, input.shown.cell->name))
    return std::nullopt;
  const std::string name = open_tensor(input);
  const auto block = block_of(input.snapshot.config, name);
  const auto parameter = find_parameter(*input.snapshot.weights, name);
  if (!block || !parameter) return std::nullopt;

  const long all = parameter_count(input.snapshot.config);
  InspectorPage page;
  page.caption = block->title();
  page.subject = "**" + tensor_role(name) + "**";
  page.name = name;
  page.index = format_shape(parameter->shape);
  InspectorSection counts{.heading = "How many"};
  counts.rows = {{.label = "this matrix",
                  .value = format_count(parameter->size()),
                  .share = double(parameter->size()) / double(all)},
                 {.label = "its block",
                  .value = format_count(block->count()),
                  .share = double(block->count()) / double(all)},
                 {.label = "the model", .value = format_count(all), .share = 1, .emphasized = true}};
  page.sections.push_back(counts);
  if (const auto begin = beginning_of(*input.snapshot.weights, name); begin && !input.difference_to) {
    const auto found = sheet(input, SheetKind::weight, false);
    page.sections.push_back(beginning_section(as_begun(*begin, name, input.run.options), input.snapshot.step,
                                              found.current ? found.value.get() : nullptr,
                                              input.run.given_vectors && is_embedding_table(name)));
  }
  const bool table = is_embedding_table(name);
  const bool stays = table && is_frozen(input, read_name(name)->encoder);
  page.meaning = std::string("Choose a cell to see one weight. ") +
                 (stays ? "This table is frozen: training leaves it as it began."
                        : "Training moves each a little at every step, against its gradient.");
  page.paper = "Paper, section 5.3";
  return page;
}

std::vector<NumberTable> ParametersView::numbers(const ViewInput& input) const {
  NumberTable counts{.title = "parameters by block", .columns = {"count"}};
  for (const ParameterBlock& block : parameter_blocks(input.snapshot.config)) {
    counts.rows.push_back(block.title());
    counts.values.push_back({double(block.count())});
  }

  // The open tensor: its figures, kind by kind, and its numbers.
  const std::string name = open_tensor(input);
  NumberTable figures{.title = name + difference_suffix(input),
                      .columns = {"mean", "deviation", "norm", "smallest", "largest"}};
  for (const SheetKind kind : kSheetKinds) {
    const auto found = sheet(input, kind, true);
    if (!found.value) continue;
    const Summary& s = found.value->summary;
    figures.rows.push_back(sheet_title(kind));
    figures.values.push_back({s.mean, s.deviation, s.norm, s.smallest, s.largest});
  }
  NumberTable weights{.title = name + ", weights" + difference_suffix(input)};
  if (const auto parameter = find_parameter(*input.snapshot.weights, name)) {
    for (int c = 0; c < parameter->columns(); ++c) weights.columns.push_back(std::to_string(c));
    std::vector<float> difference;
    if (input.difference_to) difference = tensor_difference(sheet_key(input, SheetKind::weight));
    const float* const values = input.difference_to ? difference.data() : parameter->data;
    for (int r = 0; r < parameter->rows(); ++r) {
      const float* row = values + long(r) * parameter->columns();
      weights.rows.push_back(std::to_string(r));
      weights.values.emplace_back(row, row + parameter->columns());
    }
  }
  std::vector<NumberTable> tables{counts, figures, weights};
  if (const auto found = sheet(input, SheetKind::weight, true); found.value && !input.difference_to)
    if (const auto begin = beginning_of(*input.snapshot.weights, name))
      tables.push_back(beginning_numbers(name, as_begun(*begin, name, input.run.options), *found.value));
  return tables;
}

std::string ParametersView::caption(const ViewInput& input) const {
  const std::string name = open_tensor(input);
  const auto parameter = find_parameter(*input.snapshot.weights, name);
  std::string end = ".";
  if (const auto found = sheet(input, SheetKind::weight, true); found.value && found.value->limit > 0)
    end = ". Marked: the limits ±a = " + format_pinned(found.value->limit) + " of its Xavier beginning, " +
          share_outside(*found.value) + " outside at step " + format_count(input.snapshot.step) + ".";
  return "Parameters: " + name + (parameter ? " (" + format_shape(parameter->shape) + ")" : "") + " of " +
         format_count(parameter_count(input.snapshot.config)) + " weights" + difference_suffix(input) + end;
}

ViewTraits ParametersView::traits() const {
  const bool busy = std::ranges::any_of(*caches_, [](SheetCache& cache) { return cache.busy(); });
  return {.shows = shows,
          .shows_difference = true,
          .wants_moments = true,
          .busy = busy,
          .state = tensor_.empty() ? "first tensor" : tensor_,
          .panels = {"weights"}};
}

}  // namespace glassformer
