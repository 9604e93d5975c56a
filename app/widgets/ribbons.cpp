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

}  // namespace

RibbonsLayout draw_ribbons(Canvas& canvas, const Rect& area, const HeatmapData& weights,
                           const RibbonsOptions& options) {
  const Theme& theme = canvas.theme();
  const int count = static_cast<int>(std::max(options.keys.size(), options.queries.size()));
  TokenStripOptions strip{.positions = false, .gap = 5, .count = count};
  RibbonsLayout layout;
  strip.hit = options.key_hit;
  layout.keys = layout_token_strip(area, options.keys, strip);
  const Rect below{area.x, area.bottom() - strip.chip_height, area.width, strip.chip_height};
  layout.queries = layout_token_strip(below, options.queries, strip);

  // Quiet ribbons first, the pinned row or column over them, the chips over all ends.
  const float top = area.y + strip.chip_height, bottom = below.y, bend = (bottom - top) * 0.5f;
  const auto shown = [&](const Ribbon& r) {
    return r.row < layout.queries.shown && r.column < layout.keys.shown;
  };
  const auto pinned = [&](const Ribbon& r) {
    return options.row == r.row || (!options.row && options.column == r.column);
  };
  const std::vector<Ribbon> ribbons = strongest(weights, options.row_share);
  for (bool strong : {false, true}) {
    for (const Ribbon& r : ribbons) {
      if (pinned(r) != strong || !shown(r)) continue;
      const Color color = !strong       ? theme.ink.with_alpha(options.row || options.column ? 0.22f : 0.33f)
                          : options.row ? theme.query
                                        : theme.key;
      const float x0 = layout.keys.chip(r.column).center().x, x1 = layout.queries.chip(r.row).center().x;
      const float width = std::max(1.0f, options.full_width * static_cast<float>(r.weight));
      canvas.cubic({x0, top}, {x0, top + bend}, {x1, bottom - bend}, {x1, bottom},
                   {.color = color, .width = width});
    }
  }
  draw_token_strip(canvas, area, options.keys, strip);
  strip.hit = options.query_hit;
  draw_token_strip(canvas, below, options.queries, strip);
  return layout;
}

}  // namespace glassformer
