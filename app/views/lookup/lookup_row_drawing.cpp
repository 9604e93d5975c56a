#include <algorithm>
#include <cmath>
#include <utility>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/reading/attention_table.h"
#include "app/reading/scene_words.h"
#include "app/views/common/stage_text.h"
#include "app/views/lookup/lookup.h"
#include "app/widgets/explained_words.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/marks.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

namespace {

constexpr float kControls = 72, kVerdict = 84;

// A hover and a click on a number of the Trace.
HitRegion hit_of(const Selection& before, const CellRef& cell, std::string label, std::string tooltip) {
  const Selection selection = selecting(before, cell);
  return {.label = std::move(label),
          .hover = SetHover{selection},
          .click = SetPin{selection},
          .tooltip = std::move(tooltip)};
}

// A row of numbers as a strip of coloured cells, each of which can be pinned.
struct Strip {
  Plane numbers;  // (1, k)
  double limit = 1;
  std::string label;                  // "lookup key 3"
  std::optional<CellRef> first = {};  // of its first column; none: cannot be pinned
};

// The number that is pinned or under the mouse.
void mark(Canvas& canvas, const Rect& rect) {
  canvas.rectangle(rect.inset(-1), {.outline = canvas.theme().ink, .outline_width = 3, .radius = 2});
}

void draw_strip(Canvas& canvas, const Rect& cell, const Strip& strip, const RowScene& scene) {
  const Rect rect{cell.x, cell.y + 3, cell.width, cell.height - 6};
  draw_heatmap_tile(canvas, rect, {.values = strip.numbers},
                    {.scale = ColorScale::signed_value, .limit = strip.limit});
  if (!strip.first) return;
  const std::vector<float> values(strip.numbers.data, strip.numbers.data + strip.numbers.columns);
  canvas.hit_grid(
      {rect, 1, strip.numbers.columns,
       [before = scene.input.pinned, values, first = *strip.first, label = strip.label](int, int column) {
         CellRef of = first;
         of.index.back() = column;
         return hit_of(before, of, label + " " + std::to_string(column),
                       "dimension " + std::to_string(column) + "\n" +
                           format_pinned(double(values[static_cast<std::size_t>(column)])));
       }});

  if (!scene.input.shown.cell) return;
  CellRef chosen = *scene.input.shown.cell;
  if (chosen.index.empty()) return;
  const int column = std::exchange(chosen.index.back(), 0);
  if (chosen != *strip.first || column < 0 || column >= strip.numbers.columns) return;
  const float pitch = rect.width / static_cast<float>(strip.numbers.columns);
  mark(canvas, {rect.x + pitch * static_cast<float>(column), rect.y, pitch, rect.height});
}

std::vector<float> floats(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

// The strips of one row's table: queries and keys on one colour scale, values and answers on another.
struct Strips {
  ValueKind query_value, key_value;  // unchanged, or rotated
  Plane query, keys, values;
  std::vector<float> hard, soft;
  double key_limit = 1, value_limit = 1;
};

Strips strips_of(const RowScene& scene) {
  const Selection& shown = scene.shown;
  const Trace& trace = *scene.input.result.trace;
  const ValueName attention = value_in(shown.kind, shown.layer, ValueKind::whole);
  const ValueKind query = matched_query(trace, attention), key = matched_key(trace, attention);
  const int words = static_cast<int>(scene.words.size());
  const auto rows = [&](ValueKind value, int from, int count) {
    const Plane plane = trace.plane(written(attention, value), shown.sentence, shown.head);
    return Plane{plane.data + std::ptrdiff_t(from) * plane.columns, count, plane.columns};
  };
  Strips strips{.query_value = query,
                .key_value = key,
                .query = rows(query, *shown.query, 1),
                .keys = rows(key, 0, words),
                .values = rows(ValueKind::value, 0, words),
                .hard = floats(scene.row.hard.answer),
                .soft = floats(scene.row.soft.answer)};
  strips.key_limit = round_limit(
      std::max(largest_magnitude({.values = strips.query}), largest_magnitude({.values = strips.keys})));
  strips.value_limit = round_limit(largest_magnitude({.values = strips.values}));
  return strips;
}

Plane row_of(const Plane& plane, int row) {
  return {plane.data + std::ptrdiff_t(row) * plane.columns, 1, plane.columns};
}

// Scores and weights answer to the mouse; the chosen one is outlined.
void add_hits(Canvas& canvas, const LookupTableLayout& table, const RowScene& scene) {
  const Selection& before = scene.input.pinned;
  for (int key = 0; key < table.lines; ++key) {
    const auto at = static_cast<std::size_t>(key);
    const std::string asks = "“" + scene.asker + "” asks “" + scene.words[at] + "”\n";
    const auto add = [&](const Rect& column, ValueKind part, const char* word, double value) {
      HitRegion hit =
          hit_of(before, scene.cell(part, key), std::string("lookup ") + word + " " + std::to_string(key),
                 asks + word + " " + format_pinned(value));
      if (const auto meaning = explained(scene.words[at]); &column == &table.name && !meaning.empty())
        hit.tooltip = std::string(meaning) + "\nweight " + format_pinned(value);
      hit.rect = table.cell(column, key);
      canvas.hit(hit);
      if (&column != &table.name && scene.input.shown.cell == scene.cell(part, key))
        mark(canvas, {hit.rect.x - 3, hit.rect.y + 2, hit.rect.width + 6, hit.rect.height - 4});
    };
    add(table.name, ValueKind::weights, "word", scene.row.soft.weights[at]);
    add(table.score, ValueKind::masked_scores, "score", scene.row.scores.scores[at]);
    add(table.soft, ValueKind::weights, "weight", scene.row.soft.weights[at]);
  }
}

LookupVerdict hard_verdict() {
  return {
      .soft = false,
      .slope = "slope 0",
      .words = "One word’s value, the rest unheard. No gradient: the queries and keys could not be learned."};
}

LookupVerdict soft_verdict(const RowScene& scene) {
  const double size = scene.row.soft.slope_size();
  std::string words =
      "A mixture, which changes with every number of the query: the gradient that trains the head.";
  // No softmax makes a ReLU's row either: it is not distinguished from one that was set by hand.
  if (scene.relu())
    words = "A ReLU makes this row; another temperature shows what a softmax would make of its scores.";
  else if (scene.row.by_hand && scene.temperature == 1)
    words = "A what-if set this row: it no longer depends on the query.";
  else if (scene.seen() == 1)
    words = "Only one word may be read here: there is nothing to choose.";
  else if (size < 0.005)
    words = "Hardly a gradient here: softmax is as good as flat at this temperature.";
  return {.soft_name = scene.soft_name(),
          .soft = true,
          .slope = scene.relu() ? "" : "slope of size " + format_short(size),
          .words = words};
}

void draw_table(Canvas& canvas, const LookupTableLayout& layout, const RowScene& scene,
                const std::string& asker) {
  const Theme& theme = canvas.theme();
  const int words = static_cast<int>(scene.words.size());
  const Strips strips = strips_of(scene);
  LookupTable table{.name_title = language_of(scene) + " word", .query_title = asker};
  table.key_title = "key, ±" + format_short(strips.key_limit);
  table.value_title = "value, ±" + format_short(strips.value_limit);
  const Config& config = scene.input.snapshot.config;
  const bool scaled = config_under(config, scene.input.result.scene.what_if).attention_scale;
  const bool turned = strips.query_value != ValueKind::query;
  const std::string match = turned ? "Q′ · K′" : "Q · K";
  table.score_formula = scaled ? match + " / √" + std::to_string(config.head_width()) : match;
  for (int key = 0; key < words; ++key) {
    const auto at = static_cast<std::size_t>(key);
    const double score = scene.row.scores.scores[at];
    if (std::isfinite(score)) table.score_limit = std::max(table.score_limit, std::abs(score));
    table.lines.push_back({.name = scene.words[at],
                           .score = score,
                           .hard = scene.row.hard.weights[at],
                           .soft = scene.row.soft.weights[at],
                           .lit = has_key(scene.shown, key)});
  }
  table.score_limit = round_limit(table.score_limit);
  const auto frame = [&canvas](const Rect& cell, const Box& box) {
    canvas.rectangle({cell.x - 2, cell.y + 1, cell.width + 4, cell.height - 2}, box);
  };
  const std::string best = scene.words[static_cast<std::size_t>(scene.row.hard.best)];
  table.hard_answer = "argmax takes the value of “" + best + "”";
  table.soft_name = scene.soft_name();
  table.soft_answer = table.soft_name + ": " + row_sum(scene);
  table.draw_key = [&](const Rect& cell, int line) {
    const bool query = line < 0;
    draw_strip(canvas, cell,
               {query ? strips.query : row_of(strips.keys, line), strips.key_limit,
                query ? std::string("lookup query") : "lookup key " + std::to_string(line),
                query ? scene.cell(strips.query_value, 0) : scene.cell(strips.key_value, line, 0)},
               scene);
    if (query) frame(cell, {.outline = theme.query, .outline_width = 1.5f, .radius = 2});
  };
  table.draw_value = [&](const Rect& cell, int line) {
    if (line < words)
      return draw_strip(canvas, cell,
                        {row_of(strips.values, line), strips.value_limit,
                         "lookup value " + std::to_string(line), scene.cell(ValueKind::value, line, 0)},
                        scene);
    // The model's own answer can be pinned.
    const bool soft = line > words;
    const std::vector<float>& answer = soft ? strips.soft : strips.hard;
    Strip strip{{answer.data(), 1, static_cast<int>(answer.size())}, strips.value_limit, "lookup answer"};
    if (soft && scene.temperature == 1) strip.first = scene.cell(ValueKind::context, 0);
    draw_strip(canvas, cell, strip, scene);
    frame(
        cell,
        {.outline = soft ? theme.ink : theme.reference, .outline_width = 1.5f, .radius = 2, .dashed = !soft});
  };
  draw_lookup_table(canvas, layout, table);
  add_hits(canvas, layout, scene);
}

}  // namespace

RowLayout layout_row(const Rect& content, int words) {
  RowLayout layout;
  const float chip = content.width >= 860 ? 132.0f : 104.0f, top = content.y + 24;
  layout.asker = {content.x, top, chip, 28};
  layout.back = {content.x + chip + 8, top - 2, 36, 32};
  layout.next = {layout.back.right() + 4, top - 2, 36, 32};
  const float kinds = 220;
  layout.kind = {content.right() - kinds, top - 2, kinds, 32};
  const float from = layout.next.right() + 28, to = layout.kind.x - 28;
  const float width = std::min(to - from, 300.0f);
  layout.temperature = {from, content.y, width, kTemperatureHeight};

  const bool wide = content.width >= 860;
  const float strip = std::floor((content.width - (wide ? 460 : 420)) / 2);
  const Rect room{content.x, content.y + kControls, content.width, content.height - kControls - kVerdict - 8};
  layout.table = layout_lookup_table(
      room, words, {.name = wide ? 104.0f : 84.0f, .key = strip, .score = 60, .hard = 56, .value = strip});
  const float y = layout.table.bottom() + 12, half = (content.width - 32) / 2;
  layout.hard = {content.x, y, half, kVerdict};
  layout.soft = {content.x + half + 32, y, half, kVerdict};
  return layout;
}

float row_page_height(int words) {
  return kControls + lookup_table_height(words) + kVerdict + 12;
}

void draw_row(Canvas& canvas, const Rect& content, const RowScene& scene, bool plain) {
  const RowLayout layout = layout_row(content, static_cast<int>(scene.words.size()));

  // Who asks, and how softly.
  const TextStyle caption = caption_style(canvas);
  draw_badge(canvas, {content.x + 8, content.y + 9}, Badge::query, 16);
  const bool writing = plain && !scene.writes.empty();
  canvas.text({content.x + 22, content.y + 9}, writing ? "it has just written" : "who asks", caption);
  draw_chip(canvas, layout.asker,
            {.text = scene.asker, .special = is_special_word(scene.asker), .pin = ChipPin::query});
  if (!scene.writes.empty())
    canvas.text(
        {content.x, layout.asker.bottom() + 11},
        elided(canvas,
               (writing ? "and writes “" + scene.writes + "” next" : "to write “" + scene.writes + "”"),
               caption, layout.temperature.x - content.x - 12),
        caption);
  if (plain)
    return draw_row_plain(
        canvas, {content.x, content.y + kControls + 12, content.width, content.height - kControls - 12},
        scene);
  draw_temperature(canvas, layout.temperature, scene.temperature);
  TextStyle right = caption;
  right.x = AlignX::right;
  canvas.text({layout.kind.right(), content.y + 9},
              elided(canvas, attention_title(scene.shown.kind) + ", " + scene.place(), caption,
                     content.right() - layout.temperature.right() - 16),
              right);

  draw_table(canvas, layout.table, scene, "query");

  draw_verdict(canvas, layout.hard, hard_verdict());
  draw_verdict(canvas, layout.soft, soft_verdict(scene));
}

void draw_row_alone(Canvas& canvas, const Rect& content, const RowScene& scene, bool plain) {
  if (plain) return draw_row_plain(canvas, content, scene);
  const float strip = std::floor((content.width - 420) / 2);
  const LookupWidths widths{.name = 88, .key = strip, .score = 60, .hard = 56, .value = strip};
  const Rect room{content.x, content.y, content.width - 3, content.height};  // an answer has a frame
  draw_table(canvas, layout_lookup_table(room, static_cast<int>(scene.words.size()), widths), scene,
             scene.asker);
}

}  // namespace glassformer
