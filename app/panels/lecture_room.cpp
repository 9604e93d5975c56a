#include "app/panels/lecture_room.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <vector>

#include "app/format/number_format.h"
#include "app/lessons/slots.h"
#include "app/panels/lesson_words.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

constexpr float kOffer = 27;
constexpr std::size_t kMostOffers = 8;

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
  // As many as there are digits: the first, and the right one in the last place where it is none of them.
  const std::size_t count = std::min(place.among.size(), kMostOffers);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = i + 1 == count && place.at >= count ? place.at : i;
    offers.push_back({.words = at < place.axis.words.size()
                                   ? place.axis.words[at]
                                   : std::to_string(at + (place.axis.counted ? 1 : 0)),
                      .number = place.among[at],
                      .right = at == place.at});
  }
  return offers;
}

// The words about the answer name it themselves, as a word of theirs.
bool is_said(const TakenLesson& lesson, const std::string& answer) {
  const auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const std::string& words = lesson.mark().words;
  if (answer.empty()) return false;
  for (std::size_t at = words.find(answer); at != std::string::npos; at = words.find(answer, at + 1)) {
    const std::size_t end = at + answer.size();
    const bool begins = at == 0 || !in_word(words[at - 1]),
               ends = end == words.size() || !in_word(words[end]);
    if (begins && ends) return true;
  }
  return false;
}

void answer_with(TakenLesson& lesson, std::size_t offer) {
  const LessonQuestion& asked = *lesson.page().question;
  if (asked.kind == AnswerKind::choice)
    lesson.give(asked.choices[offer].plain);
  else
    lesson.give_place(offers_of(lesson)[offer].right ? static_cast<int>(lesson.engine_answer()->place->at)
                                                     : static_cast<int>(offer));
}

// What the page says; of an answer what is told of that.
std::string words_of(const TakenLesson& lesson) {
  if (!lesson.ready()) return {};
  const PageMark& mark = lesson.mark();
  if (mark.right || mark.shown) return mark.words;
  if (mark.tries > 0)
    return lesson_words("Not ", lesson.language()) +
           lesson_given(*lesson.page().question, mark.given, lesson.language()) + ". " +
           lesson.text(lesson.page().question->hint);
  std::string words;
  for (const LessonText& each : lesson.page().texts) words += (words.empty() ? "" : " ") + lesson.text(each);
  return words;
}

TextStyle question_style(const Theme& t) {
  return {.font = Font::semibold, .size = 16, .color = t.ink};
}

}  // namespace

void take_lecture_keys(ui::Ui& ui, TakenLesson& lesson) {
  if (!lesson.ready() || !lesson.page().question || lesson.may_go_on()) return;
  const std::size_t offers = offers_of(lesson).size();
  for (std::size_t i = 0; i < std::min(offers, kMostOffers); ++i)
    if (ui.take_typed(static_cast<char>('1' + i))) return answer_with(lesson, i);
  if (ui.take_typed('a')) lesson.page().question->does ? lesson.pass() : lesson.show_answer();
}

bool lecture_offers(const TakenLesson& lesson) {
  return !offers_of(lesson).empty();
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

std::string lecture_question(const TakenLesson& lesson) {
  return lesson.ready() ? lesson.text(lesson.page().question->text)
                        : lesson_words("One moment…", lesson.language());
}

float lecture_question_height(ui::Ui& ui, const TakenLesson& lesson, float width) {
  return paragraph_height(ui.canvas(), width, lecture_question(lesson), question_style(ui.theme())) + 8;
}

float lecture_words_height(ui::Ui& ui, const TakenLesson& lesson, float width) {
  const std::string words = words_of(lesson);
  return words.empty() ? 0 : paragraph_height(ui.canvas(), width, words, styles::body_second(ui.theme())) + 4;
}

float draw_lecture_question(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect) {
  const std::string words = lecture_question(lesson);
  const float height =
      paragraph(ui.canvas(), {rect.x, rect.y}, rect.width, words, question_style(ui.theme()));
  ui.note({rect.x, rect.y, rect.width, height}, "lecture question", words);
  return height + 8;
}

float draw_lecture_words(ui::Ui& ui, const TakenLesson& lesson, const Rect& rect) {
  const std::string words = words_of(lesson);
  if (words.empty()) return 0;
  const float height =
      paragraph(ui.canvas(), {rect.x, rect.y}, rect.width, words, styles::body_second(ui.theme()));
  const PageMark& mark = lesson.mark();
  const bool tried = mark.right || mark.shown || mark.tries > 0;
  ui.note({rect.x, rect.y, rect.width, height}, tried ? "lecture answer" : "lecture text", words);
  return height + 4;
}

void draw_lecture_column(ui::Ui& ui, TakenLesson& lesson, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<LectureOffer> offers = offers_of(lesson);
  const bool known = lesson.may_go_on();
  float y = rect.y + 12;
  canvas.text({rect.x, y}, known ? "The engine" : "Ask the room", styles::heading(t));
  y += 22;
  if (offers.empty()) {
    canvas.text({rect.x, y}, elided(canvas, lesson.answer(), styles::title(t), rect.width), styles::title(t));
    return;
  }
  double largest = 0;
  for (const LectureOffer& offer : offers) largest = std::max(largest, std::abs(offer.number.value_or(0)));
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const std::string digit = std::to_string(i + 1);
    const bool is_answer = known && offers[i].right;
    const Rect row{rect.x, y - kOffer / 2, rect.width, kOffer};
    const float cap = lecture_key(canvas, t, {rect.x, y}, digit, is_answer);
    if (ui.area(row, "answer " + digit, "button").clicked && !known) answer_with(lesson, i);
    const std::string number = offers[i].number ? known ? format_short(*offers[i].number) : "?" : "";
    const float end = rect.right() - canvas.measure("0.0000", styles::number(t)).x;
    const TextStyle style = is_answer ? styles::heading(t) : styles::body(t);
    const float words_end = offers[i].number ? end - 50 : rect.right();
    canvas.text({rect.x + cap + 8, y}, elided(canvas, offers[i].words, style, words_end - rect.x - cap - 12),
                style);
    if (offers[i].number) {
      canvas.rectangle({end - 46, y - 6, 42, 12}, {.fill = t.sunken, .radius = 2});
      if (known && largest > 0)
        canvas.rectangle(
            {end - 46, y - 6, 42 * static_cast<float>(std::abs(*offers[i].number) / largest), 12},
            {.fill = is_answer ? t.ink : t.second_text, .radius = 2});
      canvas.text({rect.right(), y}, number, styles::right(styles::number(t)));
    }
    y += kOffer;
  }
  const auto& answer = lesson.engine_answer();
  if (answer && answer->place && answer->place->among.size() > offers.size())
    canvas.text({rect.x, y}, "and " + std::to_string(answer->place->among.size() - offers.size()) + " more",
                styles::caption(t));
}

float draw_lecture_lines(ui::Ui& ui, TakenLesson& lesson, const Rect& rect) {
  constexpr float kLine = 28;
  Canvas& canvas = ui.canvas();
  const Theme& t = ui.theme();
  const std::vector<LectureOffer> offers = offers_of(lesson);
  const bool known = lesson.may_go_on();
  if (offers.empty()) {
    if (!known || lesson.page().question->does || is_said(lesson, lesson.answer())) return 0;
    canvas.text({rect.x, rect.y + kLine / 2}, "The engine: " + lesson.answer(), styles::heading(t));
    return kLine;
  }
  if (known && std::ranges::all_of(offers, [&](const LectureOffer& each) {
        return !each.right || is_said(lesson, each.words);
      }))
    return 0;
  float x = rect.x, y = rect.y + kLine / 2;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const std::string digit = std::to_string(i + 1);
    const bool is_answer = known && offers[i].right;
    if (known && !is_answer) continue;  // the picture needs the room
    const TextStyle style = is_answer ? styles::heading(t) : styles::body(t);
    const std::string number = offers[i].number && known ? " " + format_short(*offers[i].number) : "";
    const std::string words = elided(canvas, offers[i].words + number, style, rect.width - 40);
    const float cap = canvas.measure(digit, {.size = 12}).x + 14,
                width = cap + 6 + canvas.measure(words, style).x;
    if (x > rect.x && x + width > rect.right()) x = rect.x, y += kLine;
    if (ui.area({x, y - kLine / 2, width, kLine}, "answer " + digit, "button").clicked && !known)
      answer_with(lesson, i);
    lecture_key(canvas, t, {x, y}, digit, is_answer);
    canvas.text({x + cap + 6, y}, words, style);
    x += width + 18;
  }
  return y + kLine / 2 + 4 - rect.y;
}

}  // namespace glassformer
