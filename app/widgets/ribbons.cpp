#include "app/widgets/ribbons.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

namespace {

struct Ribbon {
  int row = 0, column = 0;
  double weight = 0;
};

// Of every row the strongest weights, until they make up the share asked for.
std::vector<Ribbon> strongest(const HeatmapData& weights, double row_share) {
  std::vector<Ribbon> ribbons;
  for (int row = 0; row < weights.values.rows; ++row) {
    std::vector<Ribbon> of_row;
    double sum = 0;
    for (int column = 0; column < weights.values.columns; ++column) {
      const double weight = static_cast<double>(weights.values(row, column));
      if ((weights.masked && weights.masked(row, column)) || !(weight > 0)) continue;
      of_row.push_back({row, column, weight});
      sum += weight;
    }
    std::stable_sort(of_row.begin(), of_row.end(),
                     [](const Ribbon& a, const Ribbon& b) { return a.weight > b.weight; });
    double drawn = 0;
    for (const Ribbon& ribbon : of_row) {
      if (drawn >= row_share * sum) break;
      drawn += ribbon.weight;
      ribbons.push_back(ribbon);
    }
  }
  return ribbons;
}

// A band thinner than a pixel is drawn a pixel wide, and as much fainter; never so faint that it is lost.
Stroke band(Color color, float width) {
  const float strength = std::clamp(width, 0.15f, 1.0f) * static_cast<float>(color.a) / 255;
  return {.color = color.with_alpha(strength), .width = std::max(1.0f, width)};
}

}  // namespace

RibbonSides draw_ribbons(Canvas& canvas, const Rect& area, const HeatmapData& weights,
                         const RibbonsOptions& options) {
  const Theme& theme = canvas.theme();
  const RibbonSide above{options.keys, options.key_hit, true, options.keep_column},
      beneath{options.queries, options.query_hit, false, options.keep_row};
  const RibbonSides sides = layout_ribbon_sides(canvas, area, above, beneath);

  // Quiet ribbons first, the pinned row or column over them, the words over all ends.
  const float top = sides.keys.places.first.y + sides.keys.places.chip_height,
              bottom = sides.queries.places.first.y, bend = (bottom - top) * 0.5f;
  const float full = std::min(options.full_width, std::max(2.0f, sides.keys.places.chip_width));
  const auto pinned = [&](const Ribbon& r) {
    if (!options.row)
      return options.column == r.column ||
             std::ranges::find(options.more_columns, r.column) != options.more_columns.end();
    return options.row == r.row || std::ranges::find(options.more_rows, r.row) != options.more_rows.end();
  };
  const std::vector<Ribbon> ribbons = strongest(weights, options.row_share);
  for (bool strong : {false, true}) {
    for (const Ribbon& r : ribbons) {
      if (pinned(r) != strong || !sides.queries.in_sight(r.row)) continue;
      const Color color = !strong       ? theme.ink.with_alpha(options.row || options.column ? 0.22f : 0.33f)
                          : options.row ? theme.query
                                        : theme.key;
      const float x0 = sides.keys.end(r.column), x1 = sides.queries.end(r.row);
      canvas.cubic({x0, top}, {x0, top + bend}, {x1, bottom - bend}, {x1, bottom},
                   band(color, full * static_cast<float>(r.weight)));
    }
  }
  draw_ribbon_strip(canvas, sides.keys, above, area);
  draw_ribbon_strip(canvas, sides.queries, beneath, area);
  return sides;
}

namespace {

constexpr double kReadableInChips = 0.9, kReadableInRows = 0.8;  // of the words, else there is another way
constexpr float kRowHeight = 17, kPlaceHeight = 8, kPlaceGap = 3, kStripGap = 6;
constexpr float kMarkRoom = 36;   // of "+ 31"
constexpr float kLongWord = 56;   // longer ones may be cut where there are many
constexpr float kTallArea = 300;  // has room for four rows of words
constexpr float kSmallInFiles = 8;

TextStyle word_style(const TokenChip& chip, float size, const Theme& theme) {
  const bool pinned = chip.pin != ChipPin::none;
  return {.font = pinned || chip.hovered ? Font::semibold : Font::regular,
          .size = size,
          .color = pinned         ? theme.ink
                   : chip.special ? theme.second_text
                                  : theme.ink,
          .x = AlignX::center};
}

// Measured as if pinned: a click must not move the words.
float word_width(const Canvas& canvas, const TokenChip& chip, float size) {
  return std::ceil(canvas.measure(chip.text, {.font = Font::semibold, .size = size}).x);
}

double share_within(const Canvas& canvas, const std::vector<TokenChip>& chips, float size, float width) {
  const auto fit =
      std::ranges::count_if(chips, [&](const TokenChip& c) { return word_width(canvas, c, size) <= width; });
  return chips.empty() ? 1 : double(fit) / double(chips.size());
}

// What each word may take when so many share the rows.
float room_of_word(float width, int words, int rows) {
  const int in_row = (words + rows - 1) / rows;
  return std::floor(width / static_cast<float>(std::max(1, in_row))) - kStripGap;
}

// Where the words of every row are: over their places, moved as far as their neighbours and the edges ask.
std::vector<Rect> word_boxes(const Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side,
                             const Rect& area, float room) {
  std::vector<Rect> boxes(static_cast<size_t>(strip.shown));
  const float top = side.above ? area.y : strip.places.first.y + kPlaceHeight + kPlaceGap;
  for (int row = 0; row < strip.rows; ++row) {
    float free_from = area.x;
    for (int i = row; i < strip.shown; i += strip.rows) {
      const TokenChip& chip = side.chips[static_cast<size_t>(strip.first + i)];
      const float width = std::min(room, word_width(canvas, chip, strip.text_size));
      const float x = std::max(free_from, strip.places.chip(i).center().x - width / 2);
      boxes[static_cast<size_t>(i)] = {x, top + static_cast<float>(row) * kRowHeight, width, kRowHeight};
      free_from = x + width + kStripGap;
    }
    float free_to = area.right();
    const int last = strip.shown - 1;
    for (int i = last - (last - row + strip.rows) % strip.rows; i >= 0; i -= strip.rows) {
      Rect& box = boxes[static_cast<size_t>(i)];
      box.x = std::min(box.x, free_to - box.width);
      free_to = box.x - kStripGap;
    }
  }
  return boxes;
}

RibbonStrip rows_of_words(const Canvas& canvas, const Rect& area, const RibbonSide& side) {
  RibbonStrip strip;
  strip.count = strip.shown = static_cast<int>(side.chips.size());
  const int most_rows = area.height >= kTallArea ? 4 : 3;

  // As few rows as will do, then smaller letters.
  strip.rows = 2;
  const auto all_fit = [&] {
    const float room = room_of_word(area.width, strip.count, strip.rows);
    return share_within(canvas, side.chips, strip.text_size, room) == 1;
  };
  while (strip.rows < most_rows && !all_fit()) ++strip.rows;
  const float smallest = canvas.is_file() ? kSmallInFiles : 11;
  while (strip.text_size > smallest && !all_fit()) strip.text_size -= 1;

  // Still too many to be read: a part of them, between marks for the rest.
  Rect middle = area;
  const float room_for_all = room_of_word(area.width, strip.count, strip.rows);
  if (share_within(canvas, side.chips, strip.text_size, room_for_all) < kReadableInRows) {
    strip.text_size = 11;
    float longest = 24;
    for (const TokenChip& chip : side.chips) longest = std::max(longest, word_width(canvas, chip, 11));
    const float each = std::min(longest, kLongWord) + kStripGap;
    const int in_row = std::max(1, static_cast<int>((area.width - 2 * kMarkRoom) / each));
    strip.shown = std::min(strip.count, in_row * strip.rows);
    if (side.keep && *side.keep >= strip.shown)
      strip.first = std::min(*side.keep - strip.shown / 2, strip.count - strip.shown);
    if (strip.first > 0) middle.x += kMarkRoom, middle.width -= kMarkRoom;
    if (strip.first + strip.shown < strip.count) middle.width -= kMarkRoom;
  }
  strip.before = area.x + kMarkRoom / 2;
  strip.behind = area.right() - kMarkRoom / 2;

  const float words = static_cast<float>(strip.rows) * kRowHeight + kPlaceGap;
  const float pitch = middle.width / static_cast<float>(std::max(1, strip.shown));
  strip.places.gap = pitch >= 4 ? 2.0f : 0.0f;
  strip.places.chip_width = pitch - strip.places.gap;
  strip.places.chip_height = strip.places.height = kPlaceHeight;
  strip.places.first = {middle.x, side.above ? area.y + words : area.bottom() - words - kPlaceHeight};
  strip.places.shown = strip.shown;
  strip.words = word_boxes(canvas, strip, side, middle, room_of_word(middle.width, strip.shown, strip.rows));
  return strip;
}

TokenStripOptions chip_options(int count) {
  return {.positions = false, .gap = 4, .min_width = 1, .count = count};
}

RibbonStrip chips_of(const Canvas& canvas, const Rect& area, const RibbonSide& side, int count) {
  RibbonStrip strip;
  strip.count = strip.shown = static_cast<int>(side.chips.size());
  const TokenStripOptions options = chip_options(count);
  Rect at = area;
  if (!side.above) at.y = area.bottom() - options.chip_height;
  strip.places = layout_token_strip(at, side.chips, options);
  strip.text_size = chip_text_size(canvas, side.chips, strip.places.chip_width, 12);
  return strip;
}

bool readable(const Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side) {
  return readable_share(canvas, side.chips, strip.places.chip_width) >= kReadableInChips;
}

// A thin line from a word to its place, where no other word is in its way.
void draw_leader(Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side, int i) {
  const float x = strip.places.chip(i).center().x;
  const int own = i % strip.rows;
  for (int row = side.above ? own + 1 : 0; row < (side.above ? strip.rows : own); ++row) {
    bool taken = false;
    for (int other = row; other < strip.shown; other += strip.rows) {
      const Rect& box = strip.words[static_cast<size_t>(other)];
      taken = taken || (x > box.x - 3 && x < box.right() + 3);
    }
    const float top = strip.words[static_cast<size_t>(i)].y + static_cast<float>(row - own) * kRowHeight;
    if (!taken) canvas.line({x, top}, {x, top + kRowHeight}, {.color = canvas.theme().control});
  }
}

void draw_word(Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side, int i) {
  const Theme& theme = canvas.theme();
  const TokenChip& chip = side.chips[static_cast<size_t>(strip.first + i)];
  const Rect place = strip.places.chip(i);
  const TextStyle style = word_style(chip, strip.text_size, theme);
  const bool pinned = chip.pin != ChipPin::none, query = chip.pin == ChipPin::query;
  canvas.rectangle(place, {.fill = !pinned ? theme.panel
                                   : query ? theme.query
                                           : theme.key,
                           .outline = theme.control,
                           .radius = place.width > 6 ? 2.0f : 0.0f,
                           .dashed = chip.future});
  if (!chip.future) {
    Rect box = strip.words[static_cast<size_t>(i)];
    if (pinned) {
      canvas.rectangle({box.x - 3, box.y, box.width + 6, box.height},
                       {.fill = query ? theme.query_tint : theme.key_tint,
                        .outline = query ? theme.query : theme.key,
                        .outline_width = 1.5f,
                        .radius = 4});
    }
    canvas.text(box.center(), elided(canvas, chip.text, style, box.width), style);
  }
  if (!side.hit) return;
  HitRegion region = side.hit(strip.first + i);
  const float room = strip.words[static_cast<size_t>(i)].width;
  if (region.tooltip.empty() && elided(canvas, chip.text, style, room) != chip.text)
    region.tooltip = chip.text;
  region.rect = strip.words[static_cast<size_t>(i)];
  canvas.hit(region);
  region.rect = {place.x - strip.places.gap / 2, place.y - 2, place.width + strip.places.gap,
                 place.height + 4};
  region.label += " place";
  canvas.hit(region);
}

// "+ 31", which leads to the nearest word that is left out.
void draw_left_out(Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side, int words, int nearest) {
  if (words <= 0) return;
  const bool before = nearest < strip.first;
  const float edge = before ? strip.before - kMarkRoom / 2 : strip.behind + kMarkRoom / 2;
  const Point at{edge, strip.places.first.y + kPlaceHeight / 2};
  canvas.text(at, "+ " + std::to_string(words),
              {.size = 12, .color = canvas.theme().second_text, .x = before ? AlignX::left : AlignX::right});
  if (!side.hit) return;
  HitRegion region = side.hit(nearest);
  region.rect = {before ? edge : edge - kMarkRoom, at.y - 12, kMarkRoom, 24};
  region.tooltip = std::to_string(words) + (words == 1 ? " more word" : " more words");
  if (region.click) region.tooltip += ": click to go on to " + std::string(words == 1 ? "it" : "them");
  canvas.hit(region);
}

}  // namespace

float RibbonStrip::end(int word) const {
  if (word < first) return before;
  return word < first + shown ? place(word).center().x : behind;
}

RibbonSides layout_ribbon_sides(const Canvas& canvas, const Rect& area, const RibbonSide& keys,
                                const RibbonSide& queries) {
  const int count = static_cast<int>(std::max(keys.chips.size(), queries.chips.size()));
  RibbonSides sides{chips_of(canvas, area, keys, count), chips_of(canvas, area, queries, count)};
  if (readable(canvas, sides.keys, keys) && readable(canvas, sides.queries, queries)) {
    sides.keys.text_size = sides.queries.text_size = std::min(sides.keys.text_size, sides.queries.text_size);
    return sides;
  }
  const auto alone = [&](const RibbonSide& side) {
    RibbonStrip chips = chips_of(canvas, area, side, static_cast<int>(side.chips.size()));
    return readable(canvas, chips, side) ? chips : rows_of_words(canvas, area, side);
  };
  return {alone(keys), alone(queries)};
}

void draw_ribbon_strip(Canvas& canvas, const RibbonStrip& strip, const RibbonSide& side, const Rect& area) {
  if (strip.rows == 1) {
    TokenStripOptions options = chip_options(strip.count);
    options.width = strip.places.chip_width;
    options.text_size = strip.text_size;
    options.hit = side.hit;
    draw_token_strip(canvas, {area.x, strip.places.first.y, area.width, strip.places.height}, side.chips,
                     options);
    return;
  }
  for (int i = 0; i < strip.shown; ++i)
    if (!side.chips[static_cast<size_t>(strip.first + i)].future) draw_leader(canvas, strip, side, i);
  for (int i = 0; i < strip.shown; ++i) draw_word(canvas, strip, side, i);
  draw_left_out(canvas, strip, side, strip.first, strip.first - 1);
  draw_left_out(canvas, strip, side, strip.count - strip.first - strip.shown, strip.first + strip.shown);
}

}  // namespace glassformer
