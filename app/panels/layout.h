// Where the panels lie, for any window and font scale. Everything is in effective pixels: window pixels
// divided by the font scale, so that a large font on a large screen is the same as a small window.
#pragma once

#include <string>

#include "app/theme/geometry.h"

namespace glassformer {

struct Settings;

enum class MapPlace { column, narrow_column, rail, folded, hidden };
enum class InspectorPlace {
  column,
  line,
  folded,
  hidden
};  // line: 32 px under the stage; folded: a rail with its name; hidden: in its drawer only
enum class BottomSize {
  full,
  low,
  one_row
};  // two strips and a chart; one strip; sentence and slider share a row

// What a lesson takes off the screen; the stage gets the room.
struct HiddenParts {
  bool train = false, slider = false, decoding = false, target = false, map = false, inspector = false;
  bool words = false;  // the sentence with its words, while a page shows less of its view
};

// Panels that are not folded, and whether the stage shows the quiet first screen.
struct OpenPanels {
  bool map = true, inspector = true, training = true, words = true;
  bool quiet = false;

  static OpenPanels none() { return {false, false, false, false, true}; }
};

struct Layout {
  Point window;
  HiddenParts hidden;
  OpenPanels panels;
  MapPlace map_place = MapPlace::column;
  InspectorPlace inspector_place = InspectorPlace::column;
  BottomSize bottom = BottomSize::full;

  Rect top_bar;
  Rect map;         // column or rail; width 0 when hidden
  Rect stage;       // breadcrumb, what-if strip and view
  Rect inspector;   // column or line; width 0 when hidden
  Rect sentence;    // the whole bar
  Rect slider;      // the whole bar; in one_row the right part of the shared row
  Rect names;       // the line below with the names of folded panels; height 0: none is folded there
  float left = 0;   // right end of the left column: fields end 24 before it
  float right = 0;  // left end of the right column

  // Map and inspector lie over the stage when they are opened; else they unfold beside it.
  bool map_over() const { return map_place != MapPlace::column && !(window.x >= 1200 && !hidden.map); }
  bool inspector_over() const { return inspector_place != InspectorPlace::column && window.x < 1200; }

  Rect map_drawer;        // what M lays over the stage
  Rect inspector_drawer;  // what I opens
};

// In a session: "quiet map training"; empty: the whole window with nothing folded.
std::string window_words(const OpenPanels& panels);
OpenPanels panels_of_words(const std::string& words);
// In the settings.
OpenPanels kept_panels(const Settings& kept);
void keep_panels(const OpenPanels& panels, Settings& kept);

Layout layout_for(Point window, HiddenParts hidden = {}, OpenPanels panels = {});

inline constexpr float kTopBar = 48, kBreadcrumb = 44, kWhatIfStrip = 40, kPadding = 24;
inline constexpr float kRail = 72, kNames = 40;  // of folded panels: beside the stage, below it

}  // namespace glassformer
