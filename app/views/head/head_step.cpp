#include "app/views/head/head.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/cell_names.h"
#include "app/reading/difference.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/formula.h"
#include "app/widgets/heatmap.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kPad = 16, kTitle = 22, kSums = 44, kBar = 44;
constexpr float kLowStep = 280;  // px, under which the numbers need the room of the why

// A part with its numbers, ready to be placed.
struct Placed {
  const HeadPart* part;
  MatrixNumbers matrix;
  float labels = 0;  // left of the rows
};

Placed placed(const Canvas& canvas, const HeadScene& scene, const HeadPart& part) {
  Placed made{&part, operand_matrix(scene.reader, part.operand, part.transposed)};
  made.labels = part.row_words ? matrix_label_width(canvas, made.matrix) : 0;
  return made;
}

// Rows and columns of queries are lit in blue, those of keys in orange.
MatrixLook look_of(const Canvas& canvas, const HeadScene& scene, const Placed& each) {
  const Theme& theme = canvas.theme();
  const Operand& operand = each.part->operand;
  const std::string& name = operand.name;
  const bool pairs = operand.rows != Extent::head && operand.columns != Extent::head &&
                     operand.columns != Extent::model && operand.store != OperandStore::parameter;
  const bool of_keys =
      !pairs && (name == scene.head.key.name || name == scene.head.rotated_key.name ||
                 name == scene.head.value.name || (scene.cross && name == scene.block.memory.name));
  const bool of_words = operand.store != OperandStore::parameter;
  MatrixLook look;
  look.row_labels = each.part->row_words;
  if (of_words && !each.part->transposed) look.lit_row = of_keys ? scene.shown.key : scene.shown.query;
  if (pairs) look.lit_column = scene.shown.key;
  if (of_words && each.part->transposed) look.lit_column = scene.shown.key;
  look.row_outline = of_keys ? theme.key : theme.query;
  if (each.part->transposed) look.column_outline = theme.key;
  look.outline_cell = pairs;
  if (each.part->sums) {
    for (int row = 0; row < each.matrix.rows.count(); ++row) {
      double sum = 0;
      for (int column = 0; column < each.matrix.columns.count(); ++column)
        sum += static_cast<double>(each.matrix.at(row, column));
      look.right_values.push_back(format_fixed(sum, 2));
    }
  }
  look.hit =
      operand_hits(scene.reader, operand, each.matrix, each.part->transposed, "head " + operand.symbol);
  return look;
}

std::string shape_of(const MatrixNumbers& matrix) {
  return std::to_string(matrix.rows.total) + " × " + std::to_string(matrix.columns.total);
}

// Badge, symbol, shape and, where there is room, the colour scale.
void draw_part_title(Canvas& canvas, Point at, float width, const Placed& each) {
  const Theme& theme = canvas.theme();
  float x = at.x;
  if (each.part->badge != Badge::none) {
    draw_badge(canvas, {x + 8, at.y}, each.part->badge, 16);
    x += 22;
  }
  const std::string symbol = each.part->operand.symbol + (each.part->transposed ? "ᵀ" : "");
  x += draw_formula(canvas, {x, at.y}, walk_formula(symbol), {.size = 14, .color = theme.ink}).width + 8;
  TextStyle shape = index_style(canvas);
  shape.size = 11;
  const std::string text = shape_of(each.matrix);
  const float shape_width = canvas.measure(text, shape).x;
  if (x + shape_width > at.x + width) return;
  canvas.text({x, at.y}, text, shape);
  x += shape_width + 16;
  const TextStyle mono{.font = Font::mono, .size = 12};
  const bool weight = each.matrix.scale == ColorScale::weight;
  const float low = canvas.measure(weight ? "0" : format_short(-each.matrix.limit), mono).x + 6;
  const float high = canvas.measure(format_short(each.matrix.limit), mono).x + 6;
  if (each.part->operand.store == OperandStore::mask || x + low + kBar + high > at.x + width) return;
  draw_color_bar_across(canvas, {x + low, at.y - 5, kBar, 10}, each.matrix.scale, each.matrix.limit);
}

// "query" with its badge at the corner of the rows, when the words leave room.
void draw_row_title(Canvas& canvas, const Rect& cells, float labels, const HeadScene& scene,
                    const Placed& each) {
  const bool of_queries = each.part->operand.name != scene.block.memory.name || !scene.cross;
  if (!each.part->row_words || labels < 34) return;
  const TextStyle style{.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
  const std::string word = of_queries ? "query" : "source";
  const float width = canvas.measure(word, style).x;
  float x = cells.x - 8 - width;
  if (width + 8 > labels) return;
  canvas.text({x, cells.y - 10}, word, style);
}

float sign_width(const Canvas& canvas, const std::string& sign) {
  if (sign.empty()) return 20;
  return canvas.measure(sign, {.size = 14}).x + 24;
}

bool is_step(const std::string& sign) {
  return sign.size() > 3;
}

// A sign between two matrices; what is done to one of them is over an arrow.
void draw_sign(Canvas& canvas, const Rect& gap, const std::string& sign) {
  if (sign.empty()) return;
  const Theme& theme = canvas.theme();
  TextStyle style{.size = is_step(sign) ? 12.0f : 16.0f,
                  .color = is_step(sign) ? theme.second_text : theme.ink,
                  .x = AlignX::center};
  canvas.text({gap.center().x, gap.center().y - (is_step(sign) ? 12.0f : 0)}, sign, style);
  if (is_step(sign))
    draw_arrow(canvas, {gap.x + 8, gap.center().y + 2}, {gap.right() - 8, gap.center().y + 2},
               {.color = theme.ink, .width = 1.5f});
}

// The columns of the shown head in the matrix of all heads.
void outline_head(Canvas& canvas, const MatrixPlace& place, const HeadScene& scene, const Placed& all) {
  const MatrixAxis& columns = all.matrix.columns;
  const int width = scene.reader.config().head_width(), first = scene.shown.head * width;
  const auto at = [&](int column) {
    return static_cast<int>(std::ranges::lower_bound(columns.places, column) - columns.places.begin());
  };
  const int begin = at(first), end = at(first + width);
  if (begin == end) return;
  const Rect left = place.cell(0, begin), right = place.cell(0, end - 1);
  canvas.rectangle({left.x, place.cells.y, right.right() - left.x, place.cells.height},
                   {.outline = canvas.theme().ink, .outline_width = 2});
}

void draw_side_by_side(Canvas& canvas, const Rect& area, const HeadScene& scene,
                       const std::vector<HeadPart>& parts) {
  std::vector<Placed> all;
  for (const HeadPart& part : parts) all.push_back(placed(canvas, scene, part));
  if (parts.back().holds_head)
    all.front().matrix.limit = all.back().matrix.limit =
        std::max(all.front().matrix.limit, all.back().matrix.limit);
  // Few columns want room for numbers; many are content with colours.
  float fixed = 0, wanted = 0;
  int most_rows = 1;
  const auto want = [](const MatrixNumbers& matrix) {
    const auto columns = static_cast<float>(matrix.columns.count());
    return columns <= 10 ? columns * 36 : columns <= 16 ? columns * 16 : std::max(192.0f, columns * 3);
  };
  for (const Placed& each : all) {
    const bool first = &each == &all.front();
    fixed +=
        each.labels + (first ? 0 : sign_width(canvas, each.part->before)) + (each.part->sums ? kSums : 0);
    wanted += want(each.matrix);
    most_rows = std::max(most_rows, each.matrix.rows.count());
  }
  const float share = std::max(8.0f, area.width - fixed - 4) / wanted;
  const float top = area.y + kTitle + kMatrixLabels, room = area.bottom() - top - 4;
  const float height = pitch_for(room, whole_axis(most_rows), 40);
  float x = area.x;
  for (const Placed& each : all) {
    const bool first = &each == &all.front();
    const float rows_height = height * static_cast<float>(each.matrix.rows.count());
    if (!first) {
      const float width = sign_width(canvas, each.part->before);
      draw_sign(canvas, {x, top, width, std::min(room, rows_height)}, each.part->before);
      x += width;
    }
    x += each.labels;
    const float width = pitch_for(want(each.matrix) * share, each.matrix.columns, 72);
    MatrixLook look = look_of(canvas, scene, each);
    const MatrixPlace place = draw_matrix(canvas, {x, top}, {width, height}, each.matrix, look);
    draw_part_title(canvas, {x, area.y + 10}, place.cells.width + (each.part->sums ? kSums : 0), each);
    draw_row_title(canvas, place.cells, each.labels, scene, each);
    if (each.part->holds_head) outline_head(canvas, place, scene, each);
    x = place.cells.right();
    if (each.part->sums) {
      canvas.text({x + 8, top - 10}, "sum", caption_style(canvas));
      x += kSums;
    }
  }
}

// Left operand left, right operand above, the result where they meet.
void draw_product(Canvas& canvas, const Rect& area, const HeadScene& scene,
                  const std::vector<HeadPart>& parts) {
  const Placed left = placed(canvas, scene, parts[0]), above = placed(canvas, scene, parts[1]),
               result = placed(canvas, scene, parts[2]);
  const auto count = [](const MatrixAxis& axis) { return static_cast<float>(axis.count()); };
  const float inner = count(left.matrix.columns), rows = count(left.matrix.rows),
              columns = count(above.matrix.columns);
  const float above_labels = matrix_label_width(canvas, above.matrix);
  const float between = std::max(44.0f, above_labels + 16);
  const float foot = 22, head = kTitle + kMatrixLabels, gap = 12;
  const float down = area.height - head - gap - foot, across = area.width - left.labels - between;
  const float low =
      pitch_for(std::clamp(down * rows / (rows + inner), std::min(15 * rows, down * 0.68f), down),
                left.matrix.rows, 40);
  const float high = pitch_for(down - low * rows, above.matrix.rows, 40);
  const float right_want = std::min(columns * 36, across * 0.55f);
  const float right_width =
      pitch_for(std::max(right_want, across * columns / (columns + inner)), above.matrix.columns, 60);
  const float left_width = pitch_for(across - right_width * columns, left.matrix.columns, 60);
  const Point corner{area.x + left.labels + left_width * inner + between, area.y + head + high * inner + gap};

  const Point left_at{corner.x - between - left_width * inner, corner.y};
  draw_matrix(canvas, left_at, {left_width, low}, left.matrix, look_of(canvas, scene, left));
  draw_part_title(canvas, {left_at.x, corner.y - kMatrixLabels - 12},
                  left_width * inner + between - above_labels - 8, left);
  MatrixLook above_look = look_of(canvas, scene, above);
  above_look.row_labels = true;
  draw_matrix(canvas, {corner.x, area.y + head}, {right_width, high}, above.matrix, above_look);
  draw_part_title(canvas, {corner.x, area.y + 10}, area.right() - corner.x, above);
  MatrixLook result_look = look_of(canvas, scene, result);
  result_look.row_labels = result_look.column_labels = false;
  const MatrixPlace place = draw_matrix(canvas, corner, {right_width, low}, result.matrix, result_look);
  canvas.rectangle(place.cells.inset(-4),
                   {.outline = canvas.theme().ink, .outline_width = 1.5f, .radius = 3});
  draw_part_title(canvas, {corner.x, place.cells.bottom() + 14}, area.right() - corner.x, result);
}

std::string root_sign(const HeadScene& scene) {
  return "÷ √" + std::to_string(scene.reader.config().head_width());
}

}  // namespace

std::vector<HeadPart> head_parts(const HeadScene& scene, HeadStage stage) {
  const HeadValues& head = scene.head;
  const AttentionValues& block = scene.block;
  switch (stage) {
    case HeadStage::project: {
      std::vector<HeadPart> parts = {{.operand = block.input, .row_words = true},
                                     {.operand = head.query, .badge = Badge::query, .before = "× W + b"}};
      if (scene.cross) parts.push_back({.operand = block.memory, .row_words = true});
      parts.push_back({.operand = head.key, .badge = Badge::key, .before = scene.cross ? "× W + b" : ""});
      parts.push_back({.operand = head.value, .badge = Badge::value});
      return parts;
    }
    case HeadStage::match:
      return {{.operand = head.rotated_query, .badge = Badge::query, .row_words = true},
              {.operand = head.rotated_key, .transposed = true, .badge = Badge::key},
              {.operand = head.dot_products}};
    case HeadStage::scale:
      return {{.operand = head.dot_products, .row_words = true},
              {.operand = head.scores, .before = scene.reader.scales() ? root_sign(scene) : "unchanged"}};
    case HeadStage::mask:
      return {{.operand = head.scores, .row_words = true},
              {.operand = head.mask, .before = "+"},
              {.operand = head.masked_scores, .before = "="}};
    case HeadStage::softmax:
      return {
          {.operand = head.masked_scores, .row_words = true},
          {.operand = head.weights,
           .before = scene.reader.config().attention_activation == AttentionActivation::relu ? "max(0, ·) ÷ n"
                                                                                             : "exp ÷ sum",
           .sums = true}};
    case HeadStage::sum:
      return {{.operand = head.weights, .row_words = true},
              {.operand = head.value, .badge = Badge::value},
              {.operand = head.context}};
    case HeadStage::concat:
      return {{.operand = head.context, .row_words = true},
              {.operand = block.concat, .before = "with all heads", .holds_head = true}};
    case HeadStage::output:
      break;
  }
  return {{.operand = block.concat, .row_words = true},
          {.operand = block.output_weight, .transposed = true},
          {.operand = block.output}};
}

void draw_head_step(Canvas& canvas, const Rect& area, const HeadScene& scene, HeadStage stage) {
  const Theme& theme = canvas.theme();
  canvas.rectangle(area, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  const Rect inside{area.x + kPad, area.y + 12, area.width - 2 * kPad, area.height - 24};

  // What is done, by which formula, and why.
  const TextStyle title{.font = Font::semibold, .size = 14, .color = theme.ink};
  const std::string name = scene.title(stage);
  canvas.text({inside.x, inside.y + 10}, name, title);
  float x = inside.x + canvas.measure(name, title).x + 24;
  const bool difference = scene.reader.input().difference_to != nullptr;
  for (const Step* step : scene.steps(stage)) {
    if (difference) break;
    const Formula formula = walk_formula(symbols_formula(*step));
    const FormulaStyle style{.size = 14, .color = theme.second_text};
    if (x + measure_formula(canvas, formula, style).width > inside.right()) break;
    x += draw_formula(canvas, {x, inside.y + 10}, formula, style).width + 24;
  }
  const TextStyle body{.size = 12, .color = theme.second_text};
  float top = inside.y + 24;
  if (area.height >= kLowStep)
    top += paragraph(canvas, {inside.x, top}, inside.width, difference ? kDifferenceSteps : scene.why(stage),
                     body) +
           8;
  const Rect content{inside.x, top, inside.width, inside.bottom() - top};
  const std::vector<HeadPart> parts = head_parts(scene, stage);
  const bool product = stage == HeadStage::match || stage == HeadStage::sum || stage == HeadStage::output;
  if (product) {
    draw_product(canvas, content, scene, parts);
  } else {
    draw_side_by_side(canvas, content, scene, parts);
  }
}

}  // namespace glassformer
