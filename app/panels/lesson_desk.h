// The list of lessons and the card of the one that is taken: how one is taken, followed and left.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/lesson_card.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/lesson_list_page.h"
#include "app/panels/session_desk.h"

namespace glassformer {

class LessonDesk {
 public:
  // `wanted`: a number in the list or a .lesson file, to be taken as soon as there is a Scene; empty: none.
  LessonDesk(Session& session, LessonGuide& guide, SessionDesk& sessions, std::string wanted)
      : session_(session), guide_(guide), sessions_(sessions), wanted_(std::move(wanted)) {}

  void want(std::string lesson) { wanted_ = std::move(lesson); }
  // What was shown before is come back to. Why it was not taken, a sentence; empty: it was.
  std::string take(std::size_t lesson, const std::string& view, std::size_t page = 0);
  bool returns() const { return !before_.empty(); }  // to what was shown before

  struct Followed {
    std::string said;                 // a sentence to be shown; empty: none
    bool left = false;                // what was shown before is back
    std::optional<std::size_t> next;  // the lesson that is to be taken
  };
  // Its marks, its file when that was written anew, and what its card asks for.
  Followed follow(const std::string& view, double time);
  // By its line in the menu: "12  From encoder to decoder". The lesson that is to be taken.
  std::optional<std::size_t> chosen(const std::string& line);
  // As Shell::mouse_rests(); `card`: where the lesson's is.
  bool mouse_rests(Point at, bool used, const Rect& card);

  LessonListPage list;
  LessonCard card;

 private:
  std::string open_model() const;  // as a lesson names it; empty: it is in no folder

  Session& session_;
  LessonGuide& guide_;
  SessionDesk& sessions_;
  std::string wanted_;
  std::vector<SceneLine> before_;                          // what was shown before one was taken
  std::optional<std::pair<long, std::size_t>> turned_to_;  // the page that the mouse was last seen on
  std::optional<Point> rests_at_;                          // where it has been since; null: it moved
};

}  // namespace glassformer
