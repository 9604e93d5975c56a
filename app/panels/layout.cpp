#include "app/panels/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "app/format/number_format.h"
#include "app/panels/rails.h"
#include "app/panels/styles.h"
#include "app/panels/top_bar.h"

namespace glassformer {

Layout layout_for(Point window, HiddenParts hidden, OpenPanels panels) {
  Layout l;
  l.window = window;
  l.hidden = hidden;
  if (hidden.words) panels.words = false;
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
  const bool folded_below = (!panels.training && !hidden.slider) || (!panels.words && !hidden.words) ||
                            (panels.quiet && width < 900);
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

namespace {

constexpr const char* kMapTip = "The model as the paper draws it (M)";
constexpr const char* kInspectorTip = "What a number is and how it was computed (I)";

enum class Pointing { left, right, up, down };

void draw_chevron(Canvas& canvas, Point at, Pointing way, Color color) {
  const float x = at.x, y = at.y;
  const auto line = [&](Point a, Point b, Point c) {
    canvas.polyline(std::array{a, b, c}, {.color = color, .width = 1.5f});
  };
  switch (way) {
    case Pointing::left:
      return line({x + 2, y - 4}, {x - 2, y}, {x + 2, y + 4});
    case Pointing::right:
      return line({x - 2, y - 4}, {x + 2, y}, {x - 2, y + 4});
    case Pointing::up:
      return line({x - 4, y + 2}, {x, y - 2}, {x + 4, y + 2});
    case Pointing::down:
      return line({x - 4, y - 2}, {x, y + 2}, {x + 4, y - 2});
  }
}

// Blocks joined as on the map; a page with a picture and lines.
void draw_map_sign(Canvas& canvas, Point at, Color color) {
  const Box box{.outline = color, .outline_width = 1, .radius = 2};
  for (const Point block : {Point{-12, -2}, {-12, 8}, {2, -13}, {2, -2}, {2, 8}})
    canvas.rectangle({at.x + block.x, at.y + block.y, 9, 6}, box);
}

void draw_inspector_sign(Canvas& canvas, Point at, Color color) {
  canvas.rectangle({at.x - 10, at.y - 13, 21, 26}, {.outline = color, .outline_width = 1, .radius = 3});
  canvas.rectangle({at.x - 6, at.y - 9, 6, 6}, {.fill = color, .radius = 1});
  for (const float y : {2.0f, 5.0f, 8.0f})
    canvas.line({at.x - 6, at.y + y}, {at.x + 6, at.y + y}, {color, 1});
}

bool rail(ui::Ui& ui, const Theme& t, const Rect& rect, const char* name, bool map) {
  Canvas& canvas = ui.canvas();
  const float edge = map ? rect.right() - 0.5f : rect.x + 0.5f;
  canvas.line({edge, rect.y}, {edge, rect.bottom()}, {.color = t.border});
  const Rect button{rect.x + 4, rect.y + 20, rect.width - 8, 72};
  const ui::Response response = ui.area(button, std::string("Unfold ") + name, "button");
  ui.tooltip(button, map ? kMapTip : kInspectorTip);
  const Color color = response.hovered ? t.ink : t.second_text;
  if (response.hovered) canvas.rectangle(button, {.fill = t.hover, .radius = 6});
  const Point at{std::round(rect.center().x), button.y + 26};
  if (map)
    draw_map_sign(canvas, at, color);
  else
    draw_inspector_sign(canvas, at, color);
  TextStyle style{.size = 12, .color = color, .x = AlignX::center};
  canvas.text({rect.center().x, button.y + 56}, map ? "Map" : "Inspector", style);
  return response.clicked;
}

// "˄ Words and decoding  greedy, 8 of 8"; returns where it ends.
struct FoldedName {
  const char* label;
  const char* name;
  std::string more;
  const char* tip;
};
float draw_name(ui::Ui& ui, const Theme& t, Point at, const FoldedName& folded, bool& pressed) {
  Canvas& canvas = ui.canvas();
  const float name = ui.text_width(folded.name, 12), more = ui.text_width(folded.more, 12);
  const Rect button{at.x - 8, at.y - 14, name + 36, 28};
  const ui::Response response = ui.area(button, folded.label, "button");
  if (response.hovered) canvas.rectangle(button, {.fill = t.hover, .radius = 6});
  draw_chevron(canvas, {at.x + 7, at.y}, Pointing::up, t.second_text);
  canvas.text({at.x + 22, at.y}, folded.name,
              {.size = 12, .color = response.hovered ? t.ink : t.second_text});
  canvas.text({button.right() + 4, at.y}, folded.more, styles::caption(t));
  if (!folded.more.empty())
    ui.note({button.right() + 4, at.y - 8, more, 16}, std::string(folded.label) + " says", folded.more);
  ui.tooltip({button.x, button.y, button.width + 4 + more, button.height}, folded.tip);
  pressed = response.clicked;
  return button.right() + 4 + more;
}

std::string decoding_words(const PanelInput& in) {
  if (!in.result) return "";
  const auto all = static_cast<long>(in.result->target_out_words.size());
  const long shown = in.session.shown_steps() < 0 ? all : in.session.shown_steps();
  static constexpr std::array kWays{"greedy", "beam", "sampled"};
  return std::string(kWays[static_cast<std::size_t>(in.session.scene().decode.search)]) + ", " +
         format_count(shown) + " of " + format_count(all);
}

// Left of the panel's own name or heading.
bool fold(ui::Ui& ui, const Theme& t, Point at, const char* label, Pointing way) {
  const Rect button{at.x - 10, at.y - 12, 20, 24};
  const ui::Response response = ui.area(button, label, "button");
  ui.tooltip(button, label);
  draw_chevron(ui.canvas(), at, way, response.hovered ? t.ink : t.second_text);
  return response.clicked;
}

}  // namespace

bool draw_rails(ui::Ui& ui, const PanelInput& in, OpenPanels& panels) {
  const Theme& t = in.theme;
  const Layout& layout = in.layout;
  const OpenPanels before = panels;
  const Opened opened = in.opened;
  const auto press_map = [&] {
    bool& open = layout.map_over() ? in.opened.map : panels.map;
    open = !open;
  };
  const auto press_inspector = [&] {
    bool& open = layout.inspector_over() ? in.opened.inspector : panels.inspector;
    open = !open;
  };
  const bool map_folded = layout.map_place == MapPlace::folded,
             inspector_folded = layout.inspector_place == InspectorPlace::folded;
  if (map_folded && rail(ui, t, layout.map, "the map", true)) press_map();
  if (inspector_folded && rail(ui, t, layout.inspector, "the inspector", false)) press_inspector();

  if (layout.names.height > 0) {
    const Rect& line = layout.names;
    ui.canvas().line({0, line.y + 0.5f}, {line.right(), line.y + 0.5f}, {.color = t.border});
    const bool brief = layout.window.x < 900, short_names = layout.window.x < 600;
    float x = short_names ? 12 : kPadding;
    const auto name = [&](const FoldedName& folded, const auto& press) {
      bool pressed = false;
      x = draw_name(ui, t, {x, line.center().y}, folded, pressed) + (short_names ? 8 : 28);
      if (pressed) press();
    };
    if (layout.panels.quiet && layout.map_place == MapPlace::hidden)
      name({"Unfold the map", "Map", "", kMapTip}, press_map);
    if (layout.panels.quiet && layout.inspector_place == InspectorPlace::hidden)
      name({"Unfold the inspector", "Inspector", "", kInspectorTip}, press_inspector);
    if (!panels.training && !layout.hidden.slider)
      name({"Unfold training", "Training", "",
            in.session.watched() ? "The steps of the opened model: they are here when you go back to it"
                                 : "How it has learned: its steps, and its loss, which is how far its "
                                   "guesses are from the right words"},
           [&] { panels.training = !in.session.watched(); });  // its slider is of the opened run
    if (!panels.words)
      name({"Unfold words and decoding", short_names ? "Words" : "Words and decoding",
            brief || layout.panels.quiet || in.session.watched() ? "" : decoding_words(in),
            "The sentence in pieces, and how the next word is chosen: greedy takes the likeliest"},
           [&] { panels.words = true; });
  }

  const bool map_open = layout.map_place == MapPlace::column || layout.map_place == MapPlace::narrow_column;
  if (map_open && fold(ui, t, {layout.map.x + 12, layout.map.y + 22}, "Fold the map", Pointing::left))
    panels.map = false;
  if (layout.inspector_place == InspectorPlace::column && !in.opened.inspector &&
      fold(ui, t, {layout.inspector.x + 12, layout.inspector.y + 22}, "Fold the inspector", Pointing::right))
    panels.inspector = false;
  if (layout.bottom != BottomSize::one_row) {
    const float training = layout.bottom == BottomSize::full ? 31.0f : 24.0f;
    if (layout.slider.height > 0 &&
        fold(ui, t, {12, layout.slider.y + training}, "Fold training", Pointing::down))
      panels.training = false;
    if (layout.sentence.height > 0 &&
        fold(ui, t, {12, layout.sentence.y + 22}, "Fold words and decoding", Pointing::down))
      panels.words = false;
    if (layout.sentence.height > 0 && layout.panels.quiet)
      ui.canvas().text({kPadding, layout.sentence.y + 22}, "Words and decoding", styles::caption(t));
  }
  const bool changed = panels.map != before.map || panels.inspector != before.inspector ||
                       panels.training != before.training || panels.words != before.words;
  if (changed || opened.map != in.opened.map || opened.inspector != in.opened.inspector) ui.ask_frame(0);
  return changed;
}

}  // namespace glassformer
