#include "app/views/common/operand_row.h"

#include <algorithm>

#include "app/format/number_format.h"
#include "app/reading/cell_names.h"
#include "app/reading/difference.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/heatmap.h"
#include "engine/model/steps/step_formula.h"

namespace glassformer {

namespace {

constexpr float kInset = 16, kReason = 24, kSums = 44, kBar = 44;
constexpr FormulaStyle kSign{.size = 12};

bool is_plain(const std::string& sign) {
  return sign == "+" || sign == "=";
}

float sign_width(const Canvas& canvas, const std::string& sign) {
  return sign.empty() ? 20 : measure_formula(canvas, walk_formula(sign), kSign).width + 24;
}

// Few columns want room for numbers; many are content with colours.
float wanted_width(int count, bool can_be_cut) {
  const auto columns = static_cast<float>(count);
  if (columns <= 16) return columns * (columns <= 10 ? 36 : 16);
  const float wanted = std::max(192.0f, columns * 3);
  return can_be_cut ? std::min(wanted, 900.0f) : wanted;
}

Rect inside_of(const Rect& area) {
  return {area.x + kInset, area.y + 12, area.width - 2 * kInset, area.height - 24};
}

TextStyle reason_style(const Canvas& canvas) {
  return {.size = 12, .color = canvas.theme().second_text};
}

}  // namespace

void OperandPart::read(const StepReader& reader, float width) {
  constexpr float kLeast = 2, kBreak = 16;
  MatrixAxis columns = reader.axis(operand, !transposed);
  if (cut_at && static_cast<float>(columns.count()) * kLeast > width)
    columns =
        part_of_axis(std::move(columns), std::max(8, static_cast<int>((width - kBreak) / kLeast)), *cut_at);
  matrix = operand_matrix(reader, operand, transposed, reader.axis(operand, transposed), std::move(columns));
}

void OperandPart::draw_title(Canvas& canvas, Point at, float width) const {
  float end = at.x;
  if (badge != Badge::none) {
    draw_badge(canvas, {end + 8, at.y}, badge, 16);
    end += 22;
  }
  const Formula symbol = walk_formula(operand.symbol + (transposed ? "ᵀ" : ""));
  end += draw_formula(canvas, {end, at.y}, symbol, {.size = 14, .color = canvas.theme().ink}).width + 8;
  TextStyle style = index_style(canvas);
  style.size = 11;
  const std::string shape = format_count(matrix.rows.total) + " × " + format_count(matrix.columns.total);
  const float shape_width = canvas.measure(shape, style).x;
  if (end + shape_width > at.x + width) return;
  canvas.text({end, at.y}, shape, style);
  end += shape_width + 16;
  const TextStyle mono{.font = Font::mono, .size = 12};
  const bool weight = matrix.scale == ColorScale::weight;
  const float low = canvas.measure(weight ? "0" : format_short(-matrix.limit), mono).x + 6;
  const float high = canvas.measure(format_short(matrix.limit), mono).x + 6;
  if (operand.store == OperandStore::mask || end + low + kBar + high > at.x + width) return;
  draw_color_bar_across(canvas, {end + low, at.y - 5, kBar, 10}, matrix.scale, matrix.limit);
}

void share_limit(std::vector<OperandPart>& parts) {
  double limit = 0;
  for (const OperandPart& part : parts) limit = std::max(limit, part.matrix.limit);
  for (OperandPart& part : parts) part.matrix.limit = limit;
}

OperandRow operand_row(const StepReader& reader, std::string title, const std::vector<const Step*>& steps,
                       std::string reason, std::vector<OperandPart> parts) {
  OperandRow row{.title = std::move(title), .reason = std::move(reason), .parts = std::move(parts)};
  if (reader.input().difference_to != nullptr) {
    row.reason = kDifferenceSteps;
    return row;
  }
  for (const Step* step : steps) row.formulas.push_back(walk_formula(symbols_formula(*step)));
  return row;
}

void OperandRow::draw_name(Canvas& canvas, Point at, float right) const {
  const TextStyle name{.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
  canvas.text(at, title, name);
  const FormulaStyle style{.size = 14, .color = canvas.theme().second_text};
  float x = at.x + canvas.measure(title, name).x + 24;
  for (const Formula& formula : formulas) {
    if (x + measure_formula(canvas, formula, style).width > right) break;
    x += draw_formula(canvas, {x, at.y}, formula, style).width + 24;
  }
}

void OperandRow::draw_panel(Canvas& canvas, const Rect& area) const {
  const Theme& theme = canvas.theme();
  canvas.rectangle(area, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  const Rect inside = inside_of(area);
  draw_name(canvas, {inside.x, inside.y + 10}, inside.right());
  if (!reason.empty())
    paragraph(canvas, {inside.x, inside.y + kReason}, inside.width, reason, reason_style(canvas));
}

Rect OperandRow::content(const Canvas& canvas, const Rect& area) const {
  const Rect inside = inside_of(area);
  float y = inside.y + kReason;
  if (!reason.empty()) y += paragraph_height(canvas, inside.width, reason, reason_style(canvas)) + 8;
  return {inside.x, y, inside.width, inside.bottom() - y};
}

void OperandRow::place(const Canvas& canvas, const Rect& area, const StepReader& reader) {
  // What labels, signs and rooms leave goes by the number of columns.
  float fixed = behind.width, all = 0;
  std::vector<float> signs, wanted;
  for (OperandPart& part : parts) {
    MatrixNumbers words;
    words.rows = reader.axis(part.operand, part.transposed);
    part.labels = part.row_words ? matrix_label_width(canvas, words) : 0;
    signs.push_back(signs.empty() ? 0 : sign_width(canvas, part.before));
    wanted.push_back(
        wanted_width(reader.axis(part.operand, !part.transposed).count(), part.cut_at.has_value()));
    fixed += part.room.width + part.labels + signs.back() + (part.sums ? kSums : 0);
    all += wanted.back();
  }
  const float share = std::max(8.0f, area.width - fixed - 4) / all;
  int rows = 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].read(reader, wanted[i] * share);
    parts[i].pitch = pitch_for(wanted[i] * share, parts[i].matrix.columns, widest_cell);
    rows = std::max(rows, parts[i].matrix.rows.count());
  }
  if (one_scale) share_limit(parts);
  top = area.y + kPartTitle + kMatrixLabels;
  pitch = pitch_for(area.bottom() - top - foot, whole_axis(rows), 40);
  bottom = top + pitch * static_cast<float>(rows);

  float x = area.x;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    OperandPart& part = parts[i];
    part.room.x = x + part.room.lead;
    part.x = x + part.room.width + signs[i] + part.labels;
    x = part.x + matrix_size(part.matrix, {part.pitch, pitch}).x;
  }
  behind.x = x + behind.lead;
}

std::vector<MatrixPlace> OperandRow::draw(Canvas& canvas, float right) const {
  std::vector<MatrixPlace> places;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const OperandPart& part = parts[i];
    MatrixLook look = part.look;
    for (int row = 0; part.sums && row < part.matrix.rows.count(); ++row) {
      double sum = 0;
      for (int column = 0; column < part.matrix.columns.count(); ++column)
        sum += static_cast<double>(part.matrix.at(row, column));
      look.right_values.push_back(format_fixed(sum, 2));
    }
    places.push_back(draw_matrix(canvas, {part.x, top}, {part.pitch, pitch}, part.matrix, look));
    const Rect& cells = places.back().cells;
    if (part.sums) canvas.text({cells.right() + 8, top - 10}, "sum", caption_style(canvas));

    // A heading may extend over the sign beside its matrix, until the next thing begins.
    float end = behind.width > 0 ? behind.x : right + 8;
    if (i + 1 < parts.size()) end = parts[i + 1].room.width > 0 ? parts[i + 1].room.x : parts[i + 1].x;
    part.draw_title(canvas, {part.x, top - kMatrixLabels - kPartTitle + 10}, end - 8 - part.x);
    const TextStyle words{.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
    const float title_width = canvas.measure(part.row_title, words).x + 8;
    if (!part.row_title.empty() && title_width <= part.labels)
      canvas.text({part.x - title_width, top - 10}, part.row_title, words);
    const float width = sign_width(canvas, part.before);
    draw_sign(canvas, {part.x - part.labels - width, top, width, cells.height}, part.before);
  }
  return places;
}

void draw_step_name(Canvas& canvas, Point center, float room, int number, const std::string& name,
                    bool current, Color otherwise) {
  const Theme& theme = canvas.theme();
  constexpr float kRadius = 9, kGap = 6;
  const Color ink = current ? theme.ink : otherwise;
  const Formula formula = walk_formula(name);
  const FormulaStyle style{.size = 12, .color = ink};
  const float width = measure_formula(canvas, formula, style).width;
  const bool named = 2 * kRadius + kGap + width <= room;
  const float left = center.x - (named ? (2 * kRadius + kGap + width) / 2 : kRadius);
  const Point middle{left + kRadius, center.y};
  canvas.circle(middle, kRadius, current ? theme.ink : theme.paper, {.color = ink, .width = 1});
  canvas.text(middle, std::to_string(number),
              {.font = Font::mono, .size = 11, .color = current ? theme.on_ink : ink, .x = AlignX::center});
  if (named) draw_formula(canvas, {left + 2 * kRadius + kGap, center.y}, formula, style);
}

void draw_sign(Canvas& canvas, const Rect& gap, const std::string& sign) {
  if (sign.empty()) return;
  const Theme& theme = canvas.theme();
  const Point middle = gap.center();
  if (is_plain(sign)) return canvas.text(middle, sign, {.size = 16, .color = theme.ink, .x = AlignX::center});
  const Formula formula = walk_formula(sign);
  const FormulaStyle style{.size = kSign.size, .color = theme.second_text};
  const float width = measure_formula(canvas, formula, style).width;
  draw_formula(canvas, {middle.x - width / 2, middle.y - 12}, formula, style);
  draw_arrow(canvas, {gap.x + 6, middle.y + 2}, {gap.right() - 6, middle.y + 2},
             {.color = theme.ink, .width = 1.5f});
}

}  // namespace glassformer
