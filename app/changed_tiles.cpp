#include "app/changed_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace glassformer {

namespace {

constexpr int kTile = 32;  // pixels

int tiles_in(int pixels) {
  return (pixels + kTile - 1) / kTile;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 32);
}

template <typename T>
std::uint64_t bits_of(const T& value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return bits;
}

std::uint64_t hash_of(const ImVec4& v) {
  return mixed(bits_of(ImVec2(v.x, v.y)), bits_of(ImVec2(v.z, v.w)));
}

PixelRect pixels_of(const ImVec4& rect) {
  return {static_cast<int>(std::floor(rect.x)), static_cast<int>(std::floor(rect.y)),
          static_cast<int>(std::ceil(rect.z)), static_cast<int>(std::ceil(rect.w))};
}

const ImDrawVert& vertex(const ImDrawList& list, const ImDrawCmd& command, unsigned index) {
  const ImDrawIdx at = list.IdxBuffer[static_cast<int>(command.IdxOffset + index)];
  return list.VtxBuffer[static_cast<int>(command.VtxOffset + at)];
}

PixelRect bounds(const ImDrawList& list, const ImDrawCmd& command, unsigned first) {
  const ImVec2 &a = vertex(list, command, first).pos, &b = vertex(list, command, first + 1).pos,
               &c = vertex(list, command, first + 2).pos;
  return pixels_of({std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::max({a.x, b.x, c.x}),
                    std::max({a.y, b.y, c.y})});
}

// Runs of changed tiles in a row, each as far down as the same run reaches.
std::vector<PixelRect> joined(const std::vector<bool>& changed, int columns, int rows) {
  std::vector<PixelRect> parts, above;
  for (int row = 0; row < rows; ++row) {
    std::vector<PixelRect> here;
    for (int column = 0; column < columns;) {
      const auto is_changed = [&](int at) { return changed[static_cast<size_t>(row * columns + at)]; };
      const int start = column;
      while (column < columns && is_changed(column)) ++column;
      if (column == start) {
        ++column;
        continue;
      }
      here.push_back({start, row, column, row + 1});
    }
    for (PixelRect& run : here) {
      const auto same = std::find_if(above.begin(), above.end(), [&](const PixelRect& upper) {
        return upper.left == run.left && upper.right == run.right;
      });
      if (same == above.end()) continue;
      run.top = same->top;
      above.erase(same);
    }
    parts.insert(parts.end(), above.begin(), above.end());
    above = std::move(here);
  }
  parts.insert(parts.end(), above.begin(), above.end());
  return parts;
}

}  // namespace

PixelRect PixelRect::cut(const PixelRect& other) const {
  return {std::max(left, other.left), std::max(top, other.top), std::min(right, other.right),
          std::min(bottom, other.bottom)};
}

std::vector<PixelRect> ChangedTiles::next(int width, int height, std::span<const Backing> backings,
                                          const ImDrawData& data) {
  const PixelRect window{0, 0, width, height};
  const int columns = tiles_in(width), rows = tiles_in(height);
  std::vector<std::uint64_t> tiles(static_cast<size_t>(columns * rows));
  const auto draw = [&](const PixelRect& where, std::uint64_t hash) {
    const PixelRect inside = where.cut(window);
    if (inside.empty()) return;
    for (int row = inside.top / kTile; row < tiles_in(inside.bottom); ++row) {
      for (int column = inside.left / kTile; column < tiles_in(inside.right); ++column) {
        std::uint64_t& tile = tiles[static_cast<size_t>(row * columns + column)];
        tile = mixed(tile, hash);
      }
    }
  };

  for (const Backing& backing : backings)
    draw(backing.rect,
         mixed(bits_of(backing.color), mixed(bits_of(ImVec2(static_cast<float>(backing.rect.left),
                                                            static_cast<float>(backing.rect.top))),
                                             bits_of(ImVec2(static_cast<float>(backing.rect.right),
                                                            static_cast<float>(backing.rect.bottom))))));
  for (int l = 0; l < data.CmdListsCount; ++l) {
    const ImDrawList& list = *data.CmdLists[l];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const std::uint64_t common = mixed(hash_of(command.ClipRect), bits_of(command.TextureId));
      const PixelRect clip = pixels_of(command.ClipRect);
      for (unsigned first = 0; first + 2 < command.ElemCount; first += 3) {
        std::uint64_t hash = common;
        for (unsigned i = first; i < first + 3; ++i) {
          const ImDrawVert& v = vertex(list, command, i);
          hash = mixed(mixed(mixed(hash, bits_of(v.pos)), bits_of(v.uv)), v.col);
        }
        draw(bounds(list, command, first).cut(clip), hash);
      }
    }
  }

  const bool whole = width != width_ || height != height_ || tiles_.empty();
  std::vector<bool> changed(tiles.size());
  if (!whole) {
    for (size_t i = 0; i < tiles.size(); ++i) changed[i] = tiles[i] != tiles_[i];
  }
  width_ = width;
  height_ = height;
  tiles_ = std::move(tiles);
  if (whole) return {window};
  std::vector<PixelRect> parts = joined(changed, columns, rows);
  for (PixelRect& part : parts)
    part =
        PixelRect{part.left * kTile, part.top * kTile, part.right * kTile, part.bottom * kTile}.cut(window);
  return parts;
}

void keep_only(ImDrawData& data, std::span<const PixelRect> parts) {
  for (int l = 0; l < data.CmdListsCount; ++l) {
    ImDrawList& list = *data.CmdLists[l];
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
    std::vector<PixelRect> triangles;
    for (const ImDrawCmd& command : list.CmdBuffer) {
      triangles.clear();
      for (unsigned first = 0; first + 2 < command.ElemCount; first += 3)
        triangles.push_back(bounds(list, command, first));
      for (const PixelRect& part : parts) {
        const PixelRect clip = pixels_of(command.ClipRect).cut(part);
        if (clip.empty()) continue;
        ImDrawCmd kept = command;
        kept.ClipRect = {std::max(command.ClipRect.x, static_cast<float>(part.left)),
                         std::max(command.ClipRect.y, static_cast<float>(part.top)),
                         std::min(command.ClipRect.z, static_cast<float>(part.right)),
                         std::min(command.ClipRect.w, static_cast<float>(part.bottom))};
        kept.IdxOffset = static_cast<unsigned>(indices.Size);
        for (unsigned first = 0; first + 2 < command.ElemCount; first += 3) {
          if (triangles[first / 3].cut(clip).empty()) continue;
          for (unsigned i = first; i < first + 3; ++i)
            indices.push_back(list.IdxBuffer[static_cast<int>(command.IdxOffset + i)]);
        }
        kept.ElemCount = static_cast<unsigned>(indices.Size) - kept.IdxOffset;
        if (kept.ElemCount > 0) commands.push_back(kept);
      }
    }
    list.CmdBuffer.swap(commands);
    list.IdxBuffer.swap(indices);
  }
}

}  // namespace glassformer
