#include "app/panels/layout.h"

#include <algorithm>
#include <cmath>

namespace glassformer {

Layout layout_for(Point window, HiddenParts hidden, OpenPanels panels) {
  Layout l;
  l.window = window;
  l.hidden = hidden;
  l.panels = panels;
  const float width = window.x, height = window.y;

  float map = 0, inspector = 0, line = 0;
  if (width >= 1440) {
    map = 280, inspector = 320;
  } else if (width >= 1200) {
    l.map_place = MapPlace::narrow_column;
    map = 240, inspector = 280;
  } else if (width >= 900) {
    l.map_place = MapPlace::rail;
    l.inspector_place = InspectorPlace::line;
    map = 48, line = 32;
  } else {
    l.map_place = MapPlace::hidden;
    l.inspector_place = InspectorPlace::hidden;
  }

  const bool columns = map >= 240;
  const float right_column = inspector;
  // Where there are columns they fold; else a press on a name lays the panel over the stage.
  const bool names_beside = columns || (panels.quiet && width >= 900);
  if (names_beside && (!columns || !panels.map)) l.map_place = MapPlace::folded, map = kRail;
  if (names_beside && (!columns || !panels.inspector))
    l.inspector_place = InspectorPlace::folded, inspector = kRail, line = 0;
  if (hidden.map && map > 0) l.map_place = MapPlace::hidden, map = 0;
  const bool folded_below =
      (!panels.training && !hidden.slider) || !panels.words || (panels.quiet && width < 900);
  const float names = folded_below ? kNames : 0;

  float sentence = 160, slider = 88;
  if (height < 600) {
    l.bottom = BottomSize::one_row;
    sentence = 56, slider = 0;
  } else if (height < 860 || width < 900) {
    l.bottom = BottomSize::low;
    sentence = 104, slider = 56;
  }

  const bool has_slider = !hidden.slider && panels.training, one_row = l.bottom == BottomSize::one_row;
  if (!has_slider) slider = 0;
  if (!panels.words && !(one_row && has_slider)) sentence = 0;
  const float middle = std::max(0.0f, height - kTopBar - sentence - slider - names);
  l.top_bar = {0, 0, width, kTopBar};
  l.map = {0, kTopBar, map, middle};
  l.stage = {map, kTopBar, width - map - inspector, middle - line};
  l.inspector = line > 0 ? Rect{map, kTopBar + middle - line, width - map, line}
                         : Rect{width - inspector, kTopBar, inspector, middle};
  l.sentence = {0, kTopBar + middle, width, sentence};
  l.slider = {0, l.sentence.bottom(), width, slider};
  l.names = {0, height - names, width, names};

  // The bars follow the columns above them, or their own when there are none.
  l.left = columns && !hidden.map && panels.map ? map : std::clamp(width * 0.25f, 150.0f, 256.0f);
  l.right = columns ? width - right_column : width - 210;
  if (hidden.decoding && inspector > 0) {
    // The right column reaches the window's bottom.
    l.inspector.height = height - kTopBar;
    l.sentence.width = l.slider.width = l.right;
  } else if (hidden.decoding) {
    l.right = width;
  }
  if (one_row) {
    // A slider too short to be set to a step would be none.
    const bool tight = width < 480;
    const float share = !has_slider ? width : !panels.words ? 0 : std::round(width * (tight ? 0.67f : 0.58f));
    l.slider = {share, l.sentence.y, width - share, sentence};
    l.sentence.width = share;
    l.left = std::clamp(share * (tight ? 0.37f : 0.42f), tight ? 100.0f : 130.0f, 256.0f);
    l.right = share;
  }

  const float rail = l.map_place == MapPlace::rail || l.map_place == MapPlace::folded ? map : 0;
  l.map_drawer = {rail, kTopBar, std::min(280.0f, width - rail), middle};
  const float drawer = std::min(300.0f, width - rail);
  l.inspector_drawer = {width - drawer, kTopBar, drawer, middle - line};
  return l;
}

}  // namespace glassformer
