#include "app/widgets/ribbons.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

constexpr double kReadable = 0.75;   // of the words must be readable, else the strips are dense
constexpr float kDenseHeight = 12;   // of a dense strip's places
constexpr float kDenseWord = 24;     // beyond them: an index, or the pinned word
constexpr float kDenseWidest = 120;  // a pinned word is cut there

// One strip of the picture: which side its words stand on, and where its places lie.
struct Strip {
  const std::vector<TokenChip>& chips;
  const std::function<HitRegion(int)>& hit;
  bool above = true;
  ChipPin pin = ChipPin::key;
};

// Too many words for chips: a place for each, every n-th index, and the word of the one that is pinned.
void draw_dense_strip(Canvas& canvas, const TokenStripLayout& layout, const Strip& strip) {
  const Theme& theme = canvas.theme();
  const int count = static_cast<int>(strip.chips.size());
  const float pitch = layout.chip_width + layout.gap;
  const float words =
      strip.above ? layout.first.y - kDenseWord / 2 : layout.chip(0).bottom() + kDenseWord / 2;

  // The pinned word first: indices keep out of its way.
  Rect word{};
  for (int i = 0; i < count; ++i) {
    const TokenChip& chip = strip.chips[static_cast<std::size_t>(i)];
    const bool pinned = chip.pin != ChipPin::none;
    const Color fill = !pinned ? theme.panel : strip.pin == ChipPin::query ? theme.query : theme.key;
    canvas.rectangle(layout.chip(i),
                     {.fill = fill, .outline = theme.control, .radius = pitch > 6 ? 2.0f : 0.0f});
    if (!pinned) continue;
    const TextStyle style{.font = Font::semibold, .size = 12, .color = theme.ink};
    const float width = std::min(kDenseWidest, std::ceil(canvas.measure(chip.text, style).x) + 14);
    const float last = layout.chip(count - 1).right();
    word = {std::clamp(layout.chip(i).center().x - width / 2, layout.first.x,
                       std::max(layout.first.x, last - width)),
            words - 11, width, 22};
    draw_chip(canvas, word, chip, 12);
  }
  const TextStyle mono{.font = Font::mono, .size = 11, .color = theme.faint_text};
  const float digit = canvas.measure("0", mono).x;
  const float longest = digit * static_cast<float>(std::to_string(count).size()) + 10;
  int step = 1;
  while (static_cast<float>(step) * pitch < longest) step *= 2;
  float taken = layout.first.x - 20;
  for (int i = 0; i < count; ++i) {
    const std::string index = std::to_string(i);
    const float width = digit * static_cast<float>(index.size());
    const float from = std::max(layout.first.x, layout.chip(i).center().x - width / 2);
    const bool round = i % step == 0,
               in_word = word.width > 0 && from < word.right() + 4 && from + width > word.x - 4;
    if (!round || in_word || from < taken + 10) continue;
    canvas.text({from, words}, index, mono);
    taken = from + width;
  }
  if (!strip.hit) return;
  for (int i = 0; i < count; ++i) {
    HitRegion region = strip.hit(i);
    const Rect place = layout.chip(i);
    region.rect = {place.x - layout.gap / 2, std::min(place.y, words - 12), pitch, place.height + kDenseWord};
    if (region.tooltip.empty()) region.tooltip = strip.chips[static_cast<std::size_t>(i)].text;
    canvas.hit(region);
  }
}

TokenStripLayout dense_layout(const Rect& area, int count, const Strip& strip) {
  TokenStripLayout layout;
  const float pitch = area.width / static_cast<float>(std::max(1, count));
  layout.gap = pitch >= 4 ? 1.0f : 0.0f;
  layout.chip_width = pitch - layout.gap;
  layout.chip_height = kDenseHeight;
  layout.first = {area.x, strip.above ? area.y + kDenseWord : area.bottom() - kDenseWord - kDenseHeight};
  layout.height = kDenseHeight;
  layout.shown = static_cast<int>(strip.chips.size());
  return layout;
}

}  // namespace

RibbonsLayout draw_ribbons(Canvas& canvas, const Rect& area, const HeatmapData& weights,
                           const RibbonsOptions& options) {
  const Theme& theme = canvas.theme();
  const int count = static_cast<int>(std::max(options.keys.size(), options.queries.size()));
  const Strip above{options.keys, options.key_hit, true, ChipPin::key},
      beneath{options.queries, options.query_hit, false, ChipPin::query};
  TokenStripOptions strip{.positions = false, .gap = 4, .min_width = 1, .count = count};
  RibbonsLayout layout;
  layout.keys = layout_token_strip(area, options.keys, strip);
  const Rect below{area.x, area.bottom() - strip.chip_height, area.width, strip.chip_height};
  layout.queries = layout_token_strip(below, options.queries, strip);

  // One size of letters in both strips; places without words where few of them could be read.
  const float width = layout.keys.chip_width;
  strip.text_size = std::min(chip_text_size(canvas, options.keys, width, 12),
                             chip_text_size(canvas, options.queries, width, 12));
  layout.dense = std::min(readable_share(canvas, options.keys, width),
                          readable_share(canvas, options.queries, width)) < kReadable;
  if (layout.dense) {
    layout.keys = dense_layout(area, static_cast<int>(options.keys.size()), above);
    layout.queries = dense_layout(area, static_cast<int>(options.queries.size()), beneath);
  }

  // Quiet ribbons first, the pinned row or column over them, the chips over all ends.
  const float top = layout.keys.chip(0).bottom(), bottom = layout.queries.first.y,
              bend = (bottom - top) * 0.5f;
  const float full = std::min(options.full_width, std::max(2.0f, layout.keys.chip_width));
  const auto pinned = [&](const Ribbon& r) {
    if (!options.row)
      return options.column == r.column ||
             std::ranges::find(options.more_columns, r.column) != options.more_columns.end();
    return options.row == r.row || std::ranges::find(options.more_rows, r.row) != options.more_rows.end();
  };
  const std::vector<Ribbon> ribbons = strongest(weights, options.row_share);
  for (bool strong : {false, true}) {
    for (const Ribbon& r : ribbons) {
      if (pinned(r) != strong || r.row >= layout.queries.shown || r.column >= layout.keys.shown) continue;
      const Color color = !strong       ? theme.ink.with_alpha(options.row || options.column ? 0.22f : 0.33f)
                          : options.row ? theme.query
                                        : theme.key;
      const float x0 = layout.keys.chip(r.column).center().x, x1 = layout.queries.chip(r.row).center().x;
      canvas.cubic({x0, top}, {x0, top + bend}, {x1, bottom - bend}, {x1, bottom},
                   {.color = color, .width = std::max(1.0f, full * static_cast<float>(r.weight))});
    }
  }
  if (layout.dense) {
    draw_dense_strip(canvas, layout.keys, above);
    draw_dense_strip(canvas, layout.queries, beneath);
    return layout;
  }
  strip.hit = options.key_hit;
  draw_token_strip(canvas, area, options.keys, strip);
  strip.hit = options.query_hit;
  draw_token_strip(canvas, below, options.queries, strip);
  return layout;
}

}  // namespace glassformer
