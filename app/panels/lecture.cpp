#include "app/panels/lecture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/lessons/slots.h"
#include "app/panels/picture.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

constexpr float kLectureHead = 32, kLectureFoot = 74, kLectureSide = 18, kLectureRoom = 176,
                kWideLecture = 760, kOffer = 27;
constexpr std::size_t kMostOffers = 8;

// What a key does, for those who saw it pressed.
// `answers`: digits choose one; `does`: something is to be done.
std::string key_words(const std::string& key, bool lesson, bool answers, bool does) {
  struct Words {
    const char *key, *words;
  };
  static constexpr std::array kWords{
      Words{"→", "one on"},         Words{"←", "one back"},        Words{"↑", "a layer up"},
      Words{"↓", "a layer down"},   Words{"Space", "play"},        Words{"Enter", "deeper"},
      Words{"Backspace", "back"},   Words{"Esc", "lets go"},       Words{"Home", "to the first"},
      Words{"End", "to the last"},  Words{"PgDn", "on"},           Words{"PgUp", "page before"},
      Words{"Ctrl+Z", "undo"},      Words{"Ctrl+Shift+Z", "redo"}, Words{"E", "encoder"},
      Words{"D", "decoder"},        Words{"X", "cross-attention"}, Words{"T", "train, pause"},
      Words{"N", "one step"},       Words{"C", "compare"},         Words{"0", "mean of the heads"},
      Words{"B", "next step back"}, Words{"/", "the sentence"}};
  if (lesson && key == "A") return does ? "leave it" : "reveal";
  const auto found = std::ranges::find(kWords, std::string_view(key),
                                       [](const Words& each) { return std::string_view(each.key); });
  if (found != kWords.end()) return found->words;
  if (key.size() == 1 && key[0] >= '1' && key[0] <= '8')
    return answers ? "answer " + key : lesson ? "" : "head " + key;
  return {};
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

void answer_with(TakenLesson& lesson, std::size_t offer) {
  const LessonQuestion& asked = *lesson.page().question;
  if (asked.kind == AnswerKind::choice)
    lesson.give(asked.choices[offer].plain);
  else
    lesson.give_place(offers_of(lesson)[offer].right ? static_cast<int>(lesson.engine_answer()->place->at)
                                                     : static_cast<int>(offer));
}

// Digits answer, A reveals, before the view hears of them.
void take_lecture_keys(ui::Ui& ui, TakenLesson& lesson) {
  if (!lesson.ready() || !lesson.page().question || lesson.may_go_on()) return;
  const std::size_t offers = offers_of(lesson).size();
  for (std::size_t i = 0; i < std::min(offers, kMostOffers); ++i)
    if (ui.take_typed(static_cast<char>('1' + i))) return answer_with(lesson, i);
  if (ui.take_typed('a')) lesson.page().question->does ? lesson.pass() : lesson.show_answer();
}

}  // namespace

void Lecture::draw(ui::Ui& ui, const PanelInput& in, Point window) {
  const Theme& t = in.theme;
  TakenLesson* const lesson = in.lessons.taken();
  if (lesson) take_lecture_keys(ui, *lesson);
  ui.canvas().rectangle({0, 0, window.x, window.y}, {.fill = t.paper});
  head(ui, in, {0, 0, window.x, kLectureHead});
  Rect stage{0, kLectureHead, window.x, window.y - kLectureHead - kLectureFoot};
  if (lesson && lesson->page().question) {
    const float used =
        question(ui, in, *lesson, {kLectureSide, stage.y + 4, stage.width - 2 * kLectureSide, 0});
    stage.y += used, stage.height -= used;
    if (stage.width < kWideLecture) {
      const float lines =
          room_in_lines(ui, in, *lesson, {kLectureSide, stage.y, stage.width - 2 * kLectureSide, 0});
      stage.y += lines, stage.height -= lines;
    } else if (!offers_of(*lesson).empty() || (!lesson->page().question->does && lesson->may_go_on())) {
      room(ui, in, *lesson,
           {stage.right() - kLectureRoom, stage.y, kLectureRoom - kLectureSide, stage.height});
      stage.width -= kLectureRoom;
    }
  }
  if (in.view && in.input)
    draw_picture(ui, *in.view, *in.input, stage, {.scroll = "lecture"}), in.lessons.draw_targets(ui, false);
  else
    ui.canvas().text(stage.center(), "One moment…", styles::center(styles::title(t)));
  foot(ui, in, {0, window.y - kLectureFoot, window.x, kLectureFoot});
  // Seen from the last row: where the mouse is.
  if (const auto mouse = ui.mouse()) ui.canvas().circle(*mouse, 14, {}, {.color = t.reference, .width = 2});
}

void Lecture::head(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel});
  canvas.line({0, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  const std::string words = "Lecture mode";
  const float leaves = ui.text_width("F5 leaves", 12);
  if (ui.LinkButton({rect.right() - kLectureSide - leaves, rect.center().y - 10}, "F5 leaves",
                    {.id = "Leave lecture mode"}))
    on = false;
  canvas.text({rect.right() - kLectureSide - leaves - 14, rect.center().y}, words,
              styles::right(styles::caption(t)));
  std::string name = in.session.title().name;
  if (TakenLesson* const lesson = in.lessons.taken())
    name = "Lesson " + std::to_string(in.lessons.number() + 1) + ": " +
           lesson->lesson().title.in(lesson->language());
  const float room =
      rect.width - 2 * kLectureSide - leaves - 30 - canvas.measure(words, styles::caption(t)).x;
  canvas.text({kLectureSide, rect.center().y}, elided(canvas, name, styles::heading(t), room),
              styles::heading(t));
  ui.note({kLectureSide, rect.y, room, kLectureHead}, "lecture title", name);
}

float Lecture::question(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const {
  const Theme& t = in.theme;
  const std::string words = lesson.ready() ? lesson.text(lesson.page().question->text) : "One moment…";
  const TextStyle style{.font = Font::semibold, .size = 16, .color = t.ink};
  const float height = paragraph(ui.canvas(), {rect.x, rect.y}, rect.width, words, style);
  ui.note({rect.x, rect.y, rect.width, height}, "lecture question", words);
  float used = height + 8;
  const PageMark& mark = lesson.mark();
  std::string said;
  if (mark.right || mark.shown)
    said = mark.words;
  else if (mark.tries > 0)
    said = "Not “" + mark.given + "”. " + lesson.text(lesson.page().question->hint);
  if (!said.empty()) {
    const float below =
        paragraph(ui.canvas(), {rect.x, rect.y + height}, rect.width, said, styles::body_second(t));
    ui.note({rect.x, rect.y + height, rect.width, below}, "lecture answer", said);
    used += below;
  }
  return used;
}

// The offers with their digits; their numbers once the answer is known.
void Lecture::room(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
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

float Lecture::room_in_lines(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, const Rect& rect) const {
  constexpr float kLine = 28;
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::vector<LectureOffer> offers = offers_of(lesson);
  const bool known = lesson.may_go_on();
  if (offers.empty()) {
    if (!known || lesson.page().question->does) return 0;
    canvas.text({rect.x, rect.y + kLine / 2}, "The engine: " + lesson.answer(), styles::heading(t));
    return kLine;
  }
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

// In place of the keys, from the key on to Enter or Escape; false: nobody writes.
bool Lecture::sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  const bool there = in.result && !in.result->scene.sentences.empty();
  if (!typing_ && there && ui.take_typed('/'))
    typing_ = in.result->scene.sentences.front().source, begins_ = true;
  if (!typing_) return false;
  const ui::FieldEvent event =
      ui.TextField(rect, "Lecture sentence", *typing_, {.focus = std::exchange(begins_, false)});
  if (event == ui::FieldEvent::entered && !typing_->empty()) ui.push(SetSource{*typing_});
  if (event == ui::FieldEvent::entered || event == ui::FieldEvent::left) typing_.reset(), ui.ask_frame(0);
  return true;
}

void Lecture::foot(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  TakenLesson* const lesson = in.lessons.taken();
  canvas.rectangle(rect, {.fill = t.panel});
  canvas.line({0, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = t.border});
  const float first = rect.y + 20, second = rect.y + 52;
  if (lesson) {
    const std::string page =
        "Page " + std::to_string(lesson->open() + 1) + " of " + std::to_string(lesson->lesson().pages.size());
    canvas.text({kLectureSide, first}, page, styles::heading(t));
    ui.note({kLectureSide, first - 10, 80, 20}, "lecture page", page);
    const float from = kLectureSide + 92, room = rect.right() - kLectureSide - from;
    const auto pages = static_cast<float>(lesson->lesson().pages.size());
    const float width = (room - 5 * (pages - 1)) / pages;
    for (std::size_t i = 0; i < lesson->lesson().pages.size(); ++i)
      canvas.rectangle({from + static_cast<float>(i) * (width + 5), first - 1.5f, width, 3},
                       {.fill = i <= lesson->open() ? t.ink : t.control, .radius = 1.5f});
  } else if (in.result && !in.result->scene.sentences.empty()) {
    const std::string words = in.result->scene.sentences.front().source + " → " + in.result->translation;
    canvas.text({kLectureSide, first},
                elided(canvas, words, styles::heading(t), rect.width - 2 * kLectureSide), styles::heading(t));
    ui.note({kLectureSide, first - 10, rect.width - 2 * kLectureSide, 20}, "lecture sentence", words);
  }

  if (sentence_field(ui, in, {kLectureSide, second - 18, rect.width - 2 * kLectureSide, 36})) return;
  const bool does = lesson && lesson->page().question && lesson->page().question->does;
  const bool answers = lesson && lesson->ready() && lesson->page().question && !offers_of(*lesson).empty();
  float x = kLectureSide;
  if (!ui.last_key().empty()) {
    x += lecture_key(canvas, t, {x, second}, ui.last_key(), true) + 8;
    const std::string what = key_words(ui.last_key(), lesson != nullptr, answers, does);
    const std::string words = what.empty() ? "pressed" : "pressed: " + what;
    canvas.text({x, second}, words, styles::caption(t));
    ui.note({kLectureSide, second - 10, 160, 20}, "lecture key", ui.last_key() + ", " + words);
    x += canvas.measure(words, styles::caption(t)).x + 24;
  }
  using Hint = std::pair<std::string, const char*>;
  const int heads = in.session.snapshot() ? in.session.snapshot()->config.heads : 0;
  const std::vector<Hint> hints =
      answers  ? std::vector<Hint>{{"1–8", "answer"}, {"A", "reveal"}, {"PgUp PgDn", "page"}}
      : does   ? std::vector<Hint>{{"A", "leave it"}, {"/", "sentence"}, {"PgUp PgDn", "page"}}
      : lesson ? std::vector<Hint>{{"A", "reveal"}, {"PgUp PgDn", "page"}}
               : std::vector<Hint>{{"← →", "step"},
                                   {"↑ ↓", "layer"},
                                   {"1–" + std::to_string(std::min(heads, 8)), "head"},
                                   {"Space", "play"}};
  float width = 0;
  const TextStyle caption = styles::caption(t);
  for (const auto& [key, words] : hints)
    width += canvas.measure(key, {.size = 12}).x + 14 + 6 + canvas.measure(words, caption).x + 14;
  x = std::max(x, rect.right() - kLectureSide - width + 14);
  for (const auto& [key, words] : hints) {
    const float needs = canvas.measure(key, {.size = 12}).x + 20 + canvas.measure(words, caption).x;
    if (x + needs > rect.right() - kLectureSide + 1) break;
    x += lecture_key(canvas, t, {x, second}, key, false) + 6;
    canvas.text({x, second}, words, caption);
    x += canvas.measure(words, caption).x + 14;
  }
}

}  // namespace glassformer
