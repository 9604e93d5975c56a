#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "app/format/number_format.h"
#include "app/reading/scene_words.h"
#include "app/views/common/comparison.h"
#include "app/views/common/stage_text.h"
#include "app/views/embedding/embedding.h"
#include "app/widgets/bars.h"
#include "app/widgets/heatmap.h"
#include "app/widgets/label_place.h"

namespace glassformer {

VocabularyKey vocabulary_key(const ViewInput& input, bool source) {
  const bool own = source && input.snapshot.config.sharing != Sharing::all;
  return {input.snapshot.weights, embedding_value(own, ValueKind::embedding_table)};
}

Plane vocabulary_rows(const VocabularyKey& key) {
  if (key.model)
    for (const ParameterView& parameter : parameters(*key.model))
      if (parameter.name == key.matrix) return {parameter.data, parameter.rows(), parameter.columns()};
  return {};
}

std::string vocabulary_word(const ViewInput& input, bool source, int id) {
  const auto& tokenizer = source ? input.tokenizers.source : input.tokenizers.target;
  if (!tokenizer || id < 0 || id >= tokenizer->size()) return "#" + std::to_string(id);
  const std::string piece = tokenizer->piece(id);
  return piece == " " ? "␣" : piece;
}

std::vector<MapDot> map_dots(const Projection& projection, const Rect& plot) {
  std::vector<MapDot> dots;
  if (projection.components < 2) return dots;
  const int rows = static_cast<int>(projection.coordinates.size()) / projection.components;
  std::array<float, 2> low{}, high{};
  for (int axis = 0; axis < 2; ++axis)
    for (int row = 0; row < rows; ++row) {
      const float value = projection.at(row, axis);
      low[static_cast<std::size_t>(axis)] =
          row == 0 ? value : std::min(low[static_cast<std::size_t>(axis)], value);
      high[static_cast<std::size_t>(axis)] =
          row == 0 ? value : std::max(high[static_cast<std::size_t>(axis)], value);
    }
  const Rect inside = plot.inset(10);
  const auto share = [&](int row, std::size_t axis) {
    const float width = high[axis] - low[axis];
    return width > 0 ? (projection.at(row, static_cast<int>(axis)) - low[axis]) / width : 0.5f;
  };
  dots.reserve(static_cast<std::size_t>(rows));
  for (int row = 0; row < rows; ++row)
    dots.push_back(
        {row, {inside.x + inside.width * share(row, 0), inside.bottom() - inside.height * share(row, 1)}});
  return dots;
}

std::optional<int> dot_under(const std::vector<MapDot>& dots, Point at, float reach,
                             std::span<const int> large) {
  std::optional<int> nearest;
  float best = reach;
  for (const MapDot& dot : dots) {
    float distance = std::hypot(dot.at.x - at.x, dot.at.y - at.y);
    if (std::ranges::find(large, dot.id) != large.end()) distance = std::max(0.0f, distance - kLargeDot);
    if (distance > best) continue;
    best = distance;
    nearest = dot.id;
  }
  return nearest;
}

namespace {

constexpr float kSign = 40, kBar = 48;  // between the maps, right of them

// Width of `columns` cells in a room: whole pixels, unless that would waste much of it.
float cells_width(float room, int columns) {
  const float cell = room / static_cast<float>(columns);
  return std::floor(cell) > 0.8f * cell ? std::floor(cell) * static_cast<float>(columns) : room;
}

// What pinning a row of one side means to the attention views too.
Selection selecting_row(bool source, const Selection& before, int row) {
  Selection selection = before;
  selection.cell.reset();
  if (source && selection.kind == AttentionKind::decoder) selection.kind = AttentionKind::cross;
  (source ? selection.key : selection.query) = row;
  return selection;
}

}  // namespace

EmbeddingView::Rows EmbeddingView::rows_of(const Canvas& canvas, const Rect& part,
                                           const ViewInput& input) const {
  Rows rows;
  rows.source = source_;
  const auto& labels = words(input);
  rows.length = static_cast<int>(labels.size());
  const TextStyle word{.size = 12, .color = {}};
  for (const std::string& text : labels) rows.labels = std::max(rows.labels, canvas.measure(text, word).x);
  rows.labels = std::min(rows.labels + 12, 90.0f);
  rows.room = (part.width - rows.labels - 2 * kSign - kBar) / 3;
  rows.width = cells_width(rows.room, input.snapshot.config.d_model);
  rows.top = part.y + kHeadingHeight;
  const auto count = static_cast<float>(std::max(1, rows.length));
  rows.cell = std::max(2.0f, std::floor(std::min(24.0f, (part.bottom() - 26 - rows.top) / count)));

  // One colour scale for all three, so that they add up to the eye.
  rows.limit = 1e-9;
  const auto widen = [&](const Trace& by) {
    for (const ValueKind value : kEmbeddingMaps)
      if (const std::string name = embedding_value(rows.source, value); by.find(name)) {
        Plane plane = by.plane(name);
        plane.rows = std::min(plane.rows, rows.length);
        rows.limit = std::max(rows.limit, largest_magnitude({.values = plane}));
      }
  };
  widen(*input.result.trace);
  if (input.other) widen(*input.other->trace);
  rows.limit = round_limit(rows.limit);
  return rows;
}

// Words, then three maps with a sign between them.
void EmbeddingView::draw_rows(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  const Config& config = input.snapshot.config;
  const Rows rows = rows_of(canvas, part, input);
  if (!input.result.trace->find(embedding_value(source_, ValueKind::embedding)) || rows.length == 0) return;

  const std::string scaled =
      config.scale_embeddings ? "Row looked up · √" + std::to_string(config.d_model) : "Row looked up";
  const std::array<std::string, 3> headings{
      scaled, "Position", config.embedding_norm ? "Input, after its norm" : "Input to layer 1"};
  const std::array<const char*, 3> signs{"", "+", config.embedding_norm ? "→" : "="};
  float x = part.x + rows.labels;
  for (std::size_t i = 0; i < kEmbeddingMaps.size(); ++i) {
    const Rect map{std::round(x), rows.top, rows.width, rows.height()};
    const TextStyle heading{.font = Font::semibold, .size = 14, .color = theme.ink};
    canvas.text({map.x, part.y + 12}, elided(canvas, headings[i], heading, rows.room + kSign - 16), heading);
    if (i > 0)
      canvas.text({map.x - kSign / 2, map.center().y}, signs[i],
                  {.size = 18, .color = theme.second_text, .x = AlignX::center});
    draw_row_map(canvas, map, rows, embedding_value(rows.source, kEmbeddingMaps[i]), input);
    x += rows.room + kSign;
  }
  draw_row_words(canvas, part, rows, input);
  draw_color_bar(canvas, {x - kSign + 14, rows.top, 12, std::max(rows.height(), 48.0f)},
                 ColorScale::signed_value, rows.limit);
  canvas.text({part.x + rows.labels, rows.top + rows.height() + 14},
              "columns: the " + std::to_string(config.d_model) + " dimensions →" +
                  (input.other ? "   " + std::string(kOneScale) : ""),
              caption_style(canvas));
}

// The pinned row and cell are outlined; every number can be asked for.
void EmbeddingView::draw_row_map(Canvas& canvas, const Rect& map, const Rows& rows, const std::string& name,
                                 const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  const Trace& trace = *input.result.trace;
  if (!trace.find(name)) {
    canvas.rectangle(map, {.outline = theme.control, .radius = 4, .dashed = true});
    canvas.text(map.center(), "none", {.size = 12, .color = theme.second_text, .x = AlignX::center});
    return;
  }
  Plane plane = trace.plane(name);
  plane.rows = std::min(plane.rows, rows.length);
  draw_heatmap_tile(canvas, map, {.values = plane}, {.scale = ColorScale::signed_value, .limit = rows.limit});
  const auto pinned = row(input);
  if (pinned && *pinned < plane.rows) {
    const Rect line{map.x - 2, map.y + rows.cell * static_cast<float>(*pinned) - 2, map.width + 4,
                    rows.cell + 4};
    canvas.rectangle(line, {.outline = theme.ink, .outline_width = 2, .radius = 2});
    if (input.shown.cell && input.shown.cell->name == name) {
      const float w = map.width / static_cast<float>(plane.columns);
      canvas.rectangle(
          {map.x + w * static_cast<float>(input.shown.cell->index.back()) - 2, line.y, w + 4, line.height},
          {.outline = theme.ink, .outline_width = 3, .radius = 2});
    }
    for (const int more : source_ ? input.shown.more_keys : input.shown.more_queries)
      canvas.rectangle({line.x, map.y + rows.cell * static_cast<float>(more) - 2, line.width, line.height},
                       {.outline = theme.ink, .outline_width = 2, .radius = 2});
  }
  const bool batched = trace.at(name).rank() == 3;
  canvas.hit_grid(
      {.rect = map,
       .rows = plane.rows,
       .columns = plane.columns,
       .cell = [from_source = source_, before = input.pinned, batched, name](int r, int c) {
         Selection selection = selecting_row(from_source, before, r);
         selection.cell = CellRef{name, batched ? std::vector<int>{0, r, c} : std::vector<int>{r, c}};
         return HitRegion{.label = name + " row " + std::to_string(r) + " column " + std::to_string(c),
                          .hover = SetHover{selection},
                          .click = SetPin{selection}};
       }});
}

// Left of the first map, as many as there is room for.
void EmbeddingView::draw_row_words(Canvas& canvas, const Rect& part, const Rows& rows,
                                   const ViewInput& input) const {
  const auto& labels = words(input);
  const auto pinned = row(input);
  constexpr float kNameRoom = 12;
  const int step = static_cast<int>(std::ceil(kNameRoom / rows.cell));
  const auto named = [&](int r) {
    return pinned && std::abs(r - *pinned) < step ? r == *pinned : r % step == 0;
  };
  for (int r = 0; r < rows.length; ++r) {
    if (!named(r)) continue;
    const std::string& text = labels[static_cast<std::size_t>(r)];
    const Point at{part.x + rows.labels - 12, rows.top + rows.cell * (static_cast<float>(r) + 0.5f)};
    const bool chosen = pinned && *pinned == r;
    const TextStyle style{.font = chosen ? Font::semibold : Font::regular,
                          .size = 12,
                          .color = chosen ? canvas.theme().ink : canvas.theme().second_text,
                          .x = AlignX::right};
    canvas.text(at, elided(canvas, text, style, rows.labels - 12), style);
    const Selection selection = selecting_row(source_, input.pinned, r);
    const float high = std::max(rows.cell, kNameRoom);
    canvas.hit({.rect = {part.x, at.y - high / 2, rows.labels - 4, high},
                .label = "row " + std::to_string(r) + " " + text,
                .hover = SetHover{selection},
                .click = SetPin{selection}});
  }
}

void EmbeddingView::draw_neighbours(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const int id = chosen_id(input);
  const Rect below = draw_heading(canvas, part, "Most like “" + vocabulary_word(input, source_, id) + "”",
                                  {.note = "cosine of the rows"});

  constexpr float kRow = 24;
  const int count = std::clamp(static_cast<int>((below.height - 24) / kRow), 0, 12);
  const Tokenizer* const tokenizer = (source_ ? input.tokenizers.source : input.tokenizers.target).get();
  std::vector<BarRow> bars;
  for (const Neighbour& neighbour : neighbours(input)) {
    if (static_cast<int>(bars.size()) == count) break;
    bars.push_back({.label = vocabulary_word(input, source_, neighbour.row),
                    .word_start = begins_word(tokenizer, neighbour.row),
                    .share = std::clamp(neighbour.cosine, 0.0, 1.0),
                    .value = format_probability(neighbour.cosine),
                    .emphasized = bars.empty()});
  }
  const float used = draw_bar_list(canvas, below, bars, {.row_height = kRow, .value_width = 44});
  const std::string scale = std::string("1 is the same direction, 0 a right angle") + bar_words(tokenizer);
  if (canvas.measure(scale, caption_style(canvas)).x <= part.width)
    canvas.text({part.x, below.y + used + 12}, scale, caption_style(canvas));
}

Rect EmbeddingView::map_plot(const Rect& map) {
  return {map.x, map.y + kHeadingHeight, map.width, map.height - kHeadingHeight - 24};
}

void EmbeddingView::draw_map(Canvas& canvas, const Rect& part, const ViewInput& input) const {
  const Theme& theme = canvas.theme();
  const int vocabulary = source_ ? input.snapshot.config.source_vocab : input.snapshot.config.target_vocab;
  draw_heading(canvas, part, "The vocabulary laid flat",
               {.note = format_count(vocabulary) + " pieces, two strongest directions"});
  const Rect plot = map_plot(part);
  canvas.rectangle(plot, {.fill = theme.panel, .outline = theme.border, .radius = 8});
  const auto found = projection(input, canvas.is_file());
  if (!found.value) {
    canvas.text(plot.center(), "Computing…", {.size = 14, .color = theme.second_text, .x = AlignX::center});
    return;
  }

  // All words as dots; a very large vocabulary as every n-th.
  const std::vector<MapDot> dots = map_dots(*found.value, plot);
  const std::set<int> sentence(ids(input).begin(), ids(input).end());
  const int chosen = chosen_id(input);
  const std::size_t every = dots.size() / 4000 + 1;
  const float radius = dots.size() > kFewDots ? 1.5f : 2.5f;
  for (std::size_t i = 0; i < dots.size(); i += every)
    canvas.rectangle({dots[i].at.x - radius, dots[i].at.y - radius, 2 * radius, 2 * radius},
                     {.fill = theme.control, .radius = radius});
  const auto dot_of = [&](int id) {
    return dots[static_cast<std::size_t>(std::min(id, static_cast<int>(dots.size()) - 1))].at;
  };
  if (dots.empty()) return;

  // Names: the chosen word, the sentence, its neighbours, then the others as far as there is room.
  LabelSpace space(plot.inset(4));
  const auto keep_free = [&](int id, float r) {
    const Point at = dot_of(id);
    space.keep_off(Rect{at.x - r, at.y - r, 2 * r, 2 * r});
  };
  keep_free(chosen, 6);
  for (const int id : sentence) keep_free(id, 4);
  for (std::size_t i = 0; i < dots.size() && dots.size() <= kFewDots; ++i) keep_free(dots[i].id, 2);
  for (const int id : sentence)
    if (id != chosen) canvas.circle(dot_of(id), 3.5f, theme.ink, {});
  canvas.circle(dot_of(chosen), 5.5f, theme.panel, {.color = theme.ink, .width = 2});
  // `air`: what is kept free around a name, so that the less important ones are apart.
  const auto name = [&](int id, const TextStyle& style, float distance, Point air) {
    const std::string word = vocabulary_word(input, source_, id);
    const Point size{canvas.measure(word, style).x + 2 * air.x, style.size * 1.25f + 2 * air.y};
    const auto place = space.first_free(places_around(dot_of(id), size, distance - air.x));
    if (!place) return;
    const Rect inside{place->x + air.x, place->y + air.y, place->width - 2 * air.x,
                      place->height - 2 * air.y};
    // The cloud of dots must not spoil the letters.
    canvas.rectangle(inside.inset(-1), {.fill = theme.panel.with_alpha(0.8f), .radius = 2});
    canvas.text({inside.x, inside.center().y}, word, style);
  };
  name(chosen, {.font = Font::semibold, .size = 14, .color = theme.ink}, 9, {2, 0});
  for (const int id : sentence)
    if (id != chosen) name(id, {.font = Font::semibold, .size = 12, .color = theme.ink}, 6, {2, 0});
  const TextStyle other{.size = 11, .color = theme.second_text};
  std::set<int> named(sentence);
  named.insert(chosen);
  for (const Neighbour& neighbour : neighbours(input))
    if (named.insert(neighbour.row).second) name(neighbour.row, other, 5, {3, 1});
  const bool few = dots.size() <= kFewDots;
  // Whole words that the model was trained on; without its text, whatever is longer than a syllable.
  const WordSet* trained =
      input.training_text ? &(source_ ? input.training_text->source.words : input.training_text->target.words)
                          : nullptr;
  const auto& tokenizer = source_ ? input.tokenizers.source : input.tokenizers.target;
  const auto worth_naming = [&](int id) {
    const std::string word = vocabulary_word(input, source_, id);
    if (trained && tokenizer && id < tokenizer->size())
      return word.size() > 1 && trained->contains(word) && tokenizer->starts_word(id);
    return few || word.size() > 3;
  };
  std::vector<int> candidates;
  for (const MapDot& dot : dots)
    if (worth_naming(dot.id)) candidates.push_back(dot.id);
  const std::size_t most = std::min<std::size_t>(candidates.size(), 160);
  for (std::size_t i = 0; i < most; ++i) {
    const int id = candidates[i * candidates.size() / most];
    if (named.insert(id).second) name(id, other, 5, few ? Point{3, 1} : Point{5, 4});
  }

  // What the axes keep of the differences between the rows.
  TextStyle caption = caption_style(canvas);
  const auto share = [&](std::size_t c) { return format_percent(found.value->explained[c]); };
  const std::string each = "→ " + share(0) + "   ↑ " + share(1);
  const std::string both = "Together they explain " +
                           format_percent(found.value->explained[0] + found.value->explained[1]) +
                           " of the variance";
  canvas.text({plot.x, plot.bottom() + 14}, both, caption);
  caption.x = AlignX::right;
  if (canvas.measure(both, caption).x + canvas.measure(each, caption).x + 16 < plot.width)
    canvas.text({plot.right(), plot.bottom() + 14}, each, caption);
}

}  // namespace glassformer
