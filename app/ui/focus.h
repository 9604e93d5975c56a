// What has the keyboard: a widget that Tab reached, the cells of a grid, the parts of a picture or a place on
// a plane; else the stage.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/hit_region.h"
#include "app/ui/keys.h"
#include "app/ui/registry.h"

namespace glassformer::ui {

class Ui;
enum class FieldEvent;
struct FieldOptions;

class Focus {
 public:
  explicit Focus(Ui& ui) : ui_(ui) {}
  void on(std::string_view label) { label_ = label; }  // gives it the keyboard, as Tab does
  bool has(std::string_view label) const { return !label_.empty() && label_ == label; }
  bool on_stage() const;     // no widget that keeps keys to itself
  std::string kind() const;  // Widget::kind of what has the keyboard; empty: nothing
  // Whatever in pictures a click means something on, but the cells of grids that have their own stops.
  std::vector<Widget> parts() const;
  // Where the arrows have brought the cursor on a plane; nothing while the mouse leads.
  std::optional<Point> place_on_plane(const Rect& rect, std::string_view label, bool hovered);

  // Around every frame: before the panels ask for keys, over what they have drawn, and Tab.
  void take_keys();
  void visit_grids();
  void move();

 private:
  friend FieldEvent TextField(Ui&, const Rect&, std::string_view, std::string&, const FieldOptions&);
  struct Cursor {  // in the grid that has the focus
    std::string grid;
    int row = 0, column = 0;
    std::string part;     // instead of a cell: the part of a picture
    Point at;             // or the place on a plane
    bool pinned = false;  // by Enter: the next one leads deeper
    bool leads = false;   // shown as if hovered; until the mouse moves
  };
  struct Part {
    HitRegion region;  // effective pixels
    Rect clip;
    size_t canvas = 0;
    int scroll = -1;
  };
  // grids.cpp
  void move_in_grid(const HitGrid& grid, const Rect& clip, int scroll);
  void ring_cell(const HitGrid& grid, const Rect& clip);
  // picture_parts.cpp
  std::vector<Part> clickable_parts(bool every) const;  // every word beside cells, or the first of an axis
  void visit_parts();
  void move_in_parts(const std::vector<Part>& all);

  Ui& ui_;
  std::string label_;
  Cursor cursor_;
  std::vector<Key> grid_keys_;  // that the grid with the focus takes in this frame
  std::string field_;           // a text field that takes the keyboard at its next call
  bool release_field_ = false;  // the active text field gives the keyboard back
};

}  // namespace glassformer::ui
