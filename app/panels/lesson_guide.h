// The lesson that is taken: brings the window to each page's Scene, and hears what is clicked and done there.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/lesson_list.h"
#include "app/lessons/session_text.h"
#include "app/lessons/taken_lesson.h"
#include "app/panels/layout.h"
#include "app/panels/scene_bringer.h"
#include "app/session/session.h"
#include "app/ui/ui.h"

namespace glassformer {

// How far somebody came in it; null: it was not begun.
const LessonMark* mark_of(const Settings& settings, const ListedLesson& lesson);

class LessonGuide {
 public:
  // All that there are.
  const std::vector<ListedLesson>& all();
  // What was written since, once a second; to be called while a lesson is taken or the list is open.
  void read_again(double time);
  // Of all(), from 0, by its number in the list or its file, which joins the list where it is not in it.
  // Throws Error.
  std::size_t number_of(const std::string& lesson);
  // Nothing happens to a lesson with errors but that they are shown; returns what to say then. `page` from 0.
  // `model`: as a model line names it, of a lesson that names none; empty: the bundled one.
  std::string take(std::size_t lesson, const Settings& settings, const std::string& language = "",
                   std::size_t page = 0, const std::string& model = "");
  void leave() { taken_.reset(); }
  // Copies it among the teacher's own; says where, or why not.
  std::string copy(std::size_t lesson);
  // How far it went, for the next start.
  void keep_mark(Settings& settings) const;
  // Writes what was answered; returns a sentence that says where, or what is wrong. Never over another file.
  std::string hand_in(const std::string& path, const std::string& student, std::string& problem) const;
  std::string hand_in_path(const Settings& settings) const;  // that is offered
  // Another lesson is to be taken in the next frame; nothing: the list is to be opened.
  void wish(std::optional<std::size_t> lesson) { wish_ = Wish{lesson}; }
  struct Wish {
    std::optional<std::size_t> lesson;
  };
  std::optional<Wish> take_wish() { return std::exchange(wish_, std::nullopt); }
  // Of the file as saved since: the lesson continues unchanged. Empty: it has none.
  // The next PgDn starts a training of this page, and nothing else has.
  bool warned() const { return taken_ && warned_ == taken_->open(); }
  // The lesson behind it, where its last page is answered: PgDn twice opens it in a lecture.
  std::optional<std::size_t> next() const;
  bool leaving() const { return leaving_; }  // PgDn was pressed once
  bool busy() const { return bringer_.busy(); }
  const std::vector<LessonError>& saved_errors() const { return saved_errors_; }
  long takings() const { return takings_; }  // how many were taken: each is another one
  TakenLesson* taken() { return taken_.get(); }
  const TakenLesson* taken() const { return taken_.get(); }
  // Its last page was left forwards, or it was done before with all its answers: its end is shown, where it
  // can be handed in.
  bool at_end() const { return at_end_; }
  void set_at_end(bool at_end) { at_end_ = at_end; }
  std::size_t number() const { return number_; }  // of all(), from 0

  // Once a frame: what brings the window to a page that was set up goes out as commands. `now` is what the
  // window shows; null: nothing yet. `view` is the name of the open view, which is `shown`.
  // `alone`: nothing lies over the window that keys are for. `room`: it is a lecture.
  void frame(ui::Ui& ui, const Session& session, const ViewInput* now, const std::string& view, View* shown,
             bool alone, bool room);
  // Outlines what the page points at, and covers what it asks for until that is answered: over all that was
  // drawn.
  void draw_targets(ui::Ui& ui, bool leader = true);
  // A view that shows less of itself, as the page has it, can be asked for all: a link at the top right.
  void offer_all(ui::Ui& ui, const Rect& stage);
  std::optional<CoveredRow> covered();
  HiddenParts hidden() const;  // by the lesson that is taken
  // A click on a cell or a word may be an answer.
  void note_pin(const Selection& pin);

 private:
  // With `model_`, where it names none.
  Lesson about_model(Lesson lesson) const {
    if (!model_.empty() && !find_line(lesson.scene, "model"))
      lesson.scene.insert(lesson.scene.begin(), {.line = 0, .keyword = "model", .value = model_});
    return lesson;
  }
  void page_down(bool room);
  void page_up(bool room);
  void show_parts(View* shown);
  bool down_next_ = false;             // PgDn came while the page was being set up
  std::optional<std::size_t> warned_;  // on this page of what training takes
  bool at_end_ = false, leaving_ = false;
  void restore_marks(const Settings& settings);
  void draw_leader(ui::Ui& ui, const Rect& outline);
  void reveal_targets(ui::Ui& ui);

  std::vector<ListedLesson> all_;
  bool listed_ = false;
  double listed_at_ = 0;
  long takings_ = 0;
  std::unique_ptr<TakenLesson> taken_;
  std::size_t number_ = 0;
  std::filesystem::file_time_type taken_written_ = {};
  std::string taken_hash_;  // of its text
  std::string model_;       // that was open when it was taken
  std::vector<LessonError> saved_errors_;
  std::optional<Wish> wish_;
  SceneBringer bringer_;  // to the open page
  static constexpr int kSettles = 4;
  int settled_ = 0;  // frames since it was there: what is set shows a few of them later
  struct Revealed {
    long taking = -1;
    std::size_t page = 0;
    bool answered = false;
    bool operator==(const Revealed&) const = default;
  };
  Revealed revealed_;             // what was scrolled to
  Revealed focused_;              // the page whose slider was given the keyboard
  Revealed whole_;                // the page whose view was asked for whole; `answered` is not meant
  bool shows_less_ = false;       // the open view does, as the page has it
  Rect leader_from_, leader_to_;  // that the leader was drawn between
  std::vector<Point> leader_;
};

}  // namespace glassformer
