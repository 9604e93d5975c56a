// What was on screen in the last frame: every control and every live part of a picture, by its label. The
// tests click, type and read through this list, so what they prove is what a person can reach.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/theme/geometry.h"

namespace glassformer::ui {

struct Widget {
  std::string label;  // "Train", "English sentence", "cross layer 2 head 3 query 4 key 1"
  std::string kind;   // "button", "switch", "field", "slider", "segment", "combo", "item", "area", "text"
  std::string value;  // a field's text, a slider's value, "on" or "off", the chosen segment
  Rect rect;          // effective pixels, of the window
  Rect visible;       // the part that is not scrolled or clipped away; width 0: none
  bool enabled = true;
  bool selected = false;   // a segment, a tab, an open block
  bool focused = false;    // has the keyboard
  bool focusable = false;  // Tab stops here
  bool of_view = false;    // a control of the open view, see Ui::of_view
  int layer = 0;           // 0 the window, higher: drawers, dialogs, menus
  int scroll = -1;         // the scroll area it lies in, -1: none
};

class Registry {
 public:
  void clear() { widgets_.clear(); }
  void add(Widget widget) { widgets_.push_back(std::move(widget)); }
  Widget* last(std::string_view label);  // null when there is none
  const std::vector<Widget>& all() const { return widgets_; }
  // The last one registered under this label (what lies on top); null when there is none.
  const Widget* find(std::string_view label) const;

 private:
  std::vector<Widget> widgets_;
};

}  // namespace glassformer::ui
