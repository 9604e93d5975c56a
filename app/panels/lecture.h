// Lecture mode (F5): one panel for a projector, large type, the last key and what it did, a ring round the
// mouse. A lesson's page is one screen (lecture_room.h).
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

  // PgDn shows what of the picture has no room before anything else hears of it; with nothing over the
  // window.
  void scroll_keys(ui::Ui& ui);
  // Over the whole window.
  void draw(ui::Ui& ui, const PanelInput& in, Point window);

 private:
  void lesson_page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, Point window);
  void plain(ui::Ui& ui, const PanelInput& in, Point window);
  void head(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void picture(ui::Ui& ui, const PanelInput& in, const Rect& stage);
  void lesson_foot(ui::Ui& ui, const PanelInput& in, const TakenLesson& lesson, const Rect& rect);
  void foot(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  float echo(ui::Ui& ui, const Theme& t, Point at, const std::string& what, const std::string& words);
  bool sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect);

  std::optional<std::string> typing_;  // the sentence, while somebody writes it
  bool begins_ = false;
  std::string scroll_ = "lecture";  // what scrolls the picture
  Point rest_;                      // px of the picture that lie right of the stage and below it
  bool more_ = false;               // the key scrolls there
  Point page_;                      // px that the key scrolls
};

}  // namespace glassformer
