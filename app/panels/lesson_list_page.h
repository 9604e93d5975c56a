// All lessons on the stage, with what was done of each; beside them where one is, and a teacher's own files.
#pragma once

#include <optional>
#include <string>

#include "app/panels/lesson_guide.h"
#include "app/panels/panel_input.h"

namespace glassformer {

class LessonListPage {
 public:
  struct Wish {
    std::size_t lesson = 0;  // of LessonGuide::all(), from 0
    std::size_t page = 0;
  };
  // Draws it over the stage and the right column; without one (width 0) what is there comes below the
  // list. What was chosen, nothing as a rule.
  std::optional<Wish> draw(ui::Ui& ui, const PanelInput& in, const Rect& stage, const Rect& right);

  void show() { open = just_open_ = true; }

  bool open = false;

 private:
  std::optional<Wish> rows(ui::Ui& ui, const PanelInput& in, const Rect& rect, float& height);
  void move_focus(ui::Ui& ui, std::optional<std::size_t> focused, std::size_t next, std::size_t count,
                  std::size_t column);
  std::optional<Wish> where(ui::Ui& ui, const PanelInput& in, const Rect& rect, float& height);
  void own(ui::Ui& ui, const PanelInput& in, const Rect& rect, float& y, std::optional<Wish>& wish);

  float height_ = 0, right_height_ = 0;  // of the last frame
  bool just_open_ = false;
  std::string said_;  // "Copied to …", or why not
};

}  // namespace glassformer
