#include "app/views/common/stage_text.h"

#include <algorithm>

#include "app/ui/ui.h"

namespace glassformer {

Rect stage_inner(const Rect& area) {
  return {area.x + kStagePadding, area.y, area.width - 2 * kStagePadding, area.height};
}

Rect stage_content(const Rect& area, bool subtitle) {
  const Rect inner = stage_inner(area);
  const float top = subtitle ? kStageTop : kStageTopBare;
  return {inner.x, inner.y + top, inner.width, inner.height - top - 12};
}

namespace {

// What does not fit ends with a clause that does, else within a word.
std::string by_clauses(const Canvas& canvas, std::string_view text, const TextStyle& style, float width) {
  if (canvas.measure(text, style).x <= width) return std::string(text);
  const std::size_t colon = text.find(": ");
  const std::size_t first = colon == std::string_view::npos ? 1 : colon;  // before it no clause is whole
  for (std::size_t end = text.size(); end > first; --end) {
    const bool ends = text.substr(end).starts_with(", ") || text.substr(end).starts_with("; ") ||
                      text.substr(end).starts_with(". ");
    if (!ends) continue;
    const std::string shorter = std::string(text.substr(0, end)) + ".";
    if (canvas.measure(shorter, style).x <= width) return shorter;
  }
  return elided(canvas, text, style, width);
}

}  // namespace

Rect draw_stage_title(Canvas& canvas, const Rect& area, std::string_view title, std::string_view subtitle,
                      float reserved) {
  const Rect inner = stage_inner(area);
  const TextStyle title_style{.font = Font::semibold, .size = 18, .color = canvas.theme().ink};
  canvas.text({inner.x, inner.y + 25}, elided(canvas, title, title_style, inner.width - reserved),
              title_style);
  const TextStyle subtitle_style{.size = 14, .color = canvas.theme().second_text};
  canvas.text({inner.x, inner.y + 51}, by_clauses(canvas, subtitle, subtitle_style, inner.width),
              subtitle_style);
  return stage_content(area);
}

Rect draw_heading(Canvas& canvas, const Rect& part, std::string_view heading, const HeadingOptions& options) {
  const TextStyle style{.font = Font::semibold, .size = 14, .color = canvas.theme().ink};
  const float room = part.width - options.reserved;
  const std::string shown = elided(canvas, heading, style, room);
  canvas.text({part.x, part.y + 12}, shown, style);

  // The note, when it fits.
  const float used = canvas.measure(shown, style).x + 12;
  TextStyle note = caption_style(canvas);
  if (!options.note.empty() && canvas.measure(options.note, note).x <= room - used) {
    if (options.note_right) note.x = AlignX::right;
    canvas.text({options.note_right ? part.x + room : part.x + used, part.y + 12}, options.note, note);
  }
  return {part.x, part.y + kHeadingHeight, part.width, std::max(0.0f, part.height - kHeadingHeight)};
}

void draw_nothing_yet(Canvas& canvas, const Rect& area, std::string_view heading, std::string_view text) {
  const float width = std::min(360.0f, area.width - 32);
  const TextStyle body{.size = 14, .color = canvas.theme().second_text, .y = AlignY::top};
  const float height = 32 + paragraph_height(canvas, width, text, body);
  const Point at{area.center().x - width / 2, area.center().y - height / 2};
  canvas.text({at.x, at.y + 10}, heading, {.font = Font::semibold, .size = 14, .color = canvas.theme().ink});
  paragraph(canvas, {at.x, at.y + 28}, width, text, body);
}

TextStyle caption_style(const Canvas& canvas) {
  return {.size = 12, .color = canvas.theme().second_text};
}

TextStyle index_style(const Canvas& canvas) {
  return {.font = Font::mono, .size = 12, .color = canvas.theme().second_text};
}

StageHead::StageHead(ui::Ui& ui, const Rect& area, std::string_view title, Point control) : ui_(ui) {
  const Rect seen = ui.scroll.seen(area);
  const bool wider = seen.width < area.width - 0.5f, higher = seen.height < area.height - 0.5f;
  const float top = seen.y;
  covers_ = wider || top > area.y + 0.5f;
  // Where both bars lie beside the picture it has lost their room: the control has not.
  const float right = seen.right() - kStagePadding + (wider && higher ? ui::kBesideScrollBars : 0);
  // One that is wider than the stage begins where the picture does, and is scrolled with it.
  const bool fits = control.x <= seen.width - 2 * kStagePadding;
  const float left = fits ? right - control.x : area.x + kStagePadding;
  control_ = {left, top + 25 - control.y / 2, control.x, control.y};
  if (!covers_) return;
  const Rect strip{seen.x, top, seen.width - (higher ? ui::kBesideScrollBars : 0), kStageTopBare};
  ui.begin_layer(intersection(strip, seen), false);
  ui.canvas().push_clip(seen);
  ui.canvas().rectangle(strip, {.fill = ui.theme().paper});
  draw_stage_title(ui.canvas(), strip, title, "", control.x + 16);
}

StageHead::~StageHead() {
  if (!covers_) return;
  ui_.canvas().pop_clip();
  ui_.end_layer();
}

void turn_to_top(ui::Ui& ui) {
  for (const char* const stage : {"stage", "second stage", "both stages", "lecture"}) ui.scroll.to(stage, {});
}

NumberTable matrix_table(const MatrixNumbers& matrix, std::string title) {
  NumberTable table{.title = std::move(title)};
  for (int row = 0; row < matrix.rows.count(); ++row) {
    table.rows.push_back(matrix.rows.label(row));
    std::vector<double>& values = table.values.emplace_back();
    for (int column = 0; column < matrix.columns.count(); ++column)
      values.push_back(static_cast<double>(matrix.at(row, column)));
  }
  for (int column = 0; column < matrix.columns.count(); ++column)
    table.columns.push_back(matrix.columns.label(column));
  return table;
}

}  // namespace glassformer
