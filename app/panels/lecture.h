// Lecture mode (F5): one panel for a projector, large type, the last key and what it did, a ring round the
// mouse. A lesson's page is one screen (lecture_room.h).
#pragma once

#include <optional>
#include <string>

#include "app/panels/lecture_training.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/panel_input.h"

namespace glassformer {

// No type is smaller than this on a screen of 1024 x 768, and captions, of 12, are as high as that.
inline constexpr double kCaptionSize = 12, kLecturePixels = 20, kLectureScale = kLecturePixels / kCaptionSize;
// The type grows with the window, in steps of 1/6, as each is rasterized anew: the back row sees as much of
// it.
double lecture_scale(Point pixels);

class Lecture {
 public:
  bool on = false, was_on = false;  // was_on: in the last frame
  bool hears = true;                // no dialog is over it

  // Over the whole window.
  void draw(ui::Ui& ui, const PanelInput& in, Point window);

 private:
  void lesson_page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, Point window);
  void plain(ui::Ui& ui, const PanelInput& in, Point window);
  void head(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void caption(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void lesson_foot(ui::Ui& ui, const PanelInput& in, const TakenLesson& lesson, const Rect& rect);
  void foot(ui::Ui& ui, const PanelInput& in, const Rect& rect);
  void hear(const ui::Ui& ui, const PanelInput& in);
  void turn_view(ui::Ui& ui, const PanelInput& in);
  float echo(ui::Ui& ui, const Theme& t, Point at, const std::string& what, const std::string& words,
             const std::string& nothing);
  bool sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect);

  std::string caption_, caption_of_;   // of the view shown last
  std::optional<std::string> typing_;  // the sentence, while somebody writes it
  bool begins_ = false;
  // What a key may have changed.
  struct State {
    std::string view = {}, state = {};
    Selection pinned = {};
    const SceneResult* result = nullptr;
    int steps = 0;
    bool trains = false, compares = false, known = false, waits = false;
    std::size_t page = 0;
    int tries = 0;
    bool operator==(const State&) const = default;
  };
  static State state_of(const PanelInput& in);
  State state_;
  std::string heard_, echoed_;  // the last key, and the last that changed something
  int patience_ = 0;            // frames in which a change is that of the last key
  LectureTraining training_;
};

}  // namespace glassformer
