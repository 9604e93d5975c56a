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

}  // namespace glassformer
