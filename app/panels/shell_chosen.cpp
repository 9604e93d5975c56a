#include <string>
#include <utility>

#include "app/panels/shell.h"

namespace glassformer {

// What was chosen in the View menu, or found by it.
void Shell::take_found(ui::Ui& ui, const PanelInput& in) {
  FindForm& find = dialogs_.find;
  opened_.views = dialogs_.open == kViewMenu;
  find.scale = scale();
  if (const std::string look = std::exchange(find.look, {}); !look.empty()) chosen(ui, in, look);
  const std::optional<ui::MenuItem> item = std::exchange(find.chosen, std::nullopt);
  if (item && item->command)
    ui.push(*item->command);
  else if (item)
    chosen(ui, in, item->label);
}

// What concerns the screen alone.
void Shell::chosen(ui::Ui& ui, const PanelInput& in, const std::string& what) {
  if (what == "Dark") set_theme(!theme_.dark);
  if (what == "larger" || what == "smaller") set_scale(scale() + (what == "larger" ? 0.25 : -0.25));
  if (what == "No motion") session_.settings().reduced_motion = !session_.settings().reduced_motion;
  if (what == "Map over the stage") opened_.map = !opened_.map;
  if (what == "Inspector") toggle_inspector();
  if (what == "Whole window" || what == "First screen") {
    if (session_.watched()) stop_watching();
    set_quiet(what == "First screen");
  }
  if (what == "Quit") wants_close_ = true;
  if (what == "Lecture mode") set_lecture(true);
  if (what.starts_with("Copy the ")) copy(ui, in, what.substr(9));
  chosen_lesson(what);
  if (what == "Save session") save_session();
  if (what == "Save session as…") ui.push(OpenDialog{"save session"});
  if (what == "Copy link text") copy_link(ui);
  if (what == "Back to what was") desk_.go_back(session_, view_);
  for (const double s : kScales)
    if (what == "Text " + std::to_string(static_cast<int>(s * 100)) + " %") set_scale(s);
  ui.ask_frame(0);
}

}  // namespace glassformer
