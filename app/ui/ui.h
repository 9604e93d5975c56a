// Buttons, switches, sliders and fields in the program's look, and the frame they live in. A widget call
// draws the widget, answers the mouse and the keyboard, and tells what happened: true when it was used in
// this frame. Widgets keep nothing themselves; the value is the caller's.
//
//   if (ui.Segmented(rect, "Picture", {"Heatmap", "Ribbons"}, picture_)) ...
//   if (ui.Switch({x, y}, "Causal mask", on)) ui.push(SetWhatIf{...});
//
// All rectangles are effective pixels of the window. Every label is unique on screen: it is the widget's
// identity, and the name that tests and the `Registry` know it by. When two widgets must read the same, give
// one an `id`. What is seen is drawn through the canvas, so that widgets and pictures share one look and one
// scale.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/scene/command.h"
#include "app/ui/icons.h"
#include "app/ui/keys.h"
#include "app/ui/registry.h"

struct ImDrawList;

namespace glassformer {
class BakedFonts;
class ScreenCanvas;
class Textures;
}  // namespace glassformer

namespace glassformer::ui {

// What an area that scrolls both ways loses on its right and bottom to the bars beside it.
inline constexpr float kBesideScrollBars = 10;

struct ButtonOptions {
  Icon icon = Icon::none;
  bool enabled = true;
  std::string id;  // registry name when the label is not unique
  std::string tooltip;
  bool selected = false;  // outlined in ink: the open one
};

struct SliderOptions {
  double minimum = 0, maximum = 1;
  double step = 0;           // values snap to multiples of it; 0: any
  bool logarithmic = false;  // minimum must be above 0
  bool enabled = true;
};

struct FieldOptions {
  std::string hint;   // faint, while empty
  std::string error;  // outlined in the wrong colour; the caller writes the sentence under it
  bool mono = false;  // numbers
  bool enabled = true;
  bool focus = false;  // take the keyboard in this frame
  bool stays = false;  // keeps it after Enter, all that was typed selected
};

enum class FieldEvent { none, changed, entered, left };  // entered: Enter was pressed in it; left: Esc

struct MenuItem {
  std::string label;
  std::string keys;                // shown right, "Ctrl+Z"
  std::optional<Command> command;  // sent when chosen
  bool enabled = true;
  bool checked = false;  // a tick: done, or chosen
  bool here = false;     // a dot: the one that is open
  bool divider = false;  // a line above it
  std::string note;      // faint second text, "~/models"
};

// What the mouse and the keyboard do with one rectangle.
struct Response {
  bool hovered = false;
  bool held = false;     // the button went down on it and is still down
  bool clicked = false;  // with the mouse, or Enter while it has the keyboard's focus
  bool focused = false;
  bool control = false;          // Ctrl was held
  bool menu = false;             // right-clicked, or the menu key while it has the keyboard's focus
  std::optional<Point> at = {};  // of a plane: where on it
};

// A part of a picture whose menu was asked for: a right click on it, or the menu key on the grid's cursor.
struct MenuWish {
  std::string label;
  Rect at;        // to open beside
  Command about;  // what a click on it means, or would mean if the click did not do something else
};

class Ui {
 public:
  Ui();
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  Canvas& canvas();
  // What pictures offer to the mouse from here on has labels that end in this; empty: as they are.
  void name_hits(std::string suffix);
  const Theme& theme();
  // What this frame asks the session for.
  Commands& commands() { return commands_; }
  void push(Command command) { commands_.push_back(std::move(command)); }

  // Widgets. The label is drawn unless said otherwise.
  bool Button(const Rect& rect, std::string_view label, const ButtonOptions& options = {});
  bool PrimaryButton(const Rect& rect, std::string_view label,
                     const ButtonOptions& options = {});  // one a panel
  bool IconButton(const Rect& rect, Icon icon, std::string_view label, const ButtonOptions& options = {});
  bool QuietButton(const Rect& rect, std::string_view label,
                   const ButtonOptions& options = {});  // text alone
  bool LinkButton(Point top_left, std::string_view label,
                  const ButtonOptions& options = {});  // 12 px, underlined
  // One of two to four choices; `label` names it in the registry (its parts are "label: choice") and is not
  // drawn.
  bool Segmented(const Rect& rect, std::string_view label, std::span<const std::string> choices, int& chosen);
  bool Segmented(const Rect& rect, std::string_view label, std::initializer_list<const char*> choices,
                 int& chosen);
  // 18 x 32, the label right of it.
  bool Switch(Point top_left, std::string_view label, bool& on, bool draw_label = true, bool enabled = true);
  // Track across the middle of rect; the label is not drawn. True while the value changes.
  bool Slider(const Rect& rect, std::string_view label, double& value, const SliderOptions& options = {});
  // 36 high; the label is not drawn.
  FieldEvent TextField(const Rect& rect, std::string_view label, std::string& text,
                       const FieldOptions& options = {});
  // A field that opens a list; the label is not drawn.
  bool Combo(const Rect& rect, std::string_view label, std::span<const std::string> choices, int& chosen);
  // A quiet button that opens a list; a chosen item pushes its command. Returns the item just chosen, as it
  // stood in the list: the items of this frame may be others.
  std::optional<MenuItem> Menu(const Rect& rect, std::string_view label, std::span<const MenuItem> items);
  // Opens a list beside a rectangle; the item chosen pushes its command.
  void open_menu(std::string_view label, const Rect& at, std::vector<MenuItem> items);
  void wish_menu(std::string_view label, const Rect& at, Command about);
  std::optional<MenuWish> take_menu_wish() { return std::exchange(menu_wish_, std::nullopt); }

  // A rectangle that answers to the mouse, for pictures of one's own. Draws nothing but the focus ring. One
  // of kind "panel" takes the keyboard when it is pressed.
  Response area(const Rect& rect, std::string_view label, std::string_view kind = "area",
                bool focusable = true);
  // One whose every point means something, such as a chart: tells which one, the mouse's or the one that the
  // arrows move while it has the keyboard's focus (8 px, with Shift 1).
  Response plane(const Rect& rect, std::string_view label, std::string_view kind = "area");
  // A sentence that appears after 0.4 s over rect; at most three lines.
  void tooltip(const Rect& rect, std::string_view text);
  // Says of a rectangle drawn before that it is the open or chosen one.
  void mark_selected(std::string_view label);
  // Controls drawn from here on are the open view's, or are not.
  void of_view(bool on) { of_view_ = on; }
  // A choice, switch, slider or list takes this value (the choice's words, "on" or "off", a number) when it
  // is drawn the next time, as if a hand had set it.
  void set(std::string_view label, std::string_view value);
  // What of it was not taken yet: no such control was drawn, or it has no such value.
  const std::map<std::string, std::string, std::less<>>& still_to_set() const { return to_set_; }
  void forget_to_set() { to_set_.clear(); }
  // Text that tests can read, drawn by the caller.
  void note(const Rect& rect, std::string_view label, std::string_view value);

  // Sizes that hold the text: for laying out rows of controls.
  float button_width(std::string_view label, Icon icon = Icon::none);
  float segmented_width(std::span<const std::string> choices);
  float segmented_width(std::initializer_list<const char*> choices);
  float text_width(std::string_view text, float size = 14, Font font = Font::regular);

  // Scrolling: draw into the rectangle that begin_scroll returns (it may begin above or left of `view`). A
  // bar stands at the right or below when the content is larger.
  Rect begin_scroll(const Rect& view, std::string_view label, Point content);
  void end_scroll();
  void scroll_to(std::string_view label, Point offset);
  Point scroll_of(std::string_view label) const;
  // How far a scroll area that was drawn in this frame can still go, right and down, and what of it is in
  // sight.
  struct ScrollRoom {
    Point rest, seen;
  };
  ScrollRoom scroll_room(std::string_view label) const;
  // What of a rectangle is in sight of the scroll area that is being drawn.
  Rect seen(const Rect& rect) const { return visible(rect); }

  // A layer lies over everything drawn before it: what is below its rectangle (or, when modal, everywhere)
  // does not answer. Layers nest in drawing order.
  void begin_layer(const Rect& rect, bool modal);
  void end_layer();

  // Keyboard, while no text field is active. A key is taken by the first who asks.
  bool pressed(Key key);
  bool shift() const;
  bool control() const;
  // The next letter (lower case), digit or sign of this frame; taken. Only ? and / while something other than
  // the stage and its grids has the focus.
  std::optional<char> typed();
  bool take_typed(char letter);  // this one was typed in this frame; taken, whatever has the focus
  void focus(std::string_view label) { focused_ = label; }  // gives it the keyboard, as Tab does
  // The key that was taken last, as it is printed on it; empty: none yet.
  const std::string& last_key() const { return last_key_; }
  bool held(char letter) const;      // the key is down: "hold O"
  bool field_active() const;         // a text field has the keyboard
  bool stage_has_focus() const;      // no widget that keeps keys to itself
  std::string focused_kind() const;  // Widget::kind of what has the keyboard; empty: nothing
  bool popup_open() const;           // a menu or list is open

  // Mouse, for panels with gestures of their own; nothing when another layer is above.
  std::optional<Point> mouse() const;

  // Asks for another frame after so many seconds even when nothing happens (0: at once).
  void ask_frame(double seconds);
  double wanted_frame() const { return wanted_frame_; }  // seconds until then; below 0: none

  // Around every frame, by the program.
  struct Frame {
    ImDrawList* list = nullptr;  // what is drawn on
    const Theme* theme = nullptr;
    BakedFonts* fonts = nullptr;  // baked for the scale at hand
    Textures* textures = nullptr;
    Point window;          // effective pixels
    float least_type = 0;  // no text is smaller: em size
    double time = 0;       // seconds since some moment
  };
  void begin_frame(const Frame& frame);
  void end_frame();
  // Numbers that are covered do not tell themselves in tooltips: this text stands in for them over the
  // rectangle.
  void veil(const Rect& rect, std::string_view text);
  // What stood on screen in the last complete frame.
  const Registry& registry() const { return shown_; }
  // As above, the live parts of pictures included (kind "picture").
  std::optional<Widget> find(std::string_view label) const;
  std::vector<std::string> labels() const;
  // Whatever in pictures a click means something on, but the cells of grids that have stops of their own.
  std::vector<Widget> parts() const;
  // Where lines of text stand that were drawn so far in this frame.
  std::vector<Rect> text_places() const;
  // Brings a widget or a part of a picture into view at the next frame, when it is in a scroll area. False:
  // there is none.
  bool reveal(std::string_view label);
  void reveal(const Rect& rect, int scroll);

 private:
  struct Layer {
    Rect rect;
    bool modal = false;
  };
  struct Scroll {
    std::string label;
    Rect view;
    Point content, offset;
    int layer = 0;
  };
  struct Popup {
    std::string owner;
    Rect anchor;
    std::vector<MenuItem> items;
    int chosen = -1;  // ticked
    int row = -1;     // lit by the keyboard
    bool fresh = true;
    bool sends = false;     // the chosen line's command, as no widget asks for it
    bool menu = false;      // the mouse over another menu's name opens that one instead
    bool by_hover = false;  // it did so, and the button has not gone down on its name since
    bool ticks() const;     // some line has one
  };
  // What was chosen, as it stood in the list: the lines of this frame may be others.
  struct PopupAnswer {
    std::string owner;
    int row;
    MenuItem item;
  };

  static constexpr int kPopupLayer = 1000;

  // ui.cpp: the frame
  std::unique_ptr<ScreenCanvas> new_canvas() const;
  void enter_layer(int layer);
  void read_input();
  bool mouse_over(const Rect& rect) const;
  Rect visible(const Rect& rect) const;
  int layer() const { return layer_stack_.back(); }
  bool take(Key key);
  std::optional<int> choice_to_set(std::string_view label, std::span<const std::string> choices);
  std::optional<std::string> take_to_set(std::string_view label);
  void record(std::string_view label, std::string_view kind, const Rect& rect, Widget more);
  void amend(std::string_view label, Widget widget);  // of the entry that area() made, or a new one
  void resolve_hits();
  void move_focus();
  void draw_tooltip();
  // grids.cpp, planes included
  int modal_layer(const std::vector<Layer>& layers) const;  // nothing below it answers; 0: all does
  void take_grid_keys();
  void focus_grids();
  void move_in_grid(const HitGrid& grid, const Rect& clip, int scroll);
  void ring_cell(const HitGrid& grid, const Rect& clip);
  // picture_parts.cpp
  struct Part {
    HitRegion region;  // effective pixels
    Rect clip;
    size_t canvas = 0;
    int scroll = -1;
  };
  int scroll_with(const Rect& clip) const;  // the scroll area that cuts off what lies outside; -1: none
  std::vector<Part> clickable_parts(bool every) const;  // every word beside cells, or the first of an axis
  void focus_parts();
  void move_in_parts(const std::vector<Part>& all);
  // widgets.cpp
  bool draw_button(const Rect& rect, std::string_view label, const ButtonOptions& options, bool primary);
  void focus_ring(const Rect& rect, bool focused);
  // popup.cpp
  void open_popup(Popup popup);
  std::optional<PopupAnswer> popup_answer(std::string_view owner);
  void draw_popup();
  Rect popup_box(const Popup& popup);
  void step_popup(Popup& popup);
  int popup_items(Popup& popup, const Rect& box);
  void draw_popup_item(const Popup& popup, int i, const Rect& row);
  // scroll.cpp
  void scroll_bars(const Scroll& scroll);

  // One canvas a layer, so that what answers to the mouse below a dialog is known from what lies on it.
  ScreenCanvas& screen() { return *canvases_[static_cast<size_t>(canvas_stack_.back())]; }

  Frame frame_;
  std::vector<std::unique_ptr<ScreenCanvas>> canvases_;
  std::vector<int> canvas_stack_, canvas_layers_;
  Commands commands_;
  Registry building_, shown_;

  // The present frame.
  Point mouse_, wheel_;
  bool mouse_inside_ = false, down_ = false, went_down_ = false, went_up_ = false;
  bool right_down_ = false;  // the right button, in this frame
  bool shift_ = false, control_ = false, mouse_moved_ = false;
  std::vector<char> typed_;
  std::vector<Key> grid_keys_;  // that the grid with the focus takes
  std::set<Key> keys_;
  bool field_active_ = false;
  std::vector<int> layer_stack_;
  std::vector<Layer> layers_, last_layers_;
  int mouse_layer_ = 0;
  std::vector<Scroll> scrolls_;
  std::vector<int> scroll_stack_;
  std::string hot_;  // the widget under the mouse, of those drawn so far
  Rect hot_rect_;
  std::string tip_;   // the tooltip asked for in this frame
  std::string veil_;  // what it says instead
  double wanted_frame_ = -1;

  // From frame to frame.
  std::string last_hot_;  // what was on top under the mouse
  Rect last_hot_rect_;
  std::string held_;     // where the mouse button went down
  std::string focused_;  // by Tab
  struct GridCursor {    // in the grid that has the focus
    std::string grid;
    int row = 0, column = 0;
    std::string part;     // instead of a cell: the part of a picture
    Point at;             // or the place on a plane
    bool pinned = false;  // by Enter: the next one leads deeper
    bool leads = false;   // shown as if hovered; until the mouse moves
  } cursor_;
  std::string focus_field_;  // a text field that takes the keyboard at its next call
  std::map<std::string, Point, std::less<>> scroll_offsets_;
  std::string wheel_owner_, wheel_next_;  // the scroll area that the wheel moves
  std::optional<Popup> popup_;
  std::optional<MenuWish> menu_wish_;
  std::optional<PopupAnswer> popup_answer_;  // of the last frame
  bool release_field_ = false;               // the active text field gives the keyboard back
  bool of_view_ = false;
  std::string last_key_;
  std::map<std::string, std::string, std::less<>> to_set_;
  std::string reveal_next_;  // scrolled into view after this frame
  float grab_ = 0;           // where a scroll bar is held
  std::string waiting_tip_;
  double tip_since_ = 0;
};

}  // namespace glassformer::ui
