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
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"
#include "app/session/command.h"
#include "app/ui/icons.h"
#include "app/ui/registry.h"

namespace glassformer {
class ScreenCanvas;
}

namespace glassformer::ui {

inline constexpr float kControlHeight = 32, kFieldHeight = 36, kChipHeight = 28, kRowHeight = 24;

// Named keys that the program uses beside letters and digits, which arrive as typed characters.
enum class Key {
  left,
  right,
  up,
  down,
  home,
  end,
  page_up,
  page_down,
  enter,
  escape,
  backspace,
  tab,
  space,
  f5,
  undo,
  redo,
  copy
};  // the last three are Ctrl+Z, Ctrl+Shift+Z (or Ctrl+Y), Ctrl+C

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
};

enum class FieldEvent { none, changed, entered };  // entered: Enter was pressed in it

struct MenuItem {
  std::string label;
  std::string keys;                // shown right, "Ctrl+Z"
  std::optional<Command> command;  // sent when chosen
  bool enabled = true;
  bool checked = false;
  bool divider = false;  // a line above it
  std::string note;      // faint second text, "~/models"
};

// What the mouse and the keyboard do with one rectangle.
struct Response {
  bool hovered = false;
  bool held = false;     // the button went down on it and is still down
  bool clicked = false;  // with the mouse, or Enter while it has the keyboard's focus
  bool focused = false;
  bool control = false;  // Ctrl was held
};

class Ui {
 public:
  Ui();
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  Canvas& canvas();
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
  // A quiet button that opens a list; chosen items push their command. Returns the index of the item just
  // chosen, -1: none.
  int Menu(const Rect& rect, std::string_view label, std::span<const MenuItem> items);

  // A rectangle that answers to the mouse, for pictures of one's own. Draws nothing but the focus ring.
  Response area(const Rect& rect, std::string_view label, std::string_view kind = "area",
                bool focusable = true);
  // A sentence that appears after 0.4 s over rect; at most three lines.
  void tooltip(const Rect& rect, std::string_view text);
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

  // A layer lies over everything drawn before it: what is below its rectangle (or, when modal, everywhere)
  // does not answer. Layers nest in drawing order.
  void begin_layer(const Rect& rect, bool modal);
  void end_layer();

  // Keyboard, while no text field is active. A key is taken by the first who asks.
  bool pressed(Key key);
  bool shift() const;
  bool control() const;
  std::optional<char> typed();   // the next letter (lower case), digit or sign of this frame; taken
  bool held(char letter) const;  // the key is down: "hold O"
  bool field_active() const;     // a text field has the keyboard
  void focus_stage();            // takes the focus away from any widget
  bool popup_open() const;       // a menu or list is open

  // Mouse, for panels with gestures of their own; nothing when another layer is above.
  std::optional<Point> mouse() const;

  // Live parts of pictures drawn so far through the canvas become part of the frame, with the present layer
  // and scroll.
  void take_hits();

  // Asks for another frame after so many seconds even when nothing happens (0: at once).
  void ask_frame(double seconds);
  double wanted_frame() const { return wanted_frame_; }  // seconds until then; below 0: none

  // Around every frame, by the program.
  void begin_frame(ScreenCanvas& canvas, Point window, double time);
  void end_frame();
  // What stood on screen in the last complete frame.
  const Registry& registry() const { return shown_; }
  // Brings a widget into view at the next frame, when it is in a scroll area. False when it does not exist.
  bool reveal(std::string_view label);

 private:
  struct Layer {
    Rect rect;
    bool modal = false;
  };
  struct Scroll {
    std::string label;
    Rect view;
    Point content;
    Point offset;
    int layer = 0;
  };
  struct Popup {
    std::string owner;
    Rect anchor;
    std::vector<MenuItem> items;
    int chosen = -1;    // ticked
    bool wide = false;  // at least as wide as the anchor
  };
  struct PendingHit {
    HitRegion region;
    Rect clip;
    int layer;
    int scroll;
  };

  bool mouse_over(const Rect& rect) const;
  Rect clip() const;
  void record(Widget widget);
  void focus_ring(const Rect& rect);
  void open_popup(Popup popup);
  void draw_popup();
  void draw_tooltip();
  void draw_scroll_bar(const Scroll& scroll);
  void resolve_hits();
  void read_input();
  void move_focus();

  ScreenCanvas* canvas_ = nullptr;
  Commands commands_;
  Registry building_, shown_;

  // The present frame.
  Point window_;
  double time_ = 0;
  Point mouse_;
  bool mouse_inside_ = false, down_ = false, went_down_ = false, went_up_ = false, double_click_ = false;
  Point wheel_;
  bool shift_ = false, control_ = false;
  std::vector<char> typed_;
  std::set<Key> keys_;
  bool field_was_active_ = false, field_is_active_ = false;
  std::vector<int> layer_stack_;
  std::vector<Layer> layers_, last_layers_;
  int mouse_layer_ = 0;
  std::vector<Scroll> scrolls_;
  std::vector<int> scroll_stack_;
  std::vector<PendingHit> hits_;
  std::string hovered_now_;  // the widget under the mouse, of those seen so far
  double wanted_frame_ = -1;

  // From frame to frame.
  std::string held_;     // where the mouse button went down
  std::string focused_;  // by Tab
  bool activate_focused_ = false;
  std::string focus_field_;  // a text field to focus at its next call
  std::map<std::string, Point, std::less<>> scroll_offsets_;
  std::optional<Popup> popup_;
  int popup_row_ = -1;
  bool popup_fresh_ = false;
  std::string popup_owner_done_;
  int popup_choice_ = -1;
  std::string tip_, tip_candidate_;  // tooltip shown, and the one that waits
  Rect tip_rect_;
  double tip_since_ = 0;
  std::string hit_held_;
};

}  // namespace glassformer::ui
