// The View menu and the field on top of it, which finds views, lessons, changes and commands by their names,
// and by the line of words that says what each is.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

inline constexpr const char* kViewMenu = "view menu";  // its OpenDialog

// One thing that can be found.
struct Findable {
  const char* group;  // "Views"
  std::string words;  // what it is, in plain words
  ui::MenuItem item;  // its name, its keys or minutes, and what it does: its command, else as a menu's line
};

struct FindForm {
  std::vector<Findable> all;  // the views first, as in the table of views
  std::string typed;
  int row = 0;         // that Enter opens, of what is listed
  bool focus = false;  // the field takes the keyboard in the next frame
  Point mouse;         // where it was; it chooses when it moves
  std::string view;    // the open one
  double scale = 1;    // of the text
  // In this frame: what was chosen, and what of the looks ("Dark", "larger", "smaller").
  std::optional<ui::MenuItem> chosen;
  std::string look;

  void start(const PanelInput& in);
};

// How well it fits what was typed: 0 is its name, then names that begin with it, have a word that does, or
// have it within; 4 its words have one that begins so, 5 have it within. Nothing: it does not fit.
std::optional<int> fit(const Findable& one, std::string_view typed);
// Those that fit, group by group, the best of each first; a name that begins with it is on top.
std::vector<const Findable*> found(const std::vector<Findable>& all, const std::string& typed);

// True: it is to be closed.
bool view_menu(ui::Ui& ui, Session& session, FindForm& form, Point window);
// The views in words: each question, and under it their names and what they show.
std::string view_menu_words();

}  // namespace glassformer
