#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/reading/cell_names.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/parameters/parameters.h"
#include "app/widgets/bars.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

// The rectangle of a matrix inside a room: nearly filling it, cells at most four times as long as wide, whole
// pixels when there are enough of them.
Rect fitted(const Rect& room, int rows, int columns) {
  float cell_width = room.width / static_cast<float>(columns),
        cell_height = room.height / static_cast<float>(rows);
  cell_width = std::min(cell_width, 4 * cell_height);
  cell_height = std::min({cell_height, 4 * cell_width, 28.0f});
  if (cell_width >= 1) cell_width = std::floor(cell_width);
  if (cell_height >= 1) cell_height = std::floor(cell_height);
  return {room.x, room.y, std::round(std::min(room.width, cell_width * static_cast<float>(columns))),
          std::max(1.0f, std::round(std::min(room.height, cell_height * static_cast<float>(rows))))};
}

// What a row and a column of the matrix are.
const char* axes_words(const std::string& name, int rows) {
  if (rows == 1) return "one number an output";
  if (is_name_of(ValueKind::embedding_table, name)) return "columns: dimension →   rows: word";
  if (is_name_of(ValueKind::position_table, name)) return "columns: dimension →   rows: position";
  return "columns: input →   rows: output";
}

// Where the weights began: from -limit to limit.
struct LimitMarks {
  double limit = 0;    // 0: none
  bool faint = false;  // training has moved them since
};

void draw_limits(Canvas& canvas, const Rect& plot, const Histogram& histogram, const LimitMarks& marks) {
  const Color color = marks.faint ? canvas.theme().control : canvas.theme().reference;
  const auto share = static_cast<float>(marks.limit / (histogram.high - histogram.low));
  for (const float side : {-1.0f, 1.0f}) {
    const float x = std::round(plot.center().x + side * share * plot.width);
    canvas.line({x, plot.y - 4}, {x, plot.bottom()},
                {.color = color, .width = marks.faint ? 1.0f : 1.5f, .dashed = marks.faint});
    // Their names lead away from each other, inside the plot.
    const std::string name = side < 0 ? "−a" : "a = " + format_pinned(marks.limit);
    const float wide = canvas.measure(name, caption_style(canvas)).x;
    const float left = side < 0 ? std::max(plot.x, x - wide) : std::min(x, plot.right() - wide);
    canvas.text({left, plot.y - 11}, name, caption_style(canvas));
  }
}

void draw_histogram(Canvas& canvas, const Rect& rect, const Histogram& histogram, bool labels,
                    const LimitMarks& marks = {}) {
  const Theme& theme = canvas.theme();
  const float above = marks.limit > 0 ? 20 : 0;
  const Rect plot{rect.x, rect.y + above, rect.width, rect.height - above - (labels ? 20.0f : 0.0f)};
  const auto bins = static_cast<float>(histogram.counts.size());
  const auto fullest = static_cast<float>(std::max(1L, histogram.largest()));
  for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
    const float from = std::round(plot.x + plot.width * static_cast<float>(i) / bins);
    const float to = std::round(plot.x + plot.width * static_cast<float>(i + 1) / bins);
    const auto count = static_cast<float>(histogram.counts[i]);
    if (count == 0) continue;
    const float height = std::max(1.0f, std::round(plot.height * count / fullest));
    canvas.rectangle(
        {from, plot.bottom() - height, std::max(1.0f, to - from - (to - from > 3 ? 1.0f : 0.0f)), height},
        {.fill = theme.faint_text});
  }
  canvas.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, {.color = theme.control});
  if (marks.limit > 0) draw_limits(canvas, plot, histogram, marks);
  if (!labels) return;
  TextStyle style = index_style(canvas);
  style.size = 11;
  canvas.text({plot.x, plot.bottom() + 12}, format_short(histogram.low), style);
  style.x = AlignX::center;
  canvas.text({plot.center().x, plot.bottom() + 12}, "0", style);
  style.x = AlignX::right;
  canvas.text({plot.right(), plot.bottom() + 12}, format_short(histogram.high), style);
}

}  // namespace

void ParametersView::draw_tree(Canvas& canvas, const Rect& part, const std::vector<TreeRow>& rows,
                               float row_height) const {
  const Theme& theme = canvas.theme();
  draw_heading(canvas, part, "Blocks", {.note = "weights"});
  long largest = 1;
  for (const TreeRow& row : rows) largest = std::max(largest, row.count);

  const float number_width = canvas.measure(format_count(largest), index_style(canvas)).x + 8;
  // In a narrow tree the names matter more than the bars.
  const float bar_width = part.width > 260 ? 72 : part.width > 225 ? 40 : 0;
  float y = part.y + kHeadingHeight;
  for (const TreeRow& row : rows) {
    const Rect line{part.x, y, part.width, row_height};
    const float middle = std::round(line.center().y);
    if (row.leaf && row.open)
      canvas.rectangle({line.x - 8, line.y, line.width + 16, line.height},
                       {.fill = theme.panel, .outline = theme.ink, .outline_width = 2, .radius = 4});

    // Name, share, count.
    const float indent = 14.0f * static_cast<float>(row.level);
    const float bar_x = line.right() - number_width - bar_width - 8;
    TextStyle style{.font = row.open ? Font::semibold : Font::regular,
                    .size = row.level == 0 ? 13.0f : 12.0f,
                    .color = row.level == 0 || row.open ? theme.ink : theme.second_text};
    canvas.text({line.x + indent, middle}, elided(canvas, row.title, style, bar_x - line.x - indent - 8),
                style);
    const float height = row.level == 0 ? 7.0f : 4.0f;
    if (bar_width > 0)
      draw_share_bar(canvas, {bar_x, middle - std::floor(height / 2), bar_width, height},
                     double(row.count) / double(largest), row.open ? theme.ink : theme.faint_text);
    TextStyle number = index_style(canvas);
    number.x = AlignX::right;
    if (row.open) number.color = theme.ink;
    canvas.text({line.right(), middle}, format_count(row.count), number);
    y += row_height;
  }
}

void ParametersView::draw_weight(Canvas& canvas, const Parts& at, const ViewInput& input,
                                 const TensorSheet& sheet) const {
  const Theme& theme = canvas.theme();
  const std::string name = open_tensor(input);
  const auto block = block_of(input.snapshot.config, name);
  const std::string heading = (block ? block->title() + ": " : "") + tensor_role(name);
  const std::string shape = format_shape(std::array{sheet.rows, sheet.columns});
  draw_heading(canvas, at.name, heading, {.note = shape});
  TextStyle mono = index_style(canvas);
  canvas.text({at.name.x, at.name.y + 34}, elided(canvas, name, mono, at.name.width), mono);
  if (std::string counted = counted_layer(name); !counted.empty())
    canvas.hit({.rect = {at.name.x, at.name.y + 24, at.name.width, 20},
                .label = "name of the parameter",
                .tooltip = std::move(counted)});

  // Room for badges on the left, the bar on the right and the words below.
  const bool stacked = is_name_of(ValueKind::projections_weight, name);
  const float left = stacked ? 28 : 0;
  const float words = input.other ? 46 : 28;
  const Rect room{at.map.x + left, at.map.y + 4, at.map.width - left - 64, at.map.height - words};
  const Rect map = fitted(room, sheet.rows, sheet.columns);
  const double limit = std::max(sheet.histogram.high, 1e-12);
  draw_heatmap_tile(canvas, map, {.values = sheet.picture.plane()},
                    {.scale = ColorScale::signed_value, .limit = limit});
  const float bar_height = std::max(map.height, 72.0f);
  draw_color_bar(canvas, {map.right() + 16, map.y, 12, std::min(bar_height, room.height)},
                 ColorScale::signed_value, limit);
  canvas.text({map.x, map.bottom() + 14}, axes_words(name, sheet.rows), caption_style(canvas));
  if (input.other) canvas.text({map.x, map.bottom() + 32}, kOneScale, caption_style(canvas));

  // Wq, Wk and Wv are stacked in one matrix.
  if (stacked) {
    constexpr std::array kBadges{Badge::query, Badge::key, Badge::value};
    for (std::size_t i = 0; i < kBadges.size(); ++i) {
      const float top = map.y + map.height * static_cast<float>(i) / 3;
      draw_badge(canvas, {at.map.x + 9, std::round(top + map.height / 6)}, kBadges[i]);
      if (i > 0)
        canvas.line({map.x - 6, std::round(top)}, {map.right(), std::round(top)},
                    {.color = theme.ink, .width = 1});
    }
  }

  // The pinned cell.
  const auto cell = input.shown.cell && input.shown.cell->name == name ? input.shown.cell : std::nullopt;
  if (cell && !cell->index.empty()) {
    const int row = cell->index.size() == 2 ? cell->index[0] : 0, column = cell->index.back();
    const float w = map.width / static_cast<float>(sheet.columns),
                h = map.height / static_cast<float>(sheet.rows);
    canvas.rectangle(
        {map.x + w * static_cast<float>(column) - 3, map.y + h * static_cast<float>(row) - 3, w + 6, h + 6},
        {.outline = theme.ink, .outline_width = 3, .radius = 2});
  }

  const bool matrix = find_parameter(*input.snapshot.weights, name)->shape.size() == 2;
  const Selection before = input.pinned;
  canvas.hit_grid(
      {.rect = map,
       .rows = sheet.rows,
       .columns = sheet.columns,
       .cell = [name, matrix, before](int r, int c) {
         Selection selection = before;
         selection.cell = CellRef{name, matrix ? std::vector<int>{r, c} : std::vector<int>{c}};
         const std::string place = matrix ? "row " + std::to_string(r) + " column " + std::to_string(c)
                                          : "entry " + std::to_string(c);
         return HitRegion{
             .label = "weight " + place, .hover = SetHover{selection}, .click = SetPin{selection}};
       }});
}

void ParametersView::draw_figures(Canvas& canvas, const Rect& part, const ViewInput& input,
                                  const TensorSheet& sheet) const {
  const Summary& summary = sheet.summary;
  std::vector<std::pair<std::string, std::string>> rows{{"mean", format_pinned(summary.mean)},
                                                        {"deviation", format_pinned(summary.deviation)},
                                                        {"norm", format_loss(summary.norm)},
                                                        {"smallest", format_pinned(summary.smallest)},
                                                        {"largest", format_pinned(summary.largest)}};
  if (sheet.limit > 0) {
    rows.emplace_back("outside ±a", share_outside(sheet));
  }
  if (summary.not_finite > 0) rows.emplace_back("not finite", format_count(summary.not_finite));
  const float table = 22.0f * static_cast<float>(rows.size());
  const float plot = std::clamp(part.height - table - 40, 48.0f, 150.0f);
  canvas.text({part.x, part.y + 8}, input.difference_to ? "How differences spread" : "How values spread",
              caption_style(canvas));
  draw_histogram(canvas, {part.x, part.y + 22, part.width, plot}, sheet.histogram, true,
                 {.limit = sheet.limit, .faint = input.snapshot.step > 0});
  float y = part.y + 22 + plot + 22;
  for (const auto& [label, value] : rows) {
    canvas.text({part.x, y}, label, caption_style(canvas));
    canvas.text({part.right(), y}, value,
                {.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right});
    y += 22;
  }
}

void ParametersView::draw_learning(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  canvas.line({part.x, part.y - 12}, {part.right(), part.y - 12}, {.color = theme.border});
  if (std::ranges::none_of(kSheetKinds, [&](SheetKind kind) {
        return kind != SheetKind::weight && sheet_key(input, kind).model;
      })) {
    // Nothing to see: say when there will be.
    const Rect below =
        draw_heading(canvas, part, "Gradient and Adam's moments", {.note = "not kept", .note_right = false});
    paragraph(
        canvas, {below.x, below.y}, std::min(below.width, 560.0f),
        input.difference_to ? "A difference needs those of both, and one of the two has none."
        : input.looked_back
            ? "Of earlier steps only the weights are kept. Go back to the newest step to "
              "see what moves them."
            : "They belong to a run that is learning: press Train, and the gradient of the last batch, its "
              "running mean m and the running mean of its square v stand here beside the weights that they "
              "move.",
        {.size = 12, .color = theme.second_text, .y = AlignY::top});
    return;
  }
  constexpr std::array kNotes{"", "of the last batch", "mean gradient", "mean square of it"};
  const float gap = 32, width = std::floor((part.width - 2 * gap) / 3);
  for (std::size_t i = 1; i < kSheetKinds.size(); ++i) {
    const Rect panel{part.x + (width + gap) * static_cast<float>(i - 1), part.y, width, part.height};
    const Rect below = draw_heading(canvas, panel, sheet_title(kSheetKinds[i]), {.note = kNotes[i]});
    const auto found = sheet(input, kSheetKinds[i], canvas.is_file());
    if (!found.value) {
      canvas.rectangle({below.x, below.y, below.width, std::min(56.0f, below.height)},
                       {.outline = theme.control, .radius = 4, .dashed = true});
      canvas.text({below.center().x, below.y + 28}, "not kept",
                  {.size = 12, .color = theme.second_text, .x = AlignX::center});
      continue;
    }

    // A small map, its histogram, its size.
    const TensorSheet& sheet = *found.value;
    const Rect room{below.x, below.y, below.width, below.height - 46};
    const Rect map = fitted(room, sheet.rows, sheet.columns);
    draw_heatmap_tile(canvas, map, {.values = sheet.picture.plane()},
                      {.scale = ColorScale::signed_value, .limit = std::max(sheet.histogram.high, 1e-30)});
    draw_histogram(canvas, {below.x, room.bottom() + 4, below.width, 22}, sheet.histogram, false);
    canvas.text({below.x, below.bottom() - 8}, "norm", caption_style(canvas));
    canvas.text({below.right(), below.bottom() - 8}, format_short(sheet.summary.norm),
                {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right});
  }
}

}  // namespace glassformer
