// The list that a menu or a field opens: it lies over everything, and one is open at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/scene/command.h"
#include "app/theme/geometry.h"

namespace glassformer::ui {

class Ui;

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

struct PopupList {
  std::string owner;
  Rect anchor;
  std::vector<MenuItem> items;
  int chosen = -1;  // ticked
  int row = -1;     // lit by the keyboard
  bool fresh = true;
  bool sends = false;     // the chosen line's command, as no widget asks for it
  bool menu = false;      // the mouse over another menu's name opens that one instead
  bool by_hover = false;  // it did so, and the button has not gone down on its name since
};

class Popup {
 public:
  explicit Popup(Ui& ui) : ui_(ui) {}
  bool is_open() const { return list_.has_value(); }
  const std::optional<PopupList>& list() const { return list_; }
  void open(PopupList list);
  // Opens a list beside a rectangle; the item chosen pushes its command.
  void open_menu(std::string_view label, const Rect& at, std::vector<MenuItem> items);
  void close() { list_.reset(); }
  // What was chosen, as in the list: the lines of this frame may be others.
  struct Answer {
    std::string owner;
    int row;
    MenuItem item;
  };
  std::optional<Answer> take_answer(std::string_view owner);
  void draw();

 private:
  Rect box() const;
  void step();
  int draw_items(const Rect& box);
  void draw_item(int i, const Rect& row);

  Ui& ui_;
  std::optional<PopupList> list_;
  std::optional<Answer> answer_;  // of the last frame
};

}  // namespace glassformer::ui
