// Buttons, switches, sliders and fields in the program's look, and the frame they live in. A widget call
// draws the widget, answers the mouse and the keyboard, and returns what happened: true when it was used in
// this frame. Widgets keep nothing themselves; the value is the caller's.
//
//   if (Segmented(ui, rect, "Picture", {"Heatmap", "Ribbons"}, picture_)) ...
//   if (Switch(ui, {x, y}, "Causal mask", on)) ui.push(SetWhatIf{...});
//
// All rectangles are effective pixels of the window. Every label is unique on screen: it is the widget's
// identity, and the name that tests and the `Registry` know it by. When two widgets must read the same, give
// one an `id`. What is seen is drawn through the canvas, so that widgets and pictures share one look and one
// scale.
#pragma once

#include <functional>
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
#include "app/ui/focus.h"
#include "app/ui/icons.h"
#include "app/ui/keys.h"
#include "app/ui/popup.h"
#include "app/ui/registry.h"
#include "app/ui/scroll.h"
#include "app/ui/set_by_name.h"

struct ImDrawList;

namespace glassformer {
class BakedFonts;
class ScreenCanvas;
class Textures;
}  // namespace glassformer

namespace glassformer::ui {

inline constexpr float kButtonIcon = 20;  // an icon and the gap behind it

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
  // What pictures offer to the mouse from here on has labels that end in this; empty: unchanged.
  void alter_hits(AlterHit alter);
  const Theme& theme();
  // What this frame asks the session for.
  Commands& commands() { return commands_; }
  void push(Command command) { commands_.push_back(std::move(command)); }

  // Its parts: what scrolls, the open list, the keyboard's focus, and values that controls are to take.
  Scroll scroll;
  Popup popup;
  Focus focus;
  SetByName by_name;

  void wish_menu(std::string_view label, const Rect& at, Command about);
  std::optional<MenuWish> take_menu_wish() { return std::exchange(menu_wish_, std::nullopt); }

  // A rectangle that answers to the mouse, for pictures of one's own. Draws nothing but the focus ring. One
  // of kind "panel" takes the keyboard when it is pressed.
  Response area(const Rect& rect, std::string_view label, std::string_view kind = "area",
                bool focusable = true);
  // One whose every point means something, such as a chart: which one, the mouse's or the one that the
  // arrows move while it has the keyboard's focus (8 px, with Shift 1).
  Response plane(const Rect& rect, std::string_view label, std::string_view kind = "area");
  // A sentence that appears after 0.4 s over rect; at most three lines.
  void tooltip(const Rect& rect, std::string_view text);
  // Says of a rectangle drawn before that it is the open or chosen one.
  void mark_selected(std::string_view label);
  // Controls drawn from here on are the open view's, or are not.
  void of_view(bool on) { of_view_ = on; }
  // What widgets say of themselves: an entry of the registry, and more of the one that area() made.
  void record(std::string_view label, std::string_view kind, const Rect& rect, Widget more);
  void amend(std::string_view label, Widget widget);
  // Text that tests can read, drawn by the caller.
  void note(const Rect& rect, std::string_view label, std::string_view value);

  // Sizes that hold the text: for laying out rows of controls.
  float button_width(std::string_view label, Icon icon = Icon::none);
  float segmented_width(std::span<const std::string> choices);
  float segmented_width(std::initializer_list<const char*> choices);
  float text_width(std::string_view text, float size = 14, Font font = Font::regular);

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
  // The key that was taken last, as printed on it; empty: none yet.
  const std::string& last_key() const { return last_key_; }
  bool held(char letter) const;  // the key is down: "hold O"
  bool field_active() const;     // a text field has the keyboard

  // Mouse, for panels with their own gestures; nothing when another layer is above.
  std::optional<Point> mouse() const;
  Point mouse_anywhere() const { return mouse_; }  // whatever lies above; (-1, -1): outside the window

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
  // Numbers that are covered are not in tooltips either: this text replaces them over the
  // rectangle.
  void veil(const Rect& rect, std::string_view text);
  // What was on screen in the last complete frame.
  const Registry& registry() const { return shown_; }
  // As above, the live parts of pictures included (kind "picture").
  std::optional<Widget> find(std::string_view label) const;
  std::vector<std::string> labels() const;
  // Where lines of text are that were drawn so far in this frame.
  std::vector<Rect> text_places() const;

 private:
  struct Layer {
    Rect rect;
    bool modal = false;
  };
  static constexpr int kPopupLayer = 1000;

  friend class Focus;
  friend class Popup;
  friend class Scroll;
  friend FieldEvent TextField(Ui&, const Rect&, std::string_view, std::string&, const FieldOptions&);

  // frame.cpp
  std::unique_ptr<ScreenCanvas> new_canvas() const;
  void read_input();
  void enter_layer(int layer);
  static int modal_layer(const std::vector<Layer>& layers);  // nothing below it answers; 0: all does
  void resolve_hits();
  void draw_tooltip();
  // ui.cpp
  bool mouse_over(const Rect& rect) const;
  int layer() const { return layer_stack_.back(); }

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
  std::set<Key> keys_;
  bool field_active_ = false;
  std::vector<int> layer_stack_;
  std::vector<Layer> layers_, last_layers_;
  int mouse_layer_ = 0;
  std::string hot_;  // the widget under the mouse, of those drawn so far
  Rect hot_rect_;
  std::string tip_;   // the tooltip asked for in this frame
  std::string veil_;  // what it says instead
  double wanted_frame_ = -1;

  // From frame to frame.
  std::string last_hot_;  // what was on top under the mouse
  Rect last_hot_rect_;
  std::string held_;  // where the mouse button went down
  std::optional<MenuWish> menu_wish_;
  bool of_view_ = false;
  std::string last_key_;
  std::string reveal_next_;  // scrolled into view after this frame
  std::string waiting_tip_;
  double tip_since_ = 0;
};

// Widgets, found by their first argument: no ui:: before them. The label is drawn unless said otherwise.
bool Button(Ui& ui, const Rect& rect, std::string_view label, const ButtonOptions& options = {});
bool PrimaryButton(Ui& ui, const Rect& rect, std::string_view label,
                   const ButtonOptions& options = {});  // one a panel
bool IconButton(Ui& ui, const Rect& rect, Icon icon, std::string_view label,
                const ButtonOptions& options = {});
bool QuietButton(Ui& ui, const Rect& rect, std::string_view label,
                 const ButtonOptions& options = {});  // text alone
bool LinkButton(Ui& ui, Point top_left, std::string_view label,
                const ButtonOptions& options = {});  // 12 px, underlined
// One of two to four choices; `label` names it in the registry (its parts are "label: choice") and is not
// drawn.
bool Segmented(Ui& ui, const Rect& rect, std::string_view label, std::span<const std::string> choices,
               int& chosen);
bool Segmented(Ui& ui, const Rect& rect, std::string_view label, std::initializer_list<const char*> choices,
               int& chosen);
// 18 x 32, the label right of it.
bool Switch(Ui& ui, Point top_left, std::string_view label, bool& on, bool draw_label = true,
            bool enabled = true);
// Track across the middle of rect; the label is not drawn. True while the value changes.
bool Slider(Ui& ui, const Rect& rect, std::string_view label, double& value,
            const SliderOptions& options = {});
// 36 high; the label is not drawn.
FieldEvent TextField(Ui& ui, const Rect& rect, std::string_view label, std::string& text,
                     const FieldOptions& options = {});
// A field that opens a list; the label is not drawn.
bool Combo(Ui& ui, const Rect& rect, std::string_view label, std::span<const std::string> choices,
           int& chosen);
// A quiet button that opens a list; a chosen item pushes its command. Returns the item just chosen, as it
// was in the list: the items of this frame may be others.
std::optional<MenuItem> Menu(Ui& ui, const Rect& rect, std::string_view label,
                             std::span<const MenuItem> items);
void focus_ring(Ui& ui, const Rect& rect, bool focused);

}  // namespace glassformer::ui
