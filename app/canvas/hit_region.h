// A part of a picture that answers to the mouse.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/command.h"
#include "app/theme/geometry.h"

namespace glassformer {

struct HitRegion {
  Rect rect = {};
  std::string label = {};  // unique on screen; tests and screen readers call it by this: "cross layer 2 head
                           // 3 query 4 key 1"
  std::optional<Command> hover = {};  // sent each frame while the mouse is over it
  std::optional<Command> click = {};
  std::optional<Command> add = {};   // sent instead of click while Ctrl is held
  std::optional<Command> menu = {};  // what its menu is about, where that is not what a click means
  std::string tooltip = {};          // after 0.4 s; lines split at '\n', never the only place of a fact
};

using AlterHit = std::function<void(HitRegion&)>;

// What its menu is about; it answers to a click.
inline const Command& menu_of(const HitRegion& region) {
  return region.menu ? *region.menu : *region.click;
}

// The cells of a heatmap or the tiles of a wall: rows x columns that fill `rect`, of equal pitch unless the
// rows have their own bands. `cell` is asked for the region of one of them when the mouse or the arrow
// keys are on it (or a test looks for its label), so that a large grid costs nothing per frame.
struct HitGrid {
  // A row from one share of the grid's height to another; between two rows nothing answers.
  struct Band {
    float from = 0, to = 1;
  };
  Rect rect = {};
  int rows = 0, columns = 0;
  std::function<HitRegion(int row, int column)> cell =
      {};                        // its rect may be left empty: the grid fills it in
  std::vector<Band> bands = {};  // one a row, from the top; empty: equal rows
  bool tab_stop = true;          // the keyboard reaches it; not the words beside cells that it reaches anyway
};

// The cell under a point, its rect filled in; nothing outside the grid.
std::optional<HitRegion> region_in(const HitGrid& grid, Point point);
// The cell at a row and column, its rect filled in.
HitRegion region_at(const HitGrid& grid, int row, int column);

}  // namespace glassformer
