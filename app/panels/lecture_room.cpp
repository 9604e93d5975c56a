#include "app/panels/lecture_room.h"

#include <algorithm>
#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/lessons/slots.h"
#include "app/panels/lecture_picture.h"
#include "app/panels/lecture_words.h"
#include "app/panels/lesson_card.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

// What may be answered, in the order of its digits.
struct LectureOffer {
  std::string words;
  std::optional<double> number = {};  // of the engine, where it gives one
  bool right = false;
};

std::vector<LectureOffer> offers_of(const TakenLesson& lesson) {
  std::vector<LectureOffer> offers;
  const auto& asked = lesson.page().question;
  if (!asked || asked->does || !lesson.ready()) return offers;
  const auto& answer = lesson.engine_answer();
  if (!answer) return offers;
  if (asked->kind == AnswerKind::choice) {
    const std::string right = shown(*answer);
    for (const LessonText& choice : asked->choices)
      offers.push_back({.words = choice.in(lesson.language()), .right = choice.plain == right});
    return offers;
  }
  if (!answer->place) return offers;
  const Value::Place& place = *answer->place;
  for (const std::size_t at : offered_places(place))
    offers.push_back({.words = place_words(place, at), .number = place.among[at], .right = at == place.at});
  return offers;
}

void answer_with(TakenLesson& lesson, std::size_t offer) {
  const LessonQuestion& asked = *lesson.page().question;
  if (asked.kind == AnswerKind::choice)
    lesson.give(asked.choices[offer].plain);
  else
    lesson.give_place(offers_of(lesson)[offer].right ? static_cast<int>(lesson.engine_answer()->place->at)
                                                     : static_cast<int>(offer));
}

std::string question_of(const TakenLesson& lesson) {
  const LessonPage& page = lesson.page();
  if (!lesson.problem().empty())
    return lesson_words("This page cannot be set up: ", lesson.language()) + lesson.problem();
  if (!lesson.ready()) return lesson_words("One moment…", lesson.language());
  if (!page.question) return page.title.in(lesson.language());
  return lesson.text(page.lecture_ask.empty() ? page.question->text : page.lecture_ask);
}

// A wrong try was answered, and the page may be answered again.
bool tried(const TakenLesson& lesson) {
  return lesson.ready() && lesson.page().question && !lesson.may_continue() && lesson.mark().tries > 0;
}

// The page's own line for a lecture, else its first sentence; after a wrong try, what is wrong and the hint.
std::string line_of_page(const Canvas& canvas, float width, const TakenLesson& lesson) {
  if (!lesson.ready()) return {};
  const LessonPage& page = lesson.page();
  if (tried(lesson))
    return not_so(canvas, width, lesson_given(*page.question, lesson.mark().given, lesson.language()),
                  lesson.text(page.question->hint), lesson.language());
  if (!page.lecture.empty()) return lesson.text(page.lecture);
  if (page.texts.empty()) return {};
  const std::string sentence = first_sentence(lesson.text(page.texts.front()));
  const bool more = page.texts.size() > 1 && !sentence.ends_with("…");
  return more ? sentence + " …" : sentence;
}

}  // namespace

void take_lecture_keys(ui::Ui& ui, TakenLesson& lesson) {
  if (!lesson.ready() || !lesson.page().question || lesson.may_continue()) return;
  const std::size_t offers = lecture_offers(lesson);
  for (std::size_t i = 0; i < offers; ++i)
    if (ui.take_typed(static_cast<char>('1' + i))) return answer_with(lesson, i);
  if (ui.take_typed('a')) lesson.page().question->does ? lesson.pass() : lesson.show_answer();
}

std::size_t lecture_offers(const TakenLesson& lesson) {
  return std::min(offers_of(lesson).size(), kMostOffers);
}

float lecture_key(Canvas& canvas, const Theme& t, Point at, const std::string& name, bool filled) {
  const TextStyle style{.size = 12, .color = filled ? t.on_ink : t.ink, .x = AlignX::center};
  const float width = canvas.measure(name, style).x + 14;
  canvas.rectangle({at.x, at.y - 11, width, 22}, {.fill = filled ? t.ink : t.panel,
                                                  .outline = filled ? Color{} : t.control,
                                                  .outline_width = 1.5f,
                                                  .radius = 4});
  canvas.text({at.x + width / 2, at.y}, name, style);
  return width;
}

LectureBands lecture_bands(Point window) {
  constexpr float kHead = 56 * kLecturePx, kPicture = 174 * kLecturePx, kAnswer = 72 * kLecturePx,
                  kFoot = 96 * kLecturePx, kSide = 32 * kLecturePx, kLine = 24 * kLecturePx;
  const float inner = window.x - 2 * kSide, foot = window.y - kFoot, answer = foot - kAnswer;
  return {.head = {0, 0, window.x, kHead},
          .question = {kSide, kHead, inner, kPicture - kHead - kLine},
          .line = {kSide, kPicture - kLine - 4, inner, kLine},
          .picture = {kSide, kPicture, inner, answer - kPicture},
          .answer = {kSide, answer, inner, kAnswer},
          .foot = {0, foot, window.x, kFoot}};
}

namespace {

// Ends where the line begins, so that a short question is near it.
void draw_question(ui::Ui& ui, const TakenLesson& lesson, const LectureBands& bands) {
  Canvas& canvas = ui.canvas();
  const TextStyle style = lecture_question_style(ui.theme());
  const std::string words = question_of(lesson);
  constexpr float kStep = 34 * kLecturePx;
  const std::vector<std::string> lines = question_lines(canvas, words, bands.question.width);
  float y = bands.question.center().y - kStep * static_cast<float>(std::ssize(lines) - 1) / 2 + 2;
  for (const std::string& line : lines) {
    canvas.text({bands.question.x, y}, line, style);
    y += kStep;
  }
  ui.note(bands.question, "lecture question", words);
  const std::string line = line_of_page(canvas, bands.line.width, lesson);
  if (line.empty()) return;
  TextStyle small = lecture_line_style(ui.theme());
  if (tried(lesson)) small.color = ui.theme().ink;
  canvas.text({bands.line.x, bands.line.center().y}, elided(canvas, line, small, bands.line.width), small);
  ui.note(bands.line, tried(lesson) ? "lecture answer" : "lecture text", line);
}

// What may be answered, from the left; as many as have room.
void draw_offers(ui::Ui& ui, TakenLesson& lesson, const Rect& band) {
  constexpr float kOfferRow = 23;
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const TextStyle style{.size = 12, .color = t.ink};
  std::vector<std::string> words;
  for (const LectureOffer& offer : offers_of(lesson)) words.push_back(offer.words);
  const std::vector<OfferRoom> rooms = offer_rooms(canvas, words, band.width);
  const float first = band.center().y - (!rooms.empty() && rooms.back().row > 0 ? kOfferRow / 2 : 0);
  for (std::size_t i = 0; i < rooms.size() && rooms[i].row < kOfferRows; ++i) {
    const std::string digit = std::to_string(i + 1);
    const Point at{band.x + rooms[i].x, first + kOfferRow * static_cast<float>(rooms[i].row)};
    const float width = std::min(rooms[i].width, band.width);
    if (ui.area({at.x, at.y - kOfferRow / 2, width, kOfferRow}, "answer " + digit, "button").clicked)
      answer_with(lesson, i);
    const float cap = lecture_key(canvas, t, at, digit, false);
    canvas.text({at.x + cap + 6, at.y}, elided(canvas, words[i], style, width - cap - 5.5f), style);
  }
}

// As many as have room, in the middle of the band.
void draw_lines(Canvas& canvas, const Rect& band, const std::string& words, const TextStyle& style) {
  constexpr float kStep = 30 * kLecturePx;
  const auto lines = cut_to_lines(canvas, words, style, band.width, kAnswerLines);
  float y = band.center().y - kStep * static_cast<float>(std::ssize(lines) - 1) / 2;
  for (const std::string& line : lines) {
    canvas.text({band.x, y}, line, style);
    y += kStep;
  }
}

// The engine's answer large, unless the words about it name it, and these.
void draw_answer(ui::Ui& ui, const TakenLesson& lesson, const Rect& band) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const PageMark& mark = lesson.mark();
  float x = band.x;
  if (!lesson.page().question->does) {
    std::string answer = lesson.answer();
    for (const LessonText& choice : lesson.page().question->choices)
      if (choice.plain == answer) answer = choice.in(lesson.language());
    if (!answer.empty() && !names_answer(mark.words, answer)) {
      const TextStyle large = lecture_answer_style(t, lesson.page().question->kind);
      const std::string shown = elided(canvas, answer, large, band.width / 3);
      canvas.text({x, band.center().y}, shown, large);
      ui.note({x, band.y, canvas.measure(shown, large).x, band.height}, "lecture engine", answer);
      x += canvas.measure(shown, large).x + 12;
    }
  }
  const Rect rest{x, band.y, band.right() - x, band.height};
  draw_lines(canvas, rest, mark.words, {.size = 12, .color = t.ink});
  ui.note(rest, "lecture answer", mark.words);
}

void draw_room(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, Rect band, LectureTraining& training) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  canvas.line({band.x, band.y}, {band.right(), band.y}, {.color = t.border});
  if (!lesson.ready() || !lesson.page().question) return;
  if (lesson.may_continue()) return draw_answer(ui, lesson, band);
  const LessonQuestion& asked = *lesson.page().question;
  std::string words;
  if (in.lessons.warned()) {
    words = training.words(lesson.page().reveal, lesson.language());
    ui.ask_frame(0.1);  // how long it takes is measured meanwhile
  }
  if (words.empty() && lecture_offers(lesson) > 0) return draw_offers(ui, lesson, band);
  if (words.empty())
    words = lesson_words(asked.does                         ? "Ask the room what will happen."
                         : asked.kind == AnswerKind::number ? "Ask the room for a number."
                                                            : "Ask the room for a word.",
                         lesson.language());
  draw_lines(canvas, band, words, lecture_line_style(t));
  ui.note(band, "lecture room", words);
}

}  // namespace

void draw_lecture_page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const LectureBands& bands,
                       LectureTraining& training) {
  draw_question(ui, lesson, bands);
  if (in.view && in.input && !ui.by_name.left().empty()) draw_unseen_controls(ui, *in.view, *in.input);
  if (in.view && in.input)
    draw_lecture_picture(ui, in, bands.picture, lesson.page().panel ? lesson.page().panel->value : "");
  else
    ui.canvas().text(bands.picture.center(), lesson_words("One moment…", lesson.language()),
                     styles::center(styles::title(ui.theme())));
  draw_room(ui, in, lesson, bands.answer, training);
}

}  // namespace glassformer
