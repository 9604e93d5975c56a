// Areas whose content is larger than they are: the wheel, their bars, and what brings a part into sight.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/theme/geometry.h"

namespace glassformer::ui {

class Ui;

// What an area that scrolls both ways loses on its right and bottom to the bars beside it.
inline constexpr float kBesideScrollBars = 10;

class Scroll {
 public:
  explicit Scroll(Ui& ui) : ui_(ui) {}
  // Draw into the rectangle that begin returns (it may begin above or left of `view`). A bar is at the
  // right or below when the content is larger.
  Rect begin(const Rect& view, std::string_view label, Point content);
  void end();
  void to(std::string_view label, Point offset);
  Point of(std::string_view label) const;
  // How far an area that was drawn in this frame can still go, right and down, and what of it is in sight.
  struct Room {
    Point rest, seen;
  };
  Room room(std::string_view label) const;
  // What of a rectangle is in sight of the area that is being drawn.
  Rect seen(const Rect& rect) const;
  // Brings a widget or a part of a picture into view at the next frame, when it is in an area. False: there
  // is none.
  bool reveal(std::string_view label);
  void reveal(const Rect& rect, int area);

  void begin_frame();
  int drawn() const { return stack_.empty() ? -1 : stack_.back(); }  // the area that is being drawn; -1: none
  int cutting(const Rect& clip) const;  // the area that cuts off what lies outside; -1: none

 private:
  struct Area {
    std::string label;
    Rect view;
    Point content, offset;
    int layer = 0;
  };
  void draw_bars(const Area& area);

  Ui& ui_;
  std::vector<Area> areas_;  // of this frame
  std::vector<int> stack_;
  std::map<std::string, Point, std::less<>> offsets_;
  std::string wheel_owner_, wheel_next_;  // the area that the wheel moves
  float grab_ = 0;                        // where a bar is held
};

}  // namespace glassformer::ui
