// The end of a lesson on its card: what was right, the file for the teacher, and who takes the lesson.
#include <utility>

#include "app/panels/lesson_card.h"
#include "app/panels/lesson_card_parts.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

float lesson_divider(Canvas& canvas, const Theme& t, const Rect& rect, float y) {
  y += 14;
  canvas.line({rect.x, y + 0.5f}, {rect.right(), y + 0.5f}, {.color = t.border});
  return y + 14;
}

// Who takes the lesson: the sentences may be drawn by it.
float LessonCard::name_field(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Saying say{lesson.language()};
  float y = rect.y;
  canvas.text({rect.x, y + 4}, say("Your name"), styles::section(in.theme));
  y += 16;
  const ui::FieldEvent event = ui.TextField({rect.x, y, rect.width, 36}, "Your name", name_,
                                            {.hint = say("Enter takes it"), .stays = true});
  if (event == ui::FieldEvent::entered) lesson.set_student(name_), focus_ = true;
  if (event != ui::FieldEvent::none && event != ui::FieldEvent::left) {
    in.session.settings().student = name_;
    path_.clear();
  }
  y += 42;
  if (lesson.draws_sentences())
    y += paragraph(canvas, {rect.x, y}, rect.width,
                   say("Every name gets another sentence; the answers are computed for yours."),
                   styles::caption(in.theme)) +
         8;
  return y + 8 - rect.y;
}

void LessonCard::begin_again(TakenLesson& lesson) {
  lesson.begin_again();
  finished_ = asks_again_ = false, focus_ = true;
  handed_.clear(), problem_.clear();
}

float LessonCard::summary(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect) {
  TakenLesson& lesson = *guide.taken();
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  float y = rect.y + 18;
  const auto words = [&](const std::string& text, const TextStyle& style, const char* name) {
    const float height = paragraph(canvas, {rect.x, y}, rect.width, text, style);
    ui.note({rect.x, y, rect.width, height}, name, text);
    y += height + 8;
  };
  words(lesson.lesson().title.in(lesson.language()), styles::title(t), "lesson title");
  const Saying say{lesson.language()};
  words(std::to_string(lesson.right()) + say(" of ") + std::to_string(lesson.asked()) + say(" right"),
        styles::heading(t), "lesson result");
  for (std::size_t i = 0; i < lesson.marks().size(); ++i) {
    if (!lesson.lesson().pages[i].question) continue;
    const PageMark& mark = lesson.marks()[i];
    if (mark.right)
      draw_mark(canvas, {rect.x + 7, y + 10}, Mark::tick, t.ink, 12);
    else
      draw_mark(canvas, {rect.x + 7, y + 10}, Mark::minus, t.second_text, 10);
    const std::string tries = mark.shown       ? say("answer shown")
                              : !mark.right    ? say("not answered")
                              : mark.tries > 1 ? std::to_string(mark.tries) + say(" tries")
                                               : "";
    const float room = rect.width - 30 - canvas.measure(tries, styles::caption(t)).x;
    canvas.text({rect.x + 22, y + 10},
                elided(canvas, lesson.lesson().pages[i].title.in(lesson.language()), styles::body(t), room),
                styles::body(t));
    canvas.text({rect.right(), y + 10}, tries, styles::right(styles::caption(t)));
    y += 24;
  }
  y = lesson_divider(canvas, t, rect, y) + 6;

  canvas.text({rect.x, y}, say("Hand in"), styles::heading(t));
  y += 16;
  words(say("A small file for your teacher: your answers, those of the engine, tries and time."),
        styles::body(t), "hand in");
  // Whose sentences were answered is settled.
  if (lesson.draws_sentences())
    words(say("Your name") + ": " + lesson.student(), styles::body(t), "lesson student");
  else
    y += name_field(ui, in, lesson, {rect.x, y, rect.width, 0});
  if (path_.empty()) path_ = guide.hand_in_path(in.session.settings());
  canvas.text({rect.x, y + 4}, say("File"), styles::section(t));
  y += 16;
  ui.TextField({rect.x, y, rect.width, 36}, "Hand in to", path_, {.error = problem_});
  y += 44;
  if (ui.Button({rect.x, y, ui.button_width(say("Hand in")), 32}, say("Hand in"),
                {.enabled = !name_.empty() && !path_.empty() && lesson.ready(), .id = "Hand in"}))
    handed_ = guide.hand_in(path_, lesson.draws_sentences() ? lesson.student() : name_, problem_);
  if (!asks_again_ && ui.LinkButton({rect.x + ui.button_width(say("Hand in")) + 16, y + 8},
                                    say("Begin again"), {.id = "Begin the lesson again"}))
    asks_again_ = true;
  y += 42;
  if (asks_again_) {
    words(say("Beginning again discards your answers to this lesson."), styles::body(t), "begin again");
    const float wide = ui.button_width(say("Discard them"));
    if (ui.Button({rect.x, y, wide, 32}, say("Discard them"), {.id = "Discard the answers"}))
      begin_again(lesson);
    if (ui.LinkButton({rect.x + wide + 16, y + 8}, say("Keep them"), {.id = "Keep the answers"}))
      asks_again_ = false;
    y += 42;
  }
  if (!problem_.empty()) words(problem_, {.size = 12, .color = t.wrong}, "hand in problem");
  if (!handed_.empty()) words(handed_, styles::body(t), "handed in");
  return y - rect.y + 16;
}

// What its writer has saved with errors is not shown yet; returns the height.
float LessonCard::saved_errors(ui::Ui& ui, LessonGuide& guide, const Rect& rect) {
  const std::vector<LessonError>& errors = guide.saved_errors();
  if (errors.empty()) return 0;
  const Theme& t = ui.theme();
  const Saying say{guide.taken()->language()};
  const std::size_t more = errors.size() - 1;
  const std::string words = std::string(say("Not as it is saved now: ")) + "line " +
                            std::to_string(errors.front().line) + ": " + errors.front().problem +
                            (more > 0 ? " (+ " + std::to_string(more) + ")" : "");
  const float height =
      paragraph(ui.canvas(), {rect.x, rect.y + 14}, rect.width, words, {.size = 12, .color = t.wrong});
  ui.note({rect.x, rect.y + 14, rect.width, height}, "saved errors", words);
  return height + 14;
}

}  // namespace glassformer
