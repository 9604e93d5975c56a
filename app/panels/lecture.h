// Lecture mode (F5): one panel for a projector, large type, the last key and what it did, a ring round the
// mouse. In a lesson the question is the title, and what may be answered stands beside the picture for a show
// of hands.
#pragma once

#include <optional>
#include <string>

#include "app/panels/lesson_guide.h"
#include "app/panels/panel_input.h"

namespace glassformer {

// No type is smaller than this on the screen, and captions, of 12, are as high as that.
inline constexpr double kLecturePixels = 20, kLectureScale = kLecturePixels / 12;

class Lecture {
 public:
  bool on = false, was_on = false;  // was_on: in the last frame

  // Over the whole window.
  void draw(ui::Ui& ui, const PanelInput& in, Point window);

 private:
  void head(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  float question(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const;
  void room(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const;
  // The same in lines above the picture, where the stage is narrow; returns how high.
  float room_in_lines(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const;
  void foot(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  bool sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect);

  std::optional<std::string> typing_;  // the sentence, while somebody writes it
  bool begins_ = false;
};

}  // namespace glassformer
