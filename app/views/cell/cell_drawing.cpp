#include "app/views/cell/cell.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/covered.h"
#include "app/views/common/stage_text.h"
#include "app/views/common/walk_rule.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr int kMostTerms = 16, kOneByOne = 12;  // moments of the running sum
constexpr int kShownTerms = 8, kShownColumns = 6, kShownRows = 10;
constexpr float kTitle = 22, kCellFoot = 22, kColorBar = 40;

// The part of an axis around the place that is looked at, with its words.
MatrixAxis axis_around(const StepReader& reader, const Operand& operand, bool columns, int most, int place) {
  const Extent extent = columns ? operand.columns : operand.rows;
  MatrixAxis axis = part_of_axis(whole_axis(reader.extent(extent)), most, place);
  const bool words = extent == Extent::source || extent == Extent::target || extent == Extent::source_vocab ||
                     extent == Extent::target_vocab;
  if (words)
    for (const int at : axis.places) axis.labels.push_back(reader.word(operand, columns, at));
  return axis;
}

Color outline_of(const Theme& theme, const Operand& operand) {
  const Color frame = walk_colors(theme, operand).frame;
  return frame == theme.second_text ? theme.ink : frame;
}

void draw_title(Canvas& canvas, Point at, float width, const Operand& operand, bool transposed,
                const MatrixNumbers& matrix) {
  const std::string_view letter = without_prime(operand.symbol);
  const Badge badge = letter == "Q"   ? Badge::query
                      : letter == "K" ? Badge::key
                      : letter == "V" ? Badge::value
                                      : Badge::none;
  float x = at.x;
  if (badge != Badge::none) {
    draw_badge(canvas, {x + 8, at.y}, badge, 16);
    x += 22;
  }
  const Formula symbol = walk_formula(operand.symbol + (transposed ? "ᵀ" : ""));
  x += draw_formula(canvas, {x, at.y}, symbol, {.size = 14, .color = canvas.theme().ink}).width + 8;
  const TextStyle axes = caption_style(canvas);
  std::string text = axes_text(operand, transposed, matrix.rows.total, matrix.columns.total);
  if (matrix.factor > 1) text += (text.empty() ? "× " : ", × ") + format_count(std::llround(matrix.factor));
  text = elided(canvas, text, axes, at.x + width - x);
  canvas.text({x, at.y}, text, axes);
  const float end_value = canvas.measure(format_short(-matrix.limit), index_style(canvas)).x + 12;
  x += canvas.measure(text, axes).x + 12 + end_value;
  if (x + kColorBar + end_value <= at.x + width)
    draw_color_bar_across(canvas, {x, at.y - 5, kColorBar, 10}, matrix.scale, matrix.limit);
}

// The four stages, ticked off one after another.
void draw_stages(Canvas& canvas, Point at, const CellProgress& progress) {
  constexpr std::array kNames = {"Outline", "Products", "Running sum", "Value lands"};
  const Theme& theme = canvas.theme();
  for (int i = 0; i < kCellStages; ++i) {
    const Point middle{at.x + 9, at.y + 10 + 26 * static_cast<float>(i)};
    const int now = static_cast<int>(progress.stage);
    const bool current = i == now, done = i < now;
    canvas.circle(middle, 9, current ? theme.ink : theme.paper,
                  {.color = i > now ? theme.control : theme.ink, .width = 1});
    if (done) {
      draw_mark(canvas, middle, Mark::tick, theme.ink, 8);
    } else {
      canvas.text(middle, std::to_string(i + 1),
                  {.font = Font::mono,
                   .size = 11,
                   .color = current ? theme.on_ink : theme.faint_text,
                   .x = AlignX::center});
    }
    canvas.text({at.x + 26, middle.y}, kNames[static_cast<std::size_t>(i)],
                {.font = current ? Font::semibold : Font::regular,
                 .size = 14,
                 .color = i > now ? theme.faint_text : theme.ink});
  }
}

// Whose matrices are shown: of several products the chosen one, or the one that the running sum is at.
const CellProduct& shown_product(const CellWork& work, const CellShown& shown) {
  if (shown.progress.stage == CellStage::sum) {
    for (const CellProduct& each : work.products)
      if (shown.progress.terms <= each.first + each.count) return each;
  }
  const auto last = static_cast<int>(work.products.size()) - 1;
  return work.products[static_cast<std::size_t>(std::clamp(shown.product, 0, last))];
}

struct ProductMatrices {
  const CellProduct& product;
  const Operand &left, &right;
  MatrixAxis rows, columns, inner;
  MatrixNumbers a, b, result;
};

ProductMatrices product_matrices(const CellScene& scene, const CellShown& shown, int most_rows) {
  const StepReader& reader = scene.reader;
  const CellProgress& progress = shown.progress;
  const CellProduct& product = shown_product(scene.work(), shown);
  const Operand &left = scene.step->inputs[static_cast<std::size_t>(product.left)],
                &right = scene.step->inputs[static_cast<std::size_t>(product.right)];
  const MatrixAxis rows = axis_around(reader, scene.operand, false, most_rows, scene.row);
  const MatrixAxis columns = axis_around(reader, scene.operand, true, kShownColumns, scene.column);
  const int at = progress.stage == CellStage::sum ? progress.terms - 1 - product.first : shown.first_row;
  const MatrixAxis inner = axis_around(reader, left, !product.left_transposed, kShownTerms, at);
  return {product,
          left,
          right,
          rows,
          columns,
          inner,
          operand_matrix(reader, left, product.left_transposed, rows, inner),
          operand_matrix(reader, right, product.right_transposed, inner, columns),
          operand_matrix(reader, scene.operand, false, rows, columns)};
}

void draw_product(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown) {
  const StepReader& reader = scene.reader;
  const CellProgress& progress = shown.progress;
  const auto [product, left, right, rows, columns, inner, a, b, result] =
      product_matrices(scene, shown, area.height < 420 ? 7 : kShownRows);
  const int row = scene.row, column = scene.column;

  const auto count = [](const MatrixAxis& axis) { return static_cast<float>(axis.count()); };
  const float labels = matrix_label_width(canvas, a), above_labels = matrix_label_width(canvas, b);
  const float between = above_labels + 24, head = kTitle + kMatrixLabels, gap = 14;
  const float down = area.height - head - gap - kCellFoot - 40, across = area.width - labels - between - 36;
  const float pitch_y = std::min(26.0f, std::floor(std::max(2.0f, down / (count(rows) + count(inner)))));
  const float pitch_x = std::min(40.0f, std::floor(std::max(2.0f, across / (count(inner) + count(columns)))));
  const Point above_size = matrix_size(b, {pitch_x, pitch_y}), left_size = matrix_size(a, {pitch_x, pitch_y});
  const Point corner{area.x + labels + left_size.x + between, area.y + head + above_size.y + gap};
  const Point left_at{area.x + labels, corner.y};

  const Theme& theme = canvas.theme();
  const std::optional<int> lit_row = rows.shown(row), lit_column = columns.shown(column);
  draw_matrix(canvas, left_at, {pitch_x, pitch_y}, a,
              {.lit_row = lit_row,
               .row_outline = outline_of(theme, left),
               .pale = true,
               .hit = operand_hits(reader, left, a, product.left_transposed, "left")});
  draw_title(canvas, {area.x, corner.y - kMatrixLabels - 12}, labels + left_size.x + 16, left,
             product.left_transposed, a);
  draw_matrix(canvas, {corner.x, area.y + head}, {pitch_x, pitch_y}, b,
              {.lit_column = lit_column,
               .column_outline = outline_of(theme, right),
               .pale = true,
               .hit = operand_hits(reader, right, b, product.right_transposed, "above")});
  draw_title(canvas, {corner.x, area.y + 10}, area.right() - corner.x, right, product.right_transposed, b);
  const bool landed = progress.stage == CellStage::value;
  const MatrixPlace place =
      draw_matrix(canvas, corner, {pitch_x, pitch_y}, result,
                  {.row_labels = false,
                   .column_labels = false,
                   .lit_row = lit_row,
                   .lit_column = lit_column,
                   .outline_cell = true,
                   .computed = landed ? -1 : lit_row.value_or(0) * columns.count() + lit_column.value_or(0),
                   .hit = operand_hits(reader, scene.operand, result, false, "result")});
  draw_title(canvas, {corner.x, place.cells.bottom() + 14}, area.right() - corner.x, scene.operand, false,
             result);
  // Where the two lead to.
  const Rect cell = place.cell(lit_row.value_or(0), lit_column.value_or(0));
  canvas.line({left_at.x + left_size.x + 3, cell.center().y}, {corner.x - 5, cell.center().y},
              {.color = outline_of(theme, left), .width = 1.5f, .dashed = true});
  canvas.line({cell.center().x, area.y + head + above_size.y + 3}, {cell.center().x, corner.y - 4},
              {.color = outline_of(theme, right), .width = 1.5f, .dashed = true});
  const float free_height = corner.y - kMatrixLabels - 26 - area.y;
  if (free_height >= 108 && left_size.x + labels >= 150) draw_stages(canvas, {area.x, area.y}, progress);
}

struct Stacked {
  const Operand* operand;
  CellReads reads;
  bool result = false;
};

// Inputs above, the result below, each around the cells that count.
std::vector<Stacked> stack_of(const CellScene& scene) {
  std::vector<Stacked> stack;
  if (scene.step != nullptr) {
    for (std::size_t i = 0; i < scene.step->inputs.size() && stack.size() < 3; ++i) {
      const Operand& input = scene.step->inputs[i];
      const CellReads& reads = scene.sheet().reads[i];
      if (reads.any && input.store != OperandStore::ids) stack.push_back({&input, reads});
    }
  }
  stack.push_back({&scene.operand, {.any = true, .first = {.row = scene.row, .column = scene.column}}, true});
  return stack;
}

MatrixNumbers stacked_matrix(const CellScene& scene, const Stacked& each, int most_rows, int column) {
  const MatrixAxis rows = axis_around(scene.reader, *each.operand, false, most_rows, each.reads.first.row);
  const MatrixAxis columns = axis_around(scene.reader, *each.operand, true, 12, column);
  return operand_matrix(scene.reader, *each.operand, false, rows, columns);
}

int stacked_column(const CellScene& scene, const Stacked& each) {
  const bool elsewhere = each.reads.one_column || scene.own_column() < 0;
  return elsewhere ? each.reads.first.column : scene.column;
}

void draw_stack(Canvas& canvas, const Rect& area, const CellScene& scene, const CellProgress& progress) {
  const std::vector<Stacked> stack = stack_of(scene);
  const float share = area.height / static_cast<float>(stack.size());
  for (std::size_t i = 0; i < stack.size(); ++i) {
    const Stacked& each = stack[i];
    const float top = area.y + share * static_cast<float>(i);
    const float room = share - kTitle - kMatrixLabels - 14;
    const int most_rows = std::clamp(static_cast<int>(room / 18), 1, 8);
    const int column = stacked_column(scene, each);
    const MatrixNumbers matrix = stacked_matrix(scene, each, most_rows, column);
    if (matrix.values.empty()) continue;
    const MatrixAxis &rows = matrix.rows, &columns = matrix.columns;
    const float labels = each.operand->rows == Extent::one ? 0 : matrix_label_width(canvas, matrix);
    const Point pitch{std::floor(pitch_for(area.width - labels - 8, columns, 48)),
                      std::floor(pitch_for(room, rows, 26))};
    const Point corner{area.x + labels, top + kTitle + kMatrixLabels};
    MatrixLook look{.row_labels = labels > 0, .column_labels = each.operand->columns != Extent::one};
    look.lit_row = rows.shown(each.reads.first.row);
    look.lit_column = columns.shown(column);
    const bool one = each.reads.one_row && each.reads.one_column;
    if (one) look.outline_cell = true;
    if (!one && each.reads.one_row) look.row_outline = canvas.theme().ink, look.lit_column.reset();
    if (!one && !each.reads.one_row) look.column_outline = canvas.theme().ink, look.lit_row.reset();
    if (each.result && progress.stage != CellStage::value)
      look.computed =
          rows.shown(scene.row).value_or(0) * columns.count() + columns.shown(scene.column).value_or(0);
    look.hit = operand_hits(scene.reader, *each.operand, matrix, false,
                            each.result ? "result" : "input " + std::to_string(i + 1));
    draw_matrix(canvas, corner, pitch, matrix, look);
    draw_title(canvas, {corner.x, top + 10}, area.right() - corner.x, *each.operand, false, matrix);
  }
}

void draw_id(Canvas& canvas, const Rect& area, const CellScene& scene) {
  const Theme& theme = canvas.theme();
  const std::string word = scene.reader.word(scene.operand, false, scene.row);
  const Rect chip{area.x, area.y + 12, 160, 36};
  canvas.rectangle(chip, {.fill = theme.panel, .outline = theme.control, .radius = 6});
  TextStyle style{.size = 14, .color = theme.ink, .x = AlignX::center};
  canvas.text(chip.center(), elided(canvas, word, style, chip.width - 16), style);
  draw_arrow(canvas, {chip.right() + 10, chip.center().y}, {chip.right() + 50, chip.center().y},
             {.color = theme.ink, .width = 1.5f});
  canvas.text({chip.right() + 62, chip.center().y}, std::to_string(static_cast<int>(scene.value)),
              {.font = Font::mono, .size = 14, .color = theme.ink});
  paragraph(canvas, {area.x, chip.bottom() + 20}, std::min(area.width, 460.0f), explanation(*scene.step),
            {.size = 14, .color = theme.second_text});
}

float work_width(const Rect& area) {
  return std::floor(std::clamp(area.width * 0.4f, 330.0f, 430.0f));
}

}  // namespace

Rect cell_work_area(const Rect& area) {
  return {area.right() - work_width(area), area.y, work_width(area), area.height};
}

int cell_moments(const CellWork& work) {
  if (work.product()) return 3 + std::min(kMostTerms, static_cast<int>(work.terms.size()));
  return work.terms.empty() ? 2 : 3;
}

CellProgress cell_progress(const CellWork& work, int moment) {
  const int last = cell_moments(work) - 1;
  if (moment >= last) return {.stage = CellStage::value, .terms = static_cast<int>(work.terms.size())};
  if (moment <= 0) return {.stage = CellStage::outline};
  if (moment == 1) return {.stage = CellStage::terms};
  const int added = moment - 1, all = static_cast<int>(work.terms.size());
  if (all <= kMostTerms || added <= kOneByOne) return {.stage = CellStage::sum, .terms = added};
  const int rest = (all - kOneByOne) * (added - kOneByOne) / (kMostTerms - kOneByOne);
  return {.stage = CellStage::sum, .terms = kOneByOne + rest};
}

Rect cell_matrices_area(const Rect& area, const CellScene& scene) {
  const float choice = scene.work().products.size() > 1 ? kCellChoice : 0;
  return {area.x, area.y + choice, area.width - work_width(area) - 28, area.height - choice};
}

void draw_cell_matrices(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown) {
  if (scene.is_id()) return draw_id(canvas, area, scene);
  if (scene.work().product()) return draw_product(canvas, area, scene, shown);
  draw_stack(canvas, area, scene, shown.progress);
}

std::vector<NumberTable> cell_matrix_tables(const CellScene& scene, const CellShown& shown) {
  const auto title = [](const Operand& operand) { return operand.symbol + " (" + operand.name + ")"; };
  if (scene.is_id()) return {};
  if (scene.work().product()) {
    const ProductMatrices all = product_matrices(scene, shown, kShownRows);
    return {matrix_table(all.a, title(all.left)), matrix_table(all.b, title(all.right)),
            matrix_table(all.result, title(scene.operand))};
  }
  std::vector<NumberTable> tables;
  for (const Stacked& each : stack_of(scene)) {
    const MatrixNumbers matrix = stacked_matrix(scene, each, 8, stacked_column(scene, each));
    if (!matrix.values.empty()) tables.push_back(matrix_table(matrix, title(*each.operand)));
  }
  return tables;
}

void draw_cell(Canvas& canvas, const Rect& area, const CellScene& scene, const CellShown& shown) {
  draw_cell_matrices(canvas, cell_matrices_area(area, scene), scene, shown);
  draw_cell_work(canvas, cell_work_area(area), scene, shown);
}

// The work alone: each product, the sum and the value.
void CellView::panel(std::string_view, Canvas& canvas, const ViewInput& input, const Rect& area) const {
  const CellScene scene(input, *caches_, input.pinned.cell);
  const Rect room = area.inset(kStagePadding);
  if (scene.waiting())
    return draw_nothing_yet(canvas, room, "Running the sentence forward and backward",
                            "How this gradient comes about will stand here in a moment.");
  if (scene.covered()) return draw_nothing_yet(canvas, room, "Covered", kCovered);
  if (scene.is_id()) return draw_cell_matrices(canvas, room, scene, shown(scene));
  draw_cell_work(canvas, room, scene, shown(scene));
}

}  // namespace glassformer
