#include "app/canvas/hit_region.h"

#include <algorithm>

namespace glassformer {

HitRegion region_at(const HitGrid& grid, int row, int column) {
  HitRegion region = grid.cell(row, column);
  if (region.rect.width > 0) return region;
  const float width = grid.rect.width / static_cast<float>(grid.columns);
  const float height = grid.rect.height / static_cast<float>(grid.rows);
  region.rect = {grid.rect.x + static_cast<float>(column) * width,
                 grid.rect.y + static_cast<float>(row) * height, width, height};
  if (grid.bands.empty()) return region;
  const HitGrid::Band& band = grid.bands[static_cast<std::size_t>(row)];
  region.rect.y = grid.rect.y + band.from * grid.rect.height;
  region.rect.height = (band.to - band.from) * grid.rect.height;
  return region;
}

std::optional<HitRegion> region_in(const HitGrid& grid, Point point) {
  if (!grid.cell || grid.rows <= 0 || grid.columns <= 0 || !grid.rect.contains(point)) return std::nullopt;
  const auto index = [](float offset, float length, int count) {
    return std::clamp(static_cast<int>(offset / length * static_cast<float>(count)), 0, count - 1);
  };
  const int column = index(point.x - grid.rect.x, grid.rect.width, grid.columns);
  if (grid.bands.empty())
    return region_at(grid, index(point.y - grid.rect.y, grid.rect.height, grid.rows), column);
  const float share = (point.y - grid.rect.y) / grid.rect.height;
  for (int row = 0; row < grid.rows; ++row) {
    const HitGrid::Band& band = grid.bands[static_cast<std::size_t>(row)];
    if (share >= band.from && share < band.to) return region_at(grid, row, column);
  }
  return std::nullopt;
}

}  // namespace glassformer
