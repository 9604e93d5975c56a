// The card of the lesson that is taken: it is in the inspector's column, with a switch between the two.
#pragma once

#include <string>
#include <string_view>

#include "app/canvas/canvas.h"
#include "app/lessons/lesson.h"
#include "app/lessons/taken_lesson.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

class LessonCard {
 public:
  // The switch, and below it the card. False where the inspector is to be drawn in what is left.
  bool column(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect);
  void show() { shows_inspector_ = false; }

 private:
  float saved_errors(ui::Ui& ui, LessonGuide& guide, const Rect& rect);
  float page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect);
  float question(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect);
  float answering(ui::Ui& ui, TakenLesson& lesson, const Rect& rect);
  float verdict(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect);
  // After the last page: what was right, and handing it in.
  float summary(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect);
  void begin_again(LessonGuide& guide);
  float name_field(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect);
  void show_verdict(ui::Ui& ui, const TakenLesson& lesson, const Rect& body, float top);
  void keys(ui::Ui& ui, TakenLesson& lesson, bool has_focus);
  void answer(TakenLesson& lesson, const std::string& given);
  void foot(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect);

  bool shows_inspector_ = false;  // in place of the card
  std::string typed_;
  std::size_t typed_on_ = 0;  // the page that it was typed on
  float height_ = 0;          // of the page, in the last frame
  long of_ = 0;               // LessonGuide::takings() that what follows belongs to
  bool ended_ = false;        // the end was shown in the last frame
  bool focus_ = false;        // the field or the card takes the keyboard: a page was turned
  bool focus_next_ = false;   // the page was answered here: Enter turns the page
  int follows_ = 0;           // frames in which a field that gets the keyboard hands it on
  struct Feedback {
    std::size_t page = 0;
    int tries = 0;
    bool known = false;
    bool operator==(const Feedback&) const = default;
  };
  Feedback feedback_;        // of the last frame
  float verdict_at_ = 0;     // where it was drawn
  bool asks_again_ = false;  // whether the answers may go
  bool notes_ = false;       // for teachers: hidden until asked for
  std::string name_, path_, handed_, problem_;
};

// The card's own words in the language in which a lesson is read.

// English where there is no such language, or no translation of these words.
std::string lesson_words(std::string_view english, std::string_view language);
// An answer as shown: a number unchanged, a choice in the language, words in quotation marks.
std::string lesson_given(const LessonQuestion& asked, const std::string& given, const std::string& language);
// Of what is no answer: "expected a number, got “abc”".
std::string lesson_trouble(std::string_view english, std::string_view language);

// What the pages of a lesson's card have in common.

// The card's words in one language.
struct Saying {
  std::string_view language;
  std::string operator()(std::string_view english) const { return lesson_words(english, language); }
};

// How far the training of the lesson's page is, and the loss of every step, which is not shown before what is
// asked is predicted; returns the height.
float lesson_trainings(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect);

// A line below y; returns where the next part begins.
float lesson_divider(Canvas& canvas, const Theme& t, const Rect& rect, float y);

}  // namespace glassformer
