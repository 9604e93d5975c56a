#include <algorithm>
#include <cmath>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/picking.h"
#include "app/views/common/stage_text.h"
#include "app/views/layers/layers.h"
#include "app/widgets/colormap.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

TextStyle word_style(const Canvas& canvas, bool strong) {
  return {.font = strong ? Font::semibold : Font::regular,
          .size = 12,
          .color = strong ? canvas.theme().ink : canvas.theme().second_text,
          .x = AlignX::center};
}

bool in_focus(const LayersScene& scene, int place) {
  return scene.place_pinned && scene.place == place;
}

void draw_heads(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Theme& theme = canvas.theme();
  const float words = at.cells.y - 16, indices = at.cells.y - 37;
  draw_badge(canvas, {at.labels.x + 9, words}, Badge::query);
  canvas.text({at.labels.x + 26, words}, "reads", {.font = Font::semibold, .size = 12, .color = theme.ink});
  for (int place = 0; place < scene.places(); ++place) {
    const Rect column = at.cell(0, place);
    TextStyle index = index_style(canvas);
    index.x = AlignX::center;
    canvas.text({column.center().x, indices}, std::to_string(place + scene.begins), index);
    const bool focus = in_focus(scene, place);
    if (focus)
      canvas.rectangle(
          {column.x, words - 12, column.width, 24},
          {.fill = theme.query_tint, .outline = theme.query, .outline_width = 1.5f, .radius = 6});
    const TextStyle style = word_style(canvas, focus);
    canvas.text({column.center().x, words},
                elided(canvas, scene.read[static_cast<std::size_t>(place)], style, column.width - 4), style);
  }
}

void draw_line_names(Canvas& canvas, const LayersLayout& at, const LayersScene& scene, int line) {
  const LayersLine& shown = scene.lines[static_cast<std::size_t>(line)];
  const float y = at.row(line).center().y;
  if (shown.opens) {
    const bool folds = shown.closed();
    if (folds) draw_mark(canvas, {at.labels.x + 4, y}, Mark::chevron_right, canvas.theme().second_text, 8);
    canvas.text({at.labels.x + (folds ? 14.0f : 0.0f), y}, layer_words((shown.row - 1) / 3),
                {.font = Font::semibold, .size = 12, .color = canvas.theme().ink});
  }
  TextStyle style = word_style(canvas, scene.line == line);
  style.x = AlignX::right;
  canvas.text({at.labels.right() - 12, y}, scene.part(line), style);
}

// The word it says there, how sure it is, and what became of it.
void draw_cell(Canvas& canvas, const LayersLayout& at, const LayersScene& scene, int line, int place) {
  const Theme& theme = canvas.theme();
  const Rect cell = at.cell(line, place);
  const double p = scene.probability(line, place);
  const Color fill = value_color(ColorScale::weight, p, 1, theme);
  canvas.rectangle(cell, {.fill = std::isfinite(p) ? fill : theme.panel});
  if (!std::isfinite(p)) return draw_not_a_number(canvas, cell);

  const TextStyle word{.font = scene.settled(line, place) ? Font::semibold : Font::regular,
                       .size = 12,
                       .color = text_on(fill),
                       .x = AlignX::center};
  const Point middle = cell.center();
  const std::string text = elided(canvas, scene.word(scene.says(line, place).id), word, cell.width - 6);
  if (!at.two_lines) return canvas.text(middle, text, word);
  canvas.text({middle.x, middle.y - 8}, text, word);
  canvas.text({middle.x, middle.y + 9}, format_small_probability(p),
              {.font = Font::mono, .size = 11, .color = word.color, .x = AlignX::center});
}

// Over the outlines, so that both are seen. The cells are as dark in both themes: so is the mark as light.
void draw_turns(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Color color = dark_theme().reference;
  const float side = at.two_lines ? 8.0f : 6.0f;
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line)
    for (int place = 0; place < scene.places(); ++place) {
      if (!scene.turns(line, place)) continue;
      const Rect cell = at.cell(line, place);
      const Point corner[] = {{cell.x, cell.y}, {cell.x + side, cell.y}, {cell.x, cell.y + side}};
      canvas.polygon(corner, color);
    }
}

void draw_outlines(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Theme& theme = canvas.theme();
  const int lines = static_cast<int>(scene.lines.size());
  for (int line = 0; line < lines; ++line)
    for (int place = 0; place < scene.places(); ++place)
      if (scene.settles(line, place)) {
        const Rect cell = at.cell(line, place);
        canvas.rectangle(cell.inset(-1), {.outline = theme.ink, .outline_width = 2, .radius = 3});
        canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
      }
  const Rect first = at.cell(0, scene.place), last = at.cell(lines - 1, scene.place);
  canvas.rectangle({first.x - 3, first.y - 4, first.width + 6, last.bottom() - first.y + 8},
                   {.outline = scene.place_pinned ? theme.query : theme.control,
                    .outline_width = scene.place_pinned ? 2.0f : 1.0f,
                    .radius = 4});
  if (!scene.line) return;
  const Rect cell = at.cell(*scene.line, scene.place);
  canvas.rectangle(cell.inset(-2), {.outline = theme.ink, .outline_width = 3, .radius = 3});
  canvas.rectangle(cell.inset(1), {.outline = theme.paper, .outline_width = 1, .radius = 1});
}

// One grid, so that the arrows lead from any cell to any other.
void make_live(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  HitGrid grid{
      .rect = at.cells, .rows = static_cast<int>(scene.lines.size()), .columns = scene.places(), .cell = {}};
  struct Line {
    std::string title, name;
    bool closed;
    Command about;
    std::vector<std::string> words;
    std::vector<double> p;
  };
  std::vector<Line> lines;
  for (int line = 0; line < grid.rows; ++line) {
    const Rect row = at.row(line);
    grid.bands.push_back(
        {(row.y - at.cells.y) / at.cells.height, (row.bottom() - at.cells.y) / at.cells.height});
    const LayersLine& shown = scene.lines[static_cast<std::size_t>(line)];
    Line& entry = lines.emplace_back(Line{scene.title(line),
                                          scene.lens->rows[static_cast<std::size_t>(shown.row)].name,
                                          shown.closed(),
                                          about_part(scene.lens->rows[static_cast<std::size_t>(shown.row)]),
                                          {},
                                          {}});
    for (int place = 0; place < grid.columns; ++place) {
      entry.words.push_back(scene.word(scene.says(line, place).id));
      entry.p.push_back(scene.probability(line, place));
    }
  }
  grid.cell = [lines = std::move(lines), before = scene.input.pinned, from = scene.begins](int line,
                                                                                           int place) {
    const Line& entry = lines[static_cast<std::size_t>(line)];
    const auto column = static_cast<std::size_t>(place);
    const std::string says = std::isfinite(entry.p[column]) ? "“" + entry.words[column] + "”, p " +
                                                                  format_pinned(entry.p[column]) + ", after "
                                                            : "no word, the numbers are not finite after ";
    HitRegion hit = picking("lens " + entry.title + " place " + std::to_string(from + place),
                            selecting_lens(before, entry.name, from + place),
                            says + entry.title + (entry.closed ? "\nA click opens the layer" : ""));
    hit.menu = entry.about;
    return hit;
  };
  canvas.hit_grid(grid);
}

void draw_written(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  TextStyle head{.font = Font::semibold, .size = 12, .color = canvas.theme().ink, .x = AlignX::right};
  const bool right = has_right_words(scene.input, 0);
  canvas.text({at.labels.right() - 12, at.writes},
              right                       ? asked_word(scene.input, 0)
              : scene.input.second_of_two ? "the first writes"
                                          : "writes",
              head);
  for (int place = 0; place < scene.places(); ++place) {
    const Rect cell = at.cell(0, place);
    const TextStyle style = word_style(canvas, in_focus(scene, place));
    canvas.text({cell.center().x, at.writes},
                elided(canvas, scene.written[static_cast<std::size_t>(place)], style, cell.width - 4), style);
  }
}

// As many of its parts as there is room for, from the left.
void draw_legend(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  const Theme& theme = canvas.theme();
  const TextStyle style = caption_style(canvas);
  const float y = at.legend, end = at.follow.right();
  float x = at.labels.x + 16;
  draw_color_bar_across(canvas, {x, y - 5, 72, 10}, ColorScale::weight, 1);
  x += 72 + 28;
  const auto say = [&](std::string_view text, float mark, auto&& draw) {
    const float width = canvas.measure(text, style).x;
    if (x + mark + width > end) return;
    draw(Point{x, y});
    canvas.text({x + mark, y}, text, style);
    x += mark + width + 24;
  };
  const auto nothing = [](Point) {};
  say("probability of the word", 0, nothing);
  say("another word than above", 14, [&](Point p) {
    const Point corner[] = {{p.x, p.y - 4}, {p.x + 8, p.y - 4}, {p.x, p.y + 4}};
    canvas.polygon(corner, theme.reference);
  });
  say("from here on it stays this word", 26, [&](Point p) {
    canvas.rectangle({p.x, p.y - 7, 18, 14}, {.outline = theme.ink, .outline_width = 2, .radius = 3});
  });
  bool inside = false;
  for (std::size_t line = 0; line < scene.lines.size(); ++line)
    for (int place = 0; place < scene.places(); ++place)
      inside = inside || scene.inside_word(scene.says(static_cast<int>(line), place).id);
  if (inside) say("·x inside a word", 0, nothing);
}

}  // namespace

namespace {

void draw_words(Canvas& canvas, const LayersLayout& at, const LayersScene& scene) {
  draw_heads(canvas, at, scene);
  for (int line = 0; line < static_cast<int>(scene.lines.size()); ++line) {
    draw_line_names(canvas, at, scene, line);
    for (int place = 0; place < scene.places(); ++place) draw_cell(canvas, at, scene, line, place);
  }
  draw_outlines(canvas, at, scene);
  draw_turns(canvas, at, scene);
  draw_written(canvas, at, scene);
  make_live(canvas, at, scene);
}

}  // namespace

void draw_layers_alone(Canvas& canvas, const Rect& room, const LayersScene& scene) {
  if (!scene.lens)
    return draw_nothing_yet(canvas, room, "Computing…", "Every part of the decoder is turned into words.");
  const LayersScene part = part_of_places(scene, layers_places_alone(room.width));
  draw_words(canvas, layout_layers_alone(room, part), part);
}

void draw_layers(Canvas& canvas, const Rect& area, const LayersScene& scene) {
  const LayersLayout at = layout_layers(area, scene);
  draw_stage_title(canvas, area, "What it would write if it stopped there",
                   at.subtitle ? "After every part of the decoder the numbers of each place are turned into "
                                 "words, as only the last ones are in the real output."
                               : "");
  if (!scene.lens)
    return draw_nothing_yet(canvas, stage_content(area, at.subtitle), "Computing…",
                            "Every part of the decoder is turned into words.");
  draw_words(canvas, at, scene);
  draw_followed_word(canvas, at, scene);
  draw_legend(canvas, at, scene);

  const float width = stage_content(area, at.subtitle).width;
  TextStyle style = caption_style(canvas);
  style.y = AlignY::top;
  style.color = canvas.theme().ink;
  const float summary = paragraph(canvas, {at.labels.x, at.text}, width, lens_summary(scene), style);
  style.color = canvas.theme().second_text;
  paragraph(canvas, {at.labels.x, at.text + summary + 4}, width, lens_warning(scene), style);
}

}  // namespace glassformer
