#include "app/views/head/head.h"

#include <algorithm>

namespace glassformer {

namespace {

constexpr float kLowStep = 280;  // px, under which the numbers need the room of the why

// Rows and columns of queries are lit in blue, those of keys in orange.
MatrixLook look_of(const Canvas& canvas, const HeadScene& scene, const OperandPart& part) {
  const Theme& theme = canvas.theme();
  const Operand& operand = part.operand;
  const std::string& name = operand.name;
  const bool pairs = operand.rows != Extent::head && operand.columns != Extent::head &&
                     operand.columns != Extent::model && operand.store != OperandStore::parameter;
  const bool of_keys =
      !pairs && (name == scene.head.key.name || name == scene.head.rotated_key.name ||
                 name == scene.head.value.name || (scene.cross && name == scene.block.memory.name));
  const bool of_words = operand.store != OperandStore::parameter;
  MatrixLook look;
  look.row_labels = part.row_words;
  if (of_words && !part.transposed) look.lit_row = of_keys ? scene.shown.key : scene.shown.query;
  if (pairs || (of_words && part.transposed)) look.lit_column = scene.shown.key;
  look.row_outline = of_keys ? theme.key : theme.query;
  if (part.transposed) look.column_outline = theme.key;
  look.outline_cell = pairs;
  look.hit = operand_hits(scene.reader, operand, part.matrix, part.transposed, "head " + operand.symbol);
  return look;
}

// The columns of the shown head in the matrix of all heads.
void outline_head(Canvas& canvas, const MatrixPlace& place, const HeadScene& scene,
                  const MatrixAxis& columns) {
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

// Left operand left, right operand above, the result where they meet.
void draw_product(Canvas& canvas, const Rect& area, const HeadScene& scene, std::vector<OperandPart> parts) {
  for (OperandPart& part : parts) {
    part.read(scene.reader);
    part.look = look_of(canvas, scene, part);
  }
  OperandPart &left = parts[0], &above = parts[1], &result = parts[2];
  const auto count = [](const MatrixAxis& axis) { return static_cast<float>(axis.count()); };
  const float inner = count(left.matrix.columns), rows = count(left.matrix.rows),
              columns = count(above.matrix.columns);
  const float left_labels = matrix_label_width(canvas, left.matrix),
              above_labels = matrix_label_width(canvas, above.matrix);
  const float between = std::max(44.0f, above_labels + 16);
  const float foot = 22, head = kPartTitle + kMatrixLabels, gap = 12;
  const float down = area.height - head - gap - foot, across = area.width - left_labels - between;
  const float low =
      pitch_for(std::clamp(down * rows / (rows + inner), std::min(15 * rows, down * 0.68f), down),
                left.matrix.rows, 40);
  const float high = pitch_for(down - low * rows, above.matrix.rows, 40);
  const float right_want = std::min(columns * 36, across * 0.55f);
  const float right_width =
      pitch_for(std::max(right_want, across * columns / (columns + inner)), above.matrix.columns, 60);
  const float left_width = pitch_for(across - right_width * columns, left.matrix.columns, 60);
  const Point corner{area.x + left_labels + left_width * inner + between, area.y + head + high * inner + gap};

  const Point left_at{corner.x - between - left_width * inner, corner.y};
  draw_matrix(canvas, left_at, {left_width, low}, left.matrix, left.look);
  left.draw_title(canvas, {left_at.x, corner.y - kMatrixLabels - 12},
                  left_width * inner + between - above_labels - 8);
  above.look.row_labels = true;
  draw_matrix(canvas, {corner.x, area.y + head}, {right_width, high}, above.matrix, above.look);
  above.draw_title(canvas, {corner.x, area.y + 10}, area.right() - corner.x);
  result.look.row_labels = result.look.column_labels = false;
  const MatrixPlace place = draw_matrix(canvas, corner, {right_width, low}, result.matrix, result.look);
  canvas.rectangle(place.cells.inset(-4),
                   {.outline = canvas.theme().ink, .outline_width = 1.5f, .radius = 3});
  result.draw_title(canvas, {corner.x, place.cells.bottom() + 14}, area.right() - corner.x);
}

std::string root_sign(const HeadScene& scene) {
  return "÷ √" + std::to_string(scene.reader.config().head_width());
}

}  // namespace

std::vector<OperandPart> head_parts(const HeadScene& scene, HeadStage stage) {
  const HeadValues& head = scene.head;
  const AttentionValues& block = scene.block;
  switch (stage) {
    case HeadStage::project: {
      std::vector<OperandPart> parts = {{.operand = block.input, .row_words = true},
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
              {.operand = block.concat, .before = "with all heads"}};
    case HeadStage::output:
      break;
  }
  return {{.operand = block.concat, .row_words = true},
          {.operand = block.output_weight, .transposed = true},
          {.operand = block.output}};
}

void draw_head_step(Canvas& canvas, const Rect& area, const HeadScene& scene, HeadStage stage) {
  OperandRow row = operand_row(scene.reader, scene.title(stage), scene.steps(stage), scene.why(stage),
                               head_parts(scene, stage));
  if (area.height < kLowStep) row.reason.clear();
  row.draw_panel(canvas, area);
  const Rect content = row.content(canvas, area);
  if (stage == HeadStage::match || stage == HeadStage::sum || stage == HeadStage::output)
    return draw_product(canvas, content, scene, std::move(row.parts));

  const bool concat = stage == HeadStage::concat;
  row.one_scale = concat;
  row.widest_cell = 72;
  row.place(canvas, content, scene.reader);
  for (OperandPart& part : row.parts) {
    part.look = look_of(canvas, scene, part);
    const bool memory = scene.cross && part.operand.name == scene.block.memory.name;
    part.row_title = memory ? "source" : "query";
  }
  const std::vector<MatrixPlace> places = row.draw(canvas, content.right());
  if (concat) outline_head(canvas, places.back(), scene, row.parts.back().matrix.columns);
}

}  // namespace glassformer
