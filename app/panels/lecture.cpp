#include "app/panels/lecture.h"

#include <algorithm>
#include <array>
#include <utility>

#include "app/panels/lecture_room.h"
#include "app/panels/picture.h"
#include "app/panels/styles.h"
#include "app/ui/scroll.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

namespace {

constexpr float kLectureHead = 32, kLectureFoot = 74, kLessonFoot = 44, kLectureSide = 18, kLectureRoom = 176;
constexpr float kScrollKeeps = 48;  // px of the picture that are still there after a page of scrolling
constexpr float kMargin = 24;       // px that a picture has below itself and that nobody misses

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

}  // namespace

void Lecture::scroll_keys(ui::Ui& ui) {
  if (!more_ || ui.popup_open() || ui.shift() || !ui.pressed(ui::Key::page_down)) return;
  const Point at = ui.scroll_of(scroll_);
  // Where the lesson asks, the title of the picture is the first to go: the question stands for it. Then
  // down, and then what lies to the right.
  if (rest_.y > kMargin)
    ui.scroll_to(scroll_, {at.x, asks_ && !looking_ ? std::max(at.y, kStageTopBare) : at.y + page_.y});
  else
    ui.scroll_to(scroll_, {at.x + page_.x, kStageTopBare});
  looking_ = true, more_ = false;
  ui.ask_frame(0);
}

void Lecture::draw(ui::Ui& ui, const PanelInput& in, Point window) {
  const Theme& t = in.theme;
  TakenLesson* const lesson = in.lessons.taken();
  if (lesson) take_lecture_keys(ui, *lesson);
  ui.canvas().rectangle({0, 0, window.x, window.y}, {.fill = t.paper});
  const float foot_height = lesson ? kLessonFoot : kLectureFoot;
  Rect stage{0, kLectureHead, window.x, window.y - kLectureHead - foot_height};
  const Point least = !in.view || !in.input ? Point{}
                      : in.session.compared()
                          ? in.comparing.minimum_size(in, *in.input, *in.session.compared(), stage.width)
                          : in.view->minimum_size(*in.input);
  const OpenPage page{in.lessons.takings(), lesson ? lesson->open() : 0};
  if (std::exchange(page_open_, page) != page) looking_ = false, ui.scroll_to(scroll_, {});
  asks_ = lesson && lesson->page().question;
  const bool low = asks_ && asks_for_more(ui, *lesson, stage, least.y);
  head(ui, in, {0, 0, window.x, kLectureHead}, low);
  if (asks_) ask(ui, *lesson, low, stage);
  rest_ = {}, more_ = false;
  if (in.view && in.input) {
    picture(ui, in, stage);
    in.lessons.draw_targets(ui, false);
    const ui::Ui::ScrollRoom room = ui.scroll_room(scroll_);
    rest_ = room.rest;
    more_ = (rest_.x > kMargin || rest_.y > kMargin) && !(asks_ && lesson->may_go_on());
    page_ = {std::max(kScrollKeeps, room.seen.x - kScrollKeeps),
             std::max(kScrollKeeps, room.seen.y - kScrollKeeps)};
  } else {
    ui.canvas().text(stage.center(), "One moment…", styles::center(styles::title(t)));
  }
  foot(ui, in, {0, window.y - foot_height, window.x, foot_height});
  // Seen from the last row: where the mouse is.
  if (const auto mouse = ui.mouse()) ui.canvas().circle(*mouse, 14, {}, {.color = t.reference, .width = 2});
}

void Lecture::picture(ui::Ui& ui, const PanelInput& in, const Rect& stage) {
  const ui::HeadsScroll heads(ui);
  const std::string before = scroll_;
  if (const Compared* compared = in.session.compared()) {
    in.comparing.draw(ui, in, *in.input, *compared, stage);
    scroll_ = in.comparing.scroll();
  } else {
    scroll_ = "lecture";
    draw_picture(ui, *in.view, *in.input, stage, {.scroll = scroll_.c_str()});
  }
  // It begins at its beginning, wherever the window was that scrolls it too.
  if (before != scroll_ && !(before.ends_with("stage") && scroll_.ends_with("stage")))
    ui.scroll_to(scroll_, {});
}

// Who looks at the picture, or has the answer, needs the room that question and text take, unless there is
// enough for all: then the question goes into the head.
bool Lecture::asks_for_more(ui::Ui& ui, const TakenLesson& lesson, const Rect& stage, float least) const {
  if (!looking_ && !lesson.may_go_on()) return false;
  const float width = stage.width - 2 * kLectureSide;
  return lecture_question_height(ui, lesson, width) + lecture_words_height(ui, lesson, width) + lines_ +
             least >
         stage.height;
}

void Lecture::ask(ui::Ui& ui, TakenLesson& lesson, bool low, Rect& stage) {
  Rect rect{kLectureSide, stage.y + 4, stage.width - 2 * kLectureSide, 0};
  if (!low) rect.y += draw_lecture_question(ui, lesson, rect);
  if (!low || lesson.mark().tries > 0 || lesson.may_go_on()) rect.y += draw_lecture_words(ui, lesson, rect);
  lines_ = stage.width < kWideLecture ? draw_lecture_lines(ui, lesson, rect) : 0;
  const float used = rect.y + lines_ - stage.y;
  stage.y += used, stage.height -= used;
  if (stage.width < kWideLecture) return;
  if (!lecture_offers(lesson) && (lesson.page().question->does || !lesson.may_go_on())) return;
  draw_lecture_column(ui, lesson,
                      {stage.right() - kLectureRoom, stage.y, kLectureRoom - kLectureSide, stage.height});
  stage.width -= kLectureRoom;
}

void Lecture::head(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool question) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel});
  canvas.line({0, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  const std::string words = question ? "" : "Lecture mode";
  const float leaves = ui.text_width("F5 leaves", 12);
  if (ui.LinkButton({rect.right() - kLectureSide - leaves, rect.center().y - 10}, "F5 leaves",
                    {.id = "Leave lecture mode"}))
    on = false;
  canvas.text({rect.right() - kLectureSide - leaves - 14, rect.center().y}, words,
              styles::right(styles::caption(t)));
  std::string name = in.session.title().name;
  TakenLesson* const lesson = in.lessons.taken();
  if (lesson)
    name = "Lesson " + std::to_string(in.lessons.number() + 1) + ": " +
           lesson->lesson().title.in(lesson->language());
  const float room =
      rect.width - 2 * kLectureSide - leaves - 30 - canvas.measure(words, styles::caption(t)).x;
  std::string shown = question ? lecture_question(*lesson) : name;
  // Of what has no room the sentence that asks.
  if (canvas.measure(shown, styles::heading(t)).x > room)
    if (const std::size_t end = shown.rfind(". "); end != std::string::npos) shown = shown.substr(end + 2);
  canvas.text({kLectureSide, rect.center().y}, elided(canvas, shown, styles::heading(t), room),
              styles::heading(t));
  ui.note({kLectureSide, rect.y, room, kLectureHead}, question ? "lecture question" : "lecture title",
          question ? lecture_question(*lesson) : name);
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
  const float second = rect.bottom() - 22;
  float x = kLectureSide;
  if (lesson) {
    const auto pages = static_cast<float>(lesson->lesson().pages.size());
    const float width = (rect.width - 4 * (pages - 1)) / pages;
    for (std::size_t i = 0; i < lesson->lesson().pages.size(); ++i)
      canvas.rectangle({static_cast<float>(i) * (width + 4), rect.y - 1, width, 3},
                       {.fill = i <= lesson->open() ? t.ink : t.control});
  } else if (in.result && !in.result->scene.sentences.empty()) {
    const std::string words = in.result->scene.sentences.front().source + " → " + in.result->translation;
    const float first = rect.y + 20;
    canvas.text({kLectureSide, first},
                elided(canvas, words, styles::heading(t), rect.width - 2 * kLectureSide), styles::heading(t));
    ui.note({kLectureSide, first - 10, rect.width - 2 * kLectureSide, 20}, "lecture sentence", words);
  }

  if (sentence_field(ui, in, {kLectureSide, second - 18, rect.width - 2 * kLectureSide, 36})) return;
  if (lesson) {
    const std::string page =
        "Page " + std::to_string(lesson->open() + 1) + " of " + std::to_string(lesson->lesson().pages.size());
    canvas.text({x, second}, page, styles::heading(t));
    ui.note({x, second - 10, 80, 20}, "lecture page", page);
    x += canvas.measure(page, styles::heading(t)).x + 20;
  }
  const bool does = lesson && lesson->page().question && lesson->page().question->does;
  const bool answers = lesson && lesson->ready() && lesson->page().question && lecture_offers(*lesson);
  if (!ui.last_key().empty()) {
    x += lecture_key(canvas, t, {x, second}, ui.last_key(), true) + 8;
    const std::string what = key_words(ui.last_key(), lesson != nullptr, answers, does);
    const std::string words = what.empty() ? "pressed" : lesson ? what : "pressed: " + what;
    canvas.text({x, second}, words, styles::caption(t));
    ui.note({kLectureSide, second - 10, 160, 20}, "lecture key", ui.last_key() + ", " + words);
    x += canvas.measure(words, styles::caption(t)).x + 24;
  }
  const bool known = lesson && lesson->page().question && lesson->may_go_on();
  const bool ended = lesson && lesson->may_go_on() && lesson->open() + 1 == lesson->lesson().pages.size();
  using Hint = std::pair<std::string, const char*>;
  const int heads = in.session.snapshot() ? in.session.snapshot()->config.heads : 0;
  const std::vector<Hint> hints =
      ended     ? std::vector<Hint>{{"F5", "the lesson ends here"}, {"PgUp", "page"}}
      : known   ? std::vector<Hint>{{"PgUp PgDn", "page"}}
      : answers ? std::vector<Hint>{{"1–8", "answer"}, {"A", "reveal"}, {"PgUp PgDn", "page"}}
      : does    ? std::vector<Hint>{{"F5", "do it in the window"}, {"A", "leave it"}, {"PgUp PgDn", "page"}}
      : lesson  ? std::vector<Hint>{{"A", "reveal"}, {"PgUp PgDn", "page"}}
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
