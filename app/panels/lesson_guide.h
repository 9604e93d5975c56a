// The lesson that is taken: brings the window to each page's Scene, and hears what is clicked and done there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lessons/lesson_list.h"
#include "app/lessons/taken_lesson.h"
#include "app/panels/scene_bringer.h"
#include "app/session/session.h"
#include "app/ui/ui.h"

namespace glassformer {

class LessonGuide {
 public:
  // All that there are, as they stood when they were first asked for.
  const std::vector<ListedLesson>& all();
  // Nothing happens to a lesson with errors but that they are told; returns what to say then.
  std::string take(std::size_t lesson, const std::string& language);
  void leave() { taken_.reset(); }
  TakenLesson* taken() { return taken_.get(); }
  std::size_t number() const { return number_; }  // of all(), from 0

  // Once a frame: what brings the window to a page that was set up goes out as commands. `now` is what the
  // window shows; null: nothing yet. `view` is the name of the open view, which is `shown`.
  void frame(ui::Ui& ui, const Session& session, const ViewInput* now, const std::string& view,
             const View* shown);
  // Outlines what the page points at, and covers what it asks for until that is answered: over all that was
  // drawn.
  void draw_targets(ui::Ui& ui);
  std::optional<CoveredRow> covered();
  // A click on a cell or a word may be an answer.
  void note_pin(const Selection& pin);

 private:
  std::vector<ListedLesson> all_;
  bool listed_ = false;
  std::unique_ptr<TakenLesson> taken_;
  std::size_t number_ = 0;
  SceneBringer bringer_;  // to the open page
};

}  // namespace glassformer
