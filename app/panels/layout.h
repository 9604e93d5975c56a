// Where the panels lie, for any window and font scale. Everything is in effective pixels: window pixels
// divided by the font scale, so that a large font on a large screen is the same as a small window.
#pragma once

#include "app/theme/geometry.h"

namespace glassformer {

enum class MapPlace { column, narrow_column, rail, hidden };
enum class InspectorPlace {
  column,
  line,
  hidden
};  // line: 32 px under the stage; hidden: in its drawer only
enum class BottomSize {
  full,
  low,
  one_row
};  // two strips and a chart; one strip; sentence and slider share a row

// What a lesson takes off the screen; the stage gets the room.
struct HiddenParts {
  bool train = false, slider = false, decoding = false, target = false, map = false, inspector = false;
};

struct Layout {
  Point window;
  HiddenParts hidden;
  MapPlace map_place = MapPlace::column;
  InspectorPlace inspector_place = InspectorPlace::column;
  BottomSize bottom = BottomSize::full;

  Rect top_bar;
  Rect map;         // column or rail; width 0 when hidden
  Rect stage;       // breadcrumb, what-if strip and view
  Rect inspector;   // column or line; width 0 when hidden
  Rect sentence;    // the whole bar
  Rect slider;      // the whole bar; in one_row the right part of the shared row
  float left = 0;   // right end of the left column: fields end 24 before it
  float right = 0;  // left end of the right column

  Rect map_drawer;        // what M lays over the stage
  Rect inspector_drawer;  // what I opens
};

Layout layout_for(Point window, HiddenParts hidden = {});

inline constexpr float kTopBar = 48, kBreadcrumb = 44, kWhatIfStrip = 40, kPadding = 24;

}  // namespace glassformer
