#include "app/views/attention/attention.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/widgets/bars.h"
#include "app/widgets/marks.h"
#include "app/widgets/ribbons.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

// What the mouse is on is shown as if it was pinned, but never in the place of what is pinned.
const Selection& marked_words(const AttentionScene& scene) {
  const bool pinned = scene.pinned.kind == scene.shown.kind &&
                      scene.pinned.sentence == scene.shown.sentence &&
                      (scene.pinned.query || scene.pinned.key);
  return pinned ? scene.pinned : scene.shown;
}

// The heatmap with words on both axes, as the large head and as the small one.
HeatmapOptions heatmap_options(const AttentionScene& scene, const std::string& where) {
  HeatmapOptions options;
  options.scale = scene.limit > 0 ? ColorScale::signed_value : ColorScale::weight;
  options.limit = scene.limit;
  options.row_title = {Badge::query, "query", ""};
  options.column_title = {Badge::key, "key", scene.shown.kind == AttentionKind::cross ? "source" : ""};
  options.row_labels = scene.queries;
  options.column_labels = scene.keys;
  options.writes = scene.writes;
  if (scene.should) options.writes_title = "should write";
  options.stretch = 4;
  options.min_cell = 4;
  const Selection& marked = marked_words(scene);
  options.pinned_row = marked.query;
  options.pinned_column = marked.key;
  options.more_rows = marked.more_queries;
  options.more_columns = marked.more_keys;
  if (scene.shown.query != marked.query || scene.shown.key != marked.key) {
    options.hovered_row = scene.shown.query;
    options.hovered_column = scene.shown.key;
  }
  options.computed = scene.computed_rows * scene.table.columns;
  // Cells are asked about after the drawing, so they keep their own scene.
  const auto kept = std::make_shared<const AttentionScene>(scene);
  options.cell_hit = [kept, where](int row, int column) {
    HitRegion hit = cell_hit(*kept, row, column);
    hit.label += where;
    return hit;
  };
  options.row_hit = [kept, where](int row) { return line_hit(*kept, row, {}, " row" + where); };
  options.column_hit = [kept, where](int column) { return line_hit(*kept, {}, column, " column" + where); };
  return options;
}

// `written` of the words are there; the others wait for their step.
std::vector<TokenChip> chips(const std::vector<std::string>& words, const std::vector<int>& pinned,
                             ChipPin pin, int written) {
  std::vector<TokenChip> made;
  for (size_t i = 0; i < words.size(); ++i) {
    TokenChip& chip = made.emplace_back();
    chip.text = words[i];
    chip.special = is_special_word(words[i]);
    if (std::ranges::find(pinned, static_cast<int>(i)) != pinned.end()) chip.pin = pin;
    chip.future = static_cast<int>(i) >= written;
  }
  return made;
}

void draw_ribbons_of(Canvas& canvas, const Rect& area, const AttentionScene& scene,
                     const std::string& where) {
  RibbonsOptions options;
  const Selection& marked = marked_words(scene);
  const auto all = [](const std::optional<int>& first, std::vector<int> more) {
    if (first) more.push_back(*first);
    return more;
  };
  const int keys = scene.shown.kind == AttentionKind::decoder ? scene.computed_rows : scene.table.columns;
  options.keys = chips(scene.keys, all(marked.key, marked.more_keys), ChipPin::key, keys);
  options.queries = chips(scene.writes.empty() ? scene.queries : scene.writes,
                          all(marked.query, marked.more_queries), ChipPin::query, scene.computed_rows);
  if (scene.shown.key) options.keys[static_cast<size_t>(*scene.shown.key)].hovered = true;
  if (scene.shown.query) options.queries[static_cast<size_t>(*scene.shown.query)].hovered = true;

  // The bands of the pinned row, and of the one that the mouse is on; else those of the pinned column.
  options.row = marked.query;
  if (options.row) options.more_rows = all(scene.shown.query, marked.more_queries);
  if (!options.row) options.column = marked.key, options.more_columns = marked.more_keys;
  options.keep_row = scene.pinned.query;
  options.keep_column = scene.pinned.key;
  options.key_hit = [&](int key) { return line_hit(scene, {}, key, where); };
  options.query_hit = [&](int query) { return line_hit(scene, query, {}, where); };
  draw_ribbons(canvas, area, written_so_far(scene.table.data(), scene.computed_rows), options);
}

// "English above, the French word written below."
std::string ribbon_words(const AttentionScene& scene) {
  const std::string source = source_language(scene.input), target = target_language(scene.input);
  switch (scene.shown.kind) {
    case AttentionKind::encoder:
      return source + " above, the " + source + " word that reads it below.";
    case AttentionKind::decoder:
      return "What is read above, the " + target + " word written below.";
    case AttentionKind::cross:
      break;
  }
  std::string above = source;
  above[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(above[0])));
  return above + " above, the " + target + " word written below.";
}

// As much of it as fits, whole sentences.
std::string ribbon_caption(const Canvas& canvas, const AttentionScene& scene, float width) {
  const TextStyle style = caption_style(canvas);
  const std::string words = ribbon_words(scene);
  for (const char* more : {" Strongest links, 75 % of a row.", " Links: 75 % of a row."})
    if (canvas.measure(words + more, style).x <= width) return words + more;
  return elided(canvas, words, style, width);
}

std::string head_heading(const AttentionScene& scene) {
  const std::string layer = capitalized(layer_words(scene.shown.layer)) + " · ";
  if (scene.shown.head < 0) return layer + "mean of " + std::to_string(scene.heads) + " heads";
  return layer + "head " + std::to_string(scene.shown.head + 1);
}

// Without the view's title, a head says whose it is.
std::string heading_alone(const AttentionScene& scene) {
  const AttentionKind kind = scene.shown.kind;
  return head_heading(scene) + (kind == AttentionKind::encoder   ? ", encoder"
                                : kind == AttentionKind::decoder ? ", decoder"
                                                                 : ", cross-attention");
}

double row_sum(const AttentionScene& scene, int row) {
  double sum = 0;
  for (int column = 0; column < scene.table.columns; ++column) sum += scene.table.at(row, column);
  return sum;
}

// A lesson asks for this row: nothing of it is shown.
bool is_covered(const AttentionScene& scene, int row) {
  const Selection& at = scene.shown;
  return covered_row(scene.input.covered, at.kind, at.layer, at.head, at.sentence) == row;
}

std::string sum_words(const AttentionScene& scene, int row) {
  return is_covered(scene, row) ? "?" : format_fixed(row_sum(scene, row), 3);
}

// "; <pad>, not drawn, takes 0.959": why a row of words alone does not add up to 1.
std::string padding_words(const AttentionScene& scene, int row) {
  const double share =
      static_cast<size_t>(row) < scene.padding.size() ? scene.padding[static_cast<size_t>(row)] : 0;
  return share < 0.0005 ? "" : "; <pad>, not drawn, takes " + format_fixed(share, 3);
}

// "Row sum 1.000. Left of a row: the word just read. Right: the word it writes." and what is pinned.
void draw_notes(Canvas& canvas, const Rect& area, const AttentionScene& scene, bool writes, bool alone) {
  const Theme& theme = canvas.theme();
  TextStyle style = caption_style(canvas);
  const float width = area.width;
  float x = area.x;
  const float first = area.y + 9;
  const int row = scene.shown.query.value_or(0);
  canvas.text({x, first}, "Row sum", style);
  x += canvas.measure("Row sum ", style).x;
  const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.ink};
  const std::string sum = sum_words(scene, row);
  canvas.text({x, first}, sum, mono);
  x += canvas.measure(sum, mono).x;
  const std::string rest = padding_words(scene, row);
  std::string sides;
  if (!rest.empty())
    sides = rest + ". The padding mask is off.";
  else
    for (const char* words :
         scene.writes.empty() || !writes
             ? std::array{".", ".  A row: where a word looks.", ".  Each row says where one word looks."}
         : scene.should ? std::array{".", ".  Left read, right the right word.",
                                     ".  Left of a row: the word just read. Right: the word it should write."}
                        : std::array{".", ".  Left read, right written.",
                                     ".  Left of a row: the word just read. Right: the word it writes."})
      if (sides.empty() || canvas.measure(words, style).x <= area.x + width - x) sides = words;
  canvas.text({x, first}, elided(canvas, sides, style, area.x + width - x), style);

  if (alone) return;

  // The pin in words and numbers.
  x = area.x;
  const float second = area.y + 35;
  const Selection& pinned = scene.pinned;
  if (!pinned.query && !pinned.key) {
    if (canvas.is_file()) return;
    canvas.text({x, second}, elided(canvas, "Click a cell, a word or a head to pin it.", style, width),
                style);
    return;
  }
  const TextStyle strong{.font = Font::semibold, .size = 12, .color = theme.ink};
  canvas.text({x, second}, "Pinned", strong);
  x += canvas.measure("Pinned", strong).x + 12;
  std::string words =
      layer_words(pinned.layer) + (pinned.head < 0 ? ", mean" : ", head " + std::to_string(pinned.head + 1));
  const auto places = [](const char* one, const char* several, int place, const std::vector<int>& more) {
    std::vector<int> sorted = more;
    sorted.push_back(place);
    std::ranges::sort(sorted);
    std::string text = sorted.size() > 1 ? several : one;
    for (size_t i = 0; i < sorted.size(); ++i) {
      text += i == 0 ? " " : i + 1 == sorted.size() ? " and " : ", ";
      text += std::to_string(sorted[i]);
    }
    return text;
  };
  if (pinned.query) words += ", " + places("query", "queries", *pinned.query, pinned.more_queries);
  if (pinned.key) words += ", " + places("key", "keys", *pinned.key, pinned.more_keys);
  canvas.text({x, second}, elided(canvas, words, style, area.right() - x), style);
  x += canvas.measure(words, style).x + 24;
  if (canvas.is_file() || x + 90 > area.right()) return;
  x += draw_keycap(canvas, {x, second}, "Esc") + 8;
  canvas.text({x, second}, "clears", style);
  x += canvas.measure("clears", style).x + 16;
  const bool editable = pinned.query && pinned.head >= 0 && pinned.sentence == 0 && scene.limit == 0;
  if (!editable || x + 110 > area.right()) return;
  x += draw_keycap(canvas, {x, second}, "R") + 8;
  canvas.text({x, second}, "edits its row", style);
}

// A file has no switch beside the heading.
float room_for_switch(const Canvas& canvas, const Rect& area) {
  return canvas.is_file() ? 0 : switch_width(area.width) + 12;
}

}  // namespace

void draw_attention_wall(Canvas& canvas, const AttentionLayout& parts, const AttentionScene& scene) {
  const bool counted = scene.every && canvas.is_file();
  const Rect content = draw_heading(
      canvas, parts.wall, counted ? "A" + all_heads(scene.input).substr(1) + " heads" : kWallHeading);

  // The mean over heads has no tile: a line beside the heading leads to it.
  if (!canvas.is_file() && parts.columns) {
    Selection mean = scene.shown;
    mean.head = -1;
    const bool open = scene.shown.head < 0;
    TextStyle style = caption_style(canvas);
    if (open) style = {.font = Font::semibold, .size = 12, .color = canvas.theme().ink};
    const TextStyle heading{.font = Font::semibold, .size = 14};
    const float room = parts.wall.width - canvas.measure(kWallHeading, heading).x - kEverySwitch - 16;
    const std::string whole = "mean over heads";
    const std::string text = canvas.measure(whole, style).x <= room ? whole : "mean";
    const Point size = canvas.measure(text, style);
    const Point at{parts.wall.right() - size.x, parts.wall.y + 12};
    canvas.text(at, text, style);
    canvas.line({at.x, at.y + 8}, {at.x + size.x, at.y + 8}, {style.color, 1});
    HitRegion hit = picking(head_label(mean), repinned(mean), "all heads of this layer, averaged");
    hit.rect = {at.x, at.y - 12, size.x, 24};
    canvas.hit(hit);
  }

  // Tiles refer to tables that live as long as this call.
  const std::vector<WallRow> rows = wall_rows(scene.input, scene.every);
  const int sentence = scene.shown.sentence;
  std::vector<AttentionTable> tables;
  WallOptions options;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const WallRow& one = rows[row];
    for (int head = 0; head < scene.heads; ++head)
      tables.push_back(shown_attention(scene.input, one.kind, one.layer, head, sentence));
    options.limit = std::max(options.limit, difference_limit(scene.input, one.kind, sentence));
    if (one.kind == scene.shown.kind && one.layer == scene.shown.layer)
      options.open_layer = static_cast<int>(row);
  }
  const auto at = [&rows](int row) { return rows[static_cast<size_t>(row)]; };
  options.scale = scene.limit > 0 ? ColorScale::signed_value : ColorScale::weight;
  options.layers = static_cast<int>(rows.size());
  options.heads = scene.heads;
  options.tile = parts.tile;
  options.gap = parts.gap;
  options.open_head = scene.shown.head;
  options.name = [&](int row) { return wall_row_name(at(row), scene.every); };
  options.data = [&](int row, int head) {
    const AttentionTable& table = tables[static_cast<size_t>(row * scene.heads + head)];
    return written_so_far(table.data(), computed_rows(scene.input, at(row).kind, sentence, table.rows));
  };
  options.muted = [&](int row, int head, int query) {
    return scene.input.result.scene.what_if.mutes(at(row).kind, at(row).layer, head, query);
  };
  // Asked after the drawing.
  options.hit = [pinned = scene.pinned, rows, every = scene.every](int row, int head) {
    const WallRow one = rows[static_cast<size_t>(row)];
    Selection selection = pinned.kind == one.kind ? pinned : of_kind(pinned, one.kind);
    selection.kind = one.kind;
    selection.layer = one.layer;
    selection.head = head;
    return picking(head_label(selection), repinned(selection),
                   wall_row_name(one, every) + ", head " + std::to_string(head + 1));
  };
  draw_wall(canvas, content, options);
}

void draw_head_heatmap(Canvas& canvas, const Rect& area, const AttentionScene& scene, bool alone) {
  const Rect content = draw_heading(canvas, area, alone ? heading_alone(scene) : head_heading(scene),
                                    {.reserved = alone ? 0 : room_for_switch(canvas, area)});
  const bool second_line = !alone && (!canvas.is_file() || scene.pinned.query || scene.pinned.key);
  constexpr std::size_t kNotedRows = 8;
  constexpr float kNotedFrom = 320;
  const bool noted = !alone || scene.queries.size() <= kNotedRows || area.height >= kNotedFrom;
  const float notes = second_line ? 48 : noted ? 22 : 0;
  const Rect map{content.x, content.y - 4, content.width, content.height - notes - 4};
  HeatmapOptions options = heatmap_options(scene, "");
  if (alone && canvas.is_file()) options.stretch = 1;  // square cells, as in papers
  const HeatmapLayout drawn = draw_heatmap(canvas, map, scene.table.data(), options);
  if (noted)
    draw_notes(canvas, {area.x, drawn.bounds.bottom() + 12, area.width, notes}, scene, drawn.writes, alone);
}

void draw_head_ribbons(Canvas& canvas, const Rect& area, const AttentionScene& scene) {
  const Rect content =
      draw_heading(canvas, area, head_heading(scene), {.reserved = room_for_switch(canvas, area)});
  constexpr float kNotes = 56;
  const float height = std::min(content.height - kNotes, 480.0f);
  draw_ribbons_of(canvas, {content.x, content.y + 8, content.width, height - 8}, scene, " chip");
  canvas.text({content.x, content.y + height + 16}, ribbon_caption(canvas, scene, content.width),
              caption_style(canvas));
}

void draw_small_ribbons(Canvas& canvas, const Rect& area, const AttentionScene& scene) {
  const Rect content = draw_heading(
      canvas, area, scene.shown.head < 0 ? "The same mean as ribbons" : "The same head as ribbons",
      {.note = "thicker is more", .note_right = false});
  constexpr float kCaption = 28;
  const float height = std::min(content.height - kCaption, 200.0f);
  draw_ribbons_of(canvas, {content.x, content.y - 8, content.width, height}, scene, " chip");
  canvas.text({content.x, content.y + height + 12}, ribbon_caption(canvas, scene, content.width),
              caption_style(canvas));
}

void draw_small_heatmap(Canvas& canvas, const Rect& area, const AttentionScene& scene) {
  const Rect content = draw_heading(canvas, area, "The same head as a heatmap");
  HeatmapOptions options = heatmap_options(scene, " small");
  options.row_title.word.clear();
  options.column_title.word.clear();
  options.row_title.badge = options.column_title.badge = Badge::none;
  options.color_bar = false;
  draw_heatmap(canvas, {content.x, content.y - 8, content.width, content.height}, scene.table.data(),
               options);
}

void draw_attention_row(Canvas& canvas, const Rect& area, const AttentionScene& scene) {
  const int row = scene.shown.query.value_or(0);
  if (row >= scene.table.rows) return;
  const std::string heading = !scene.shown.query                        ? "The first row"
                              : scene.pinned.query == scene.shown.query ? "The pinned row"
                                                                        : "The row you point at";
  const Rect content = draw_heading(canvas, area, heading,
                                    {.note = "sum " + sum_words(scene, row) + padding_words(scene, row)});
  if (is_covered(scene, row)) return;
  std::vector<int> order(static_cast<size_t>(scene.table.columns));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return scene.table.at(row, a) > scene.table.at(row, b); });

  const float bars_height = content.height - 24;
  const int shown = std::clamp(static_cast<int>(bars_height / 24), 1, std::max(1, scene.table.columns));
  std::vector<BarRow> rows;
  double rest = row_sum(scene, row);
  for (int i = 0; i < shown && i < static_cast<int>(order.size()); ++i) {
    const int key = order[static_cast<size_t>(i)];
    const double weight = scene.table.at(row, key);
    BarRow& bar = rows.emplace_back();
    bar.label = scene.keys[static_cast<size_t>(key)];
    bar.share = weight;
    bar.emphasized = scene.shown.key ? *scene.shown.key == key : i == 0;
    rest -= weight;
  }
  BarListOptions options;
  options.labels_right = false;
  options.hit = [&](int bar) {
    HitRegion hit = cell_hit(scene, row, order[static_cast<size_t>(bar)]);
    hit.label += " bar";
    return hit;
  };
  const float used =
      draw_bar_list(canvas, {content.x, content.y - 6, content.width, bars_height}, rows, options);
  const int more = scene.table.columns - static_cast<int>(rows.size());
  if (more > 0)
    canvas.text({content.x, content.y + used + 4},
                "and " + std::to_string(more) + " more, together " + format_fixed(std::max(0.0, rest), 3),
                caption_style(canvas));
}

}  // namespace glassformer
