#include "app/views/lookup/lookup.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/colormap.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kHead = 24, kLeastRow = 20, kMostRow = 42, kBeforeAnswers = 9;
constexpr float kShareNumber = 44;

void draw_share(Canvas& canvas, const Rect& cell, double share, bool strongest) {
  const Theme& theme = canvas.theme();
  if (std::isnan(share))
    return draw_not_a_number(canvas, {cell.x, cell.y + 2, cell.height - 4, cell.height - 4});
  const float y = cell.center().y;
  const Rect track{cell.x, std::round(y - 4.5f), cell.width - kShareNumber, 9};
  if (track.width >= 12) draw_share_bar(canvas, track, share, strongest ? theme.ink : theme.faint_text);
  canvas.text({cell.right(), y}, format_fixed(share, 3),
              {.font = Font::mono,
               .size = 12,
               .color = strongest ? theme.ink : theme.second_text,
               .x = AlignX::right});
}

void draw_hard(Canvas& canvas, const Rect& cell, double share) {
  const Theme& theme = canvas.theme();
  const float y = cell.center().y;
  canvas.rectangle({cell.x, std::round(y - 4.5f), 18, 9},
                   {.fill = share > 0 ? theme.ink : theme.sunken, .radius = 2});
  canvas.text({cell.x + 36, y}, share > 0 ? "1" : "0",
              {.font = Font::mono,
               .size = 12,
               .color = share > 0 ? theme.ink : theme.second_text,
               .x = AlignX::right});
}

void draw_score(Canvas& canvas, const Rect& cell, double score, double limit) {
  const Theme& theme = canvas.theme();
  if (std::isinf(score)) return draw_hatched(canvas, cell.inset(1));
  TextStyle number{.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::right};
  if (limit > 0) {
    const Color fill = value_color(ColorScale::signed_value, score, limit, theme);
    canvas.rectangle(cell.inset(0.5f), {.fill = fill});
    number.color = text_on(fill);
  }
  const float inset = limit > 0 ? 6 : 0;
  canvas.text({cell.right() - inset, cell.center().y}, format_fixed(score, 2), number);
}

}  // namespace

Rect LookupTableLayout::line(int at) const {
  const float gap = at >= lines ? kBeforeAnswers : 0;
  const float y = name.y + head + row_height * static_cast<float>(at + 1) + gap;
  return {name.x, y, value.right() - name.x, row_height};
}

Rect LookupTableLayout::cell(const Rect& column, int at) const {
  const Rect row = line(at);
  return {column.x, row.y, column.width, row.height};
}

float lookup_table_height(int lines) {
  return kHead + kLeastRow * static_cast<float>(lines + 3) + kBeforeAnswers;
}

LookupTableLayout layout_lookup_table(const Rect& area, int lines, const LookupWidths& widths) {
  LookupTableLayout layout{.head = kHead, .lines = lines};
  const float rows = static_cast<float>(lines + 3);
  layout.row_height =
      std::clamp(std::floor((area.height - kHead - kBeforeAnswers) / rows), kLeastRow, kMostRow);
  const float height = kHead + layout.row_height * rows + kBeforeAnswers;
  const float gap = area.width < 440 ? 8 : 12;
  float x = area.x;
  const auto column = [&](float width) {
    const Rect rect{x, area.y, width, height};
    x += width + gap;
    return rect;
  };
  layout.name = column(widths.name);
  layout.key = column(widths.key);
  layout.score = column(widths.score);
  layout.hard = column(widths.hard);
  layout.soft = column(std::max(40.0f, area.right() - widths.value - gap - x));
  layout.value = column(widths.value);
  return layout;
}

void draw_lookup_table(Canvas& canvas, const LookupTableLayout& layout, const LookupTable& table) {
  const Theme& theme = canvas.theme();
  const TextStyle caption = caption_style(canvas);
  const TextStyle head{.font = Font::semibold, .size = 12, .color = theme.ink};

  // The columns' names.
  const float y = layout.name.y + kHead / 2;
  canvas.text({layout.name.x, y}, table.name_title, caption);
  const auto badge = [&](const Rect& column, Badge which, const std::string& title) {
    const float inset = table.scored ? 22.0f : 0;
    if (table.scored) draw_badge(canvas, {column.x + 8, y}, which, 16);
    canvas.text({column.x + inset, y}, elided(canvas, title, caption, column.width + 4 - inset), caption);
    if (table.scored)
      explain(canvas, {column.x, y - 9, column.width, 18}, which == Badge::key ? "key" : "value");
  };
  badge(layout.key, Badge::key, table.key_title);
  TextStyle right = caption;
  right.x = AlignX::right;
  if (table.scored) draw_explained(canvas, {layout.score.right(), y}, "score", right);
  if (table.scored) draw_explained(canvas, {layout.hard.x, y}, "argmax", head);
  draw_explained(canvas, {layout.soft.x, y}, table.soft_name, head);
  badge(layout.value, Badge::value, table.value_title);

  // The query is over the keys, in its colour.
  const Rect asked = layout.line(-1);
  draw_badge(canvas, {layout.name.x + 8, asked.center().y}, Badge::query, 16);
  canvas.text({layout.name.x + 22, asked.center().y},
              elided(canvas, table.query_title, caption, layout.key.x - layout.name.x - 26), caption);
  table.draw_key(layout.cell(layout.key, -1), -1);
  if (table.scored) {
    canvas.text({layout.score.x + 6, asked.center().y}, table.score_formula, caption);
    explain(canvas, layout.cell(layout.score, -1), "score");
    explain(canvas, layout.cell(layout.name, -1), "query");
  }
  canvas.line({layout.name.x, asked.bottom()}, {layout.value.right(), asked.bottom()},
              {.color = theme.border});

  // One line a fact.
  double most = 0;
  for (const LookupLine& line : table.lines) most = std::max(most, line.soft);
  for (int i = 0; i < layout.lines; ++i) {
    const LookupLine& line = table.lines[static_cast<std::size_t>(i)];
    const Rect row = layout.line(i);
    const float middle = row.center().y;
    const bool chosen = line.hard > 0;
    const TextStyle name{
        .font = chosen || line.lit ? Font::semibold : Font::regular, .size = 12, .color = theme.ink};
    if (line.lit)
      canvas.rectangle({layout.name.x - 6, row.y + 1, layout.name.width + 8, row.height - 2},
                       {.fill = theme.key_tint, .outline = theme.key, .outline_width = 1.5f, .radius = 6});
    canvas.text({layout.name.x, middle}, elided(canvas, line.name, name, layout.name.width), name);
    table.draw_key(layout.cell(layout.key, i), i);
    if (table.scored) draw_score(canvas, layout.cell(layout.score, i), line.score, table.score_limit);
    if (table.scored) draw_hard(canvas, layout.cell(layout.hard, i), line.hard);
    draw_share(canvas, layout.cell(layout.soft, i), line.soft, line.soft > 0 && line.soft == most);
    table.draw_value(layout.cell(layout.value, i), i);
  }

  // What comes out, under the values.
  const float rule = layout.line(layout.lines).y - kBeforeAnswers / 2;
  canvas.line({layout.name.x, rule}, {layout.value.right(), rule}, {.color = theme.border});
  for (const bool soft : {false, true}) {
    if (!soft && !table.scored) continue;
    const int at = layout.lines + (soft ? 1 : 0);
    const Rect row = layout.line(at);
    TextStyle words{.size = 12, .color = theme.ink, .x = AlignX::right};
    const std::string& text = soft ? table.soft_answer : table.hard_answer;
    canvas.text({layout.soft.right(), row.center().y},
                elided(canvas, text, words, layout.soft.right() - layout.name.x), words);
    table.draw_value(layout.cell(layout.value, at), at);
  }
}

void draw_temperature(Canvas& canvas, const Rect& area, double temperature) {
  const TextStyle caption = caption_style(canvas);
  TextStyle right = caption;
  right.x = AlignX::right;
  draw_explained(canvas, {area.x, area.y + 9}, "temperature", caption);
  canvas.text({area.right(), area.y + 9}, format_short(temperature),
              {.font = Font::mono, .size = 12, .color = canvas.theme().ink, .x = AlignX::right});
  draw_still_slider(canvas, temperature_track(area),
                    (std::log10(temperature) - kColdest) / (kHottest - kColdest));
  const float both = canvas.measure("argmax  mean of all", caption).x;
  draw_explained(canvas, {area.x, area.bottom() - 8}, "argmax", caption);
  canvas.text({area.right(), area.bottom() - 8}, both <= area.width ? "mean of all" : "mean", right);
}

Rect temperature_track(const Rect& area) {
  return {area.x + 8, area.y + 14, area.width - 16, 32};
}

void draw_still_slider(Canvas& canvas, const Rect& track, double share) {
  if (!canvas.is_file()) return;
  const Theme& theme = canvas.theme();
  const float y = std::round(track.center().y),
              at = static_cast<float>(std::clamp(share, 0.0, 1.0)) * track.width;
  canvas.rectangle({track.x, y - 2, track.width, 4}, {.fill = theme.control, .radius = 2});
  canvas.rectangle({track.x, y - 2, at, 4}, {.fill = theme.ink, .radius = 2});
  canvas.circle({track.x + at, y}, 8, theme.panel, {.color = theme.ink, .width = 2});
}

void draw_verdict(Canvas& canvas, const Rect& area, const LookupVerdict& verdict) {
  const Theme& theme = canvas.theme();
  const Stroke sample{
      .color = verdict.soft ? theme.ink : theme.reference, .width = 2, .dashed = !verdict.soft};
  const float y = area.y + 10;
  canvas.line({area.x, y}, {area.x + 18, y}, sample);
  const TextStyle name{.font = Font::semibold, .size = 14, .color = theme.ink};
  const std::string word = verdict.soft ? verdict.soft_name : "argmax";
  draw_explained(canvas, {area.x + 26, y}, word, name);
  canvas.text({area.x + 26 + canvas.measure(word, name).x + 10, y}, verdict.answer,
              {.font = Font::mono, .size = 18, .color = theme.ink});
  const TextStyle slope{.font = Font::mono, .size = 12, .color = theme.ink};
  canvas.text({area.x, y + 22}, verdict.slope, slope);
  if (!verdict.slope.empty())
    explain(canvas, {area.x, y + 13, canvas.measure(verdict.slope, slope).x, 18}, "slope");
  constexpr float kWithWords = 60;
  if (area.height < kWithWords) return;
  TextStyle words = caption_style(canvas);
  words.y = AlignY::top;
  const float height = paragraph(canvas, {area.x, area.y + 42}, area.width, verdict.words, words);
  if (verdict.words.find("gradient") != std::string::npos)
    explain(canvas, {area.x, area.y + 42, area.width, height}, "gradient");
}

}  // namespace glassformer
