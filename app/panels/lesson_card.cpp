#include "app/panels/lesson_card.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kCardFoot = 64, kPageBar = 4;
constexpr int kFollows = 20;  // frames

// A dash a page: those up to the open one are filled.
void draw_progress(Canvas& canvas, const Theme& t, const Rect& rect, std::size_t open, std::size_t pages) {
  const auto count = static_cast<float>(pages);
  const float gap = 4, width = (rect.width - gap * (count - 1)) / count;
  for (std::size_t i = 0; i < pages; ++i)
    canvas.rectangle({rect.x + static_cast<float>(i) * (width + gap), rect.y, width, kPageBar},
                     {.fill = i <= open ? t.ink : t.border, .radius = 2});
}

}  // namespace

bool LessonCard::column(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect) {
  TakenLesson& lesson = *guide.taken();
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const Saying say{lesson.language()};
  const std::vector<std::string> columns{say("Lesson"), say("Inspector")};
  const float right = rect.right() - kPadding, wide = std::max(152.0f, ui.segmented_width(columns));
  canvas.line({rect.x + 0.5f, rect.y}, {rect.x + 0.5f, rect.bottom()}, {.color = t.border});
  const auto shipped = std::ranges::count(guide.all(), false, &ListedLesson::own);
  const bool own = guide.all()[guide.number()].own;
  const std::string number = own ? say("Own lesson") : say("Lesson ") + std::to_string(guide.number() + 1),
                    place = own ? number : number + say(" of ") + std::to_string(shipped);
  const bool fits = canvas.measure(place, styles::heading(t)).x <= right - wide - rect.x - kPadding - 8;
  canvas.text({rect.x + kPadding, rect.y + 22}, fits ? place : number, styles::heading(t));
  int column = shows_inspector_ ? 1 : 0;
  if (in.layout.hidden.inspector)
    column = 0;
  else
    Segmented(ui, {right - wide, rect.y + 8, wide, 28}, "Right column", columns, column);
  shows_inspector_ = column == 1;
  canvas.line({rect.x, rect.y + 43.5f}, {rect.right(), rect.y + 43.5f}, {.color = t.border});
  if (shows_inspector_) return false;

  if (typed_on_ != lesson.open()) {
    typed_.clear(), focus_ = true;
    ui.scroll.to("lesson", {});
    ui.focus.on("");  // what the page asks for may be on the stage
  }
  typed_on_ = lesson.open();
  if (std::exchange(of_, guide.takings()) != guide.takings()) {
    name_ = lesson.student();
    path_.clear(), handed_.clear(), problem_.clear();
    asks_again_ = false, focus_ = true;
  }
  const Rect body{rect.x + 1, rect.y + kBreadcrumb, rect.width - 1, rect.height - kBreadcrumb - kCardFoot};
  const Rect content = ui.scroll.begin(body, "lesson", {body.width, height_});
  const Rect inside{content.x + kPadding - 1, content.y, rect.width - 2 * kPadding, body.height};
  const ui::Response card = ui.area(body.inset(5), "Lesson card", "panel");
  const bool ended = guide.at_end();
  if (std::exchange(ended_, ended) != ended) ui.scroll.to("lesson", {});
  const float warned = ended ? 0 : saved_errors(ui, guide, inside);
  const Rect below{inside.x, inside.y + warned, inside.width, inside.height - warned};
  const float height = warned + (ended ? summary(ui, in, guide, inside) : page(ui, in, lesson, below));
  ui.scroll.end();
  if (height != height_) ui.ask_frame(0);
  height_ = height;
  show_verdict(ui, lesson, body, content.y);  // what a key answers now is drawn in the next frame
  if (!ended) keys(ui, lesson, card.focused);
  foot(ui, in, guide, {rect.x, rect.bottom() - kCardFoot, rect.width, kCardFoot});
  return true;
}

// The newest feedback is scrolled into view, from its beginning.
void LessonCard::show_verdict(ui::Ui& ui, const TakenLesson& lesson, const Rect& body, float top) {
  const PageMark& mark = lesson.mark();
  const Feedback now{lesson.open(), mark.tries, mark.right || mark.shown};
  const Feedback before = std::exchange(feedback_, now);
  if (before == now || before.page != now.page) return;
  // What was to be done with a field, a button or a slider is done: the next Enter turns the page.
  if (mark.right && lesson.page().question->does) {
    if (!ui.focus.on_stage()) focus_next_ = true;
    follows_ = kFollows;  // a field that takes the keyboard back after Enter has it a few frames later
  }
  const float begins = verdict_at_ - top - 8;
  ui.scroll.to("lesson", {0, std::min(begins, std::max(0.0f, height_ - body.height))});
  ui.ask_frame(0);
}

// Draws from the top of the rectangle, which is what can be seen at once; returns the height.
float LessonCard::page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::string& language = lesson.language();
  const Saying say{language};
  // On a low card the title makes room for the question.
  constexpr float kLow = 340;
  const bool low = rect.height < kLow;
  float y = rect.y + (low ? 14 : 18);
  const std::string& title = lesson.lesson().title.in(language);
  if (!low) {
    ui.note({rect.x, y, rect.width, 24}, "lesson title", title);
    y += paragraph(canvas, {rect.x, y}, rect.width, title, styles::title(t)) + 12;
  }
  draw_progress(canvas, t, {rect.x, y, rect.width, kPageBar}, lesson.open(), lesson.lesson().pages.size());
  y += 20;
  const std::string at = "Page " + std::to_string(lesson.open() + 1) + say(" of ") +
                         std::to_string(lesson.lesson().pages.size());
  canvas.text({rect.x, y}, at, styles::caption(t));
  canvas.text({rect.right(), y},
              std::to_string(lesson.right()) + say(" of ") + std::to_string(lesson.asked()) + say(" right"),
              styles::right(styles::caption(t)));
  ui.note({rect.x, y - 8, rect.width, 16}, "lesson page", at);
  y += 24;
  const auto words = [&](const std::string& text, const TextStyle& style, const char* name) {
    if (text.empty()) return;
    const float height = paragraph(canvas, {rect.x, y}, rect.width, text, style);
    ui.note({rect.x, y, rect.width, height}, name, text);
    y += height + 6;
  };
  if (lesson.open() == 0 && lesson.draws_sentences() && !lesson.anything_tried())
    y += name_field(ui, in, lesson, {rect.x, y, rect.width, 0});
  if (lesson.needs_name()) {
    words(say("Type your name first: it draws your sentence."), styles::body(t), "lesson state");
    return y - rect.y + 16;
  }
  words(lesson.page().title.in(language), styles::heading(t), "lesson heading");
  if (!lesson.ready()) {
    words(lesson.problem().empty() ? say(lesson.trains() ? "It trains first: one moment…" : "One moment…")
                                   : say("This page cannot be set up: ") + lesson.problem(),
          styles::body_second(t), "lesson state");
    return y - rect.y + lesson_trainings(ui, lesson, {rect.x, y, rect.width, 0});
  }
  for (const LessonText& text : lesson.page().texts) words(lesson.text(text), styles::body(t), "lesson text");
  y += lesson_trainings(ui, lesson, {rect.x, y, rect.width, 0});
  if (!lesson.page().notes.empty()) {
    if (LinkButton(ui, {rect.x, y}, say(notes_ ? "Hide the teacher’s note" : "Teacher’s note"),
                   {.id = "Teacher's note"}))
      notes_ = !notes_;
    y += 26;
    if (notes_)
      for (const LessonText& note : lesson.page().notes)
        words(lesson.text(note), styles::body_second(t), "lesson note");
  }
  const std::string& wanted = lesson.staged().view;
  const bool elsewhere = !wanted.empty() && wanted != in.view_name && !lesson.may_continue();
  if (elsewhere && lesson.page().question && !lesson.page().question->does) {
    if (LinkButton(ui, {rect.x, y}, say("Back to the picture of this page"), {.id = "Back to its picture"}))
      lesson.turn_to(lesson.open());
    y += 26;
  }
  if (lesson.page().question)
    y += question(ui, in, lesson, {rect.x, lesson_divider(canvas, t, rect, y - 6), rect.width, 0}) + 20;
  return y - rect.y + 16;
}

// With the card focused the digits answer. It has the keyboard when a page of choices was turned to; a field
// takes it itself.
void LessonCard::keys(ui::Ui& ui, TakenLesson& lesson, bool has_focus) {
  if (!lesson.ready() || !lesson.page().question || lesson.needs_name() || lesson.may_continue()) return;
  const LessonQuestion& asked = *lesson.page().question;
  if (asked.kind != AnswerKind::choice || asked.does) return;
  if (std::exchange(focus_, false)) return ui.focus.on("Lesson card");
  if (!has_focus) return;
  for (std::size_t i = 0; i < asked.choices.size(); ++i)
    if (ui.take_typed(static_cast<char>('1' + i))) return answer(lesson, asked.choices[i].plain);
}

// Another one may follow without the mouse, or the next page.
void LessonCard::answer(TakenLesson& lesson, const std::string& given) {
  lesson.give(given);
  focus_ = !lesson.may_continue();
  focus_next_ = lesson.may_continue();
}

float LessonCard::question(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const LessonQuestion& asked = *lesson.page().question;
  const Saying say{lesson.language()};
  float y = rect.y + 6;
  canvas.text({rect.x, y}, say(asked.does ? "Do" : "Predict"), styles::section(t));
  y += 14;
  const std::string text = lesson.text(asked.text);
  const float height = paragraph(canvas, {rect.x, y}, rect.width, text, styles::body(t));
  ui.note({rect.x, y, rect.width, height}, "lesson question", text);
  y += height + 8;
  if (!asked.does && !lesson.may_continue()) y += answering(ui, lesson, {rect.x, y, rect.width, 0});
  if (asked.does && !lesson.may_continue()) {
    if (const std::string hint = lesson.text(asked.hint); !hint.empty()) {
      canvas.text({rect.x, y + 4}, say("Hint"), styles::section(t));
      y += 16;
      y += paragraph(canvas, {rect.x, y}, rect.width, hint, styles::body(t)) + 8;
    }
    if (LinkButton(ui, {rect.x, y}, say("Go on without it"), {.id = "Go on without it"}))
      lesson.pass(), focus_next_ = true;
    return y + 24 - rect.y;
  }
  y += verdict(ui, in, lesson, {rect.x, y, rect.width, 0});
  return y - rect.y;
}

float LessonCard::answering(ui::Ui& ui, TakenLesson& lesson, const Rect& rect) {
  const LessonQuestion& asked = *lesson.page().question;
  const Saying say{lesson.language()};
  float y = rect.y;
  if (asked.kind == AnswerKind::choice) {
    for (std::size_t i = 0; i < asked.choices.size(); ++i) {
      const std::string& words = asked.choices[i].in(lesson.language());
      if (Button(ui, {rect.x, y, rect.width, 32}, std::to_string(i + 1) + "  " + words))
        answer(lesson, asked.choices[i].plain);
      y += 38;
    }
    return y - rect.y;
  }
  const bool number = asked.kind == AnswerKind::number;
  if (asked.kind == AnswerKind::cell) {
    ui.canvas().text({rect.x, y + 8}, say("Click the cell in its row."), styles::caption(ui.theme()));
    return 24;
  }
  const float button = ui.button_width(say("Answer"));
  const std::string before = typed_;
  const ui::FieldEvent event = TextField(
      ui, {rect.x, y, rect.width - button - 8, 36}, "Your answer", typed_,
      {.hint = say(number ? "a number" : "a word"), .focus = std::exchange(focus_, false), .stays = true});
  if (typed_ != before) ui.scroll.reveal("Your answer");
  const bool pressed = Button(ui, {rect.right() - button, y + 2, button, 32}, say("Answer"),
                              {.enabled = !typed_.empty(), .id = "Answer"});
  if (pressed || event == ui::FieldEvent::entered) answer(lesson, typed_);
  return 46;
}

float LessonCard::verdict(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const LessonQuestion& asked = *lesson.page().question;
  const PageMark& mark = lesson.mark();
  const Saying say{lesson.language()};
  float y = rect.y;
  if (!mark.trouble.empty())
    return paragraph(canvas, {rect.x, y}, rect.width, lesson_trouble(mark.trouble, lesson.language()),
                     {.size = 12, .color = t.wrong}) +
           8;
  if (mark.tries == 0 && !mark.shown) return y - rect.y;

  verdict_at_ = y;
  y = lesson_divider(canvas, t, rect, y - 6) + 8;
  const bool wrong = !mark.right && !mark.shown;
  draw_mark(canvas, {rect.x + 7, y},
            wrong        ? Mark::cross
            : mark.right ? Mark::tick
                         : Mark::minus,
            wrong ? t.wrong : t.ink, 12);
  const std::string given = lesson_given(asked, mark.given, lesson.language());
  const std::string headline = asked.does   ? say(mark.right ? "Done" : "Left as it is")
                               : mark.right ? say("Right: ") + given
                               : mark.shown ? say("The engine gives ") + given
                                            : say("Not ") + given;
  TextStyle style = styles::heading(t);
  if (wrong) style.color = t.wrong;
  canvas.text({rect.x + 22, y}, elided(canvas, headline, style, rect.width - 22), style);
  ui.note({rect.x, y - 10, rect.width, 20}, "lesson verdict", headline);
  y += 18;
  const auto words = [&](const std::string& text, const char* name) {
    if (text.empty()) return;
    const float height = paragraph(canvas, {rect.x, y}, rect.width, text, styles::body(t));
    ui.note({rect.x, y, rect.width, height}, name, text);
    y += height + 10;
  };
  words(mark.words, "lesson answer");
  if (!wrong) return y - rect.y;
  if (const std::string hint = lesson.text(asked.hint); !hint.empty()) {
    canvas.text({rect.x, y + 4}, say("Hint"), styles::section(t));
    y += 18;
    words(hint, "lesson hint");
  }
  if (LinkButton(ui, {rect.x, y}, say("Show the answer"), {.id = "Show the answer"}))
    lesson.show_answer(), focus_next_ = true;
  return y + 24 - rect.y;
}

void LessonCard::foot(ui::Ui& ui, const PanelInput& in, LessonGuide& guide, const Rect& rect) {
  TakenLesson& lesson = *guide.taken();
  ui.canvas().line({rect.x, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = in.theme.border});
  const float y = rect.y + 16;
  const std::size_t page = lesson.open(), pages = lesson.lesson().pages.size();
  const bool last = page + 1 == pages, ended = guide.at_end();
  const auto shipped = static_cast<std::size_t>(std::ranges::count(guide.all(), false, &ListedLesson::own));
  const bool more = guide.number() + 1 < shipped;
  const Saying say{lesson.language()};
  const std::string on = say(ended ? more ? "Next lesson" : "All lessons" : last ? "Finish" : "Next");
  const float next = ui.button_width(on), back = ui.button_width(say("Back"));
  float right = rect.right() - kPadding;
  bool leave = false;
  const bool done = !ended && lesson.page().question && lesson.may_continue();
  const bool clicked = PrimaryButton(ui, {right - next, y, next, 32}, on,
                                     {.enabled = ended || lesson.may_continue(), .id = "Next page"});
  // Behind what was done or clicked on the stage Enter turns the page as well.
  const bool on_stage = ui.focus.on_stage() || ui.focus.kind() == "slider";
  if (clicked || (done && on_stage && !ui.popup.is_open() && ui.pressed(ui::Key::enter))) {
    if (ended) return guide.wish(more ? std::optional(guide.number() + 1) : std::nullopt);
    if (last)
      guide.set_at_end(true);
    else
      lesson.turn_to(page + 1);
  }
  if (follows_ > 0 && --follows_ >= 0 && ui.field_active()) focus_next_ = true, follows_ = 0;
  if (!ui.popup.is_open() && std::exchange(focus_next_, false)) ui.focus.on("Next page");
  right -= next + 8;
  if (Button(ui, {right - back, y, back, 32}, say("Back"),
             {.enabled = ended || page > 0, .id = "Page before"})) {
    guide.set_at_end(false);
    if (!ended) lesson.turn_to(page - 1);
  }
  if (LinkButton(ui, {rect.x + kPadding, y + 8}, say("Leave"), {.id = "Leave the lesson"})) leave = true;
  const std::vector<std::string> languages = lesson.languages();
  if (std::ranges::find(languages, "fr") != languages.end()) {
    const bool french = lesson.language() == "fr";
    const float x = rect.x + kPadding + ui.text_width(say("Leave"), 12) + 16;
    const bool roomy = x + ui.text_width("Français", 12) + 12 < right - back;
    const bool fits = x + ui.text_width("EN", 12) + 8 < right - back;
    if (fits && LinkButton(ui, {x, y + 8},
                           roomy    ? french ? "English" : "Français"
                           : french ? "EN"
                                    : "FR",
                           {.id = french ? "English" : "Français"}))
      lesson.set_language(french ? "" : "fr"), focus_ = !lesson.may_continue();
  }
  if (leave) guide.leave();
}

}  // namespace glassformer
