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

  // PgDn shows what of the picture has no room before anything else hears of it; with nothing over the
  // window.
  void scroll_keys(ui::Ui& ui);
  // Over the whole window.
  void draw(ui::Ui& ui, const PanelInput& in, Point window);

 private:
  void head(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool question);
  bool asks_for_more(ui::Ui& ui, const TakenLesson& lesson, const Rect& stage, float least) const;
  void picture(ui::Ui& ui, const PanelInput& in, const Rect& stage);
  // Takes from the stage what question, words and offers need. `low`: the question stands in the head.
  void ask(ui::Ui& ui, TakenLesson& lesson, bool low, Rect& stage);
  void foot(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  bool sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect);

  std::optional<std::string> typing_;  // the sentence, while somebody writes it
  bool begins_ = false;
  std::string scroll_ = "lecture";  // what scrolls the picture
  Point rest_;                      // px of the picture that lie right of the stage and below it
  bool asks_ = false;               // the page of a lesson that is open
  bool more_ = false;               // the key scrolls there
  bool looking_ = false;            // at the picture, which the key has scrolled on this page
  Point page_;                      // px that the key scrolls
  float lines_ = 0;                 // px of what may be answered, in lines
  struct OpenPage {
    long taking = -1;  // which lesson
    std::size_t page = 0;
    bool operator==(const OpenPage&) const = default;
  };
  OpenPage page_open_;
};

}  // namespace glassformer
