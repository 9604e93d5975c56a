#include "app/panels/lecture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/format/number_format.h"
#include "app/panels/lecture_picture.h"
#include "app/panels/lecture_room.h"
#include "app/panels/lecture_words.h"
#include "app/panels/lesson_card.h"
#include "app/panels/styles.h"
#include "app/views/common/page.h"
#include "app/views/common/stage_text.h"
#include "app/views/view_table.h"

namespace glassformer {

namespace {

constexpr float kLectureHead = 32, kLectureFoot = 74, kLectureSide = 18;

// What a key does, for those who saw it pressed.
std::string key_words(const std::string& key) {
  struct Words {
    const char *key, *words;
  };
  static constexpr std::array kWords{
      Words{"→", "one on"},          Words{"←", "one back"},          Words{"↑", "a layer up"},
      Words{"↓", "a layer down"},    Words{"Space", "play"},          Words{"Enter", "deeper"},
      Words{"Backspace", "back"},    Words{"Home", "to the first"},   Words{"End", "to the last"},
      Words{"PgDn", "next view"},    Words{"PgUp", "view before"},    Words{"Ctrl+Z", "undo"},
      Words{"Ctrl+Shift+Z", "redo"}, Words{"E", "encoder"},           Words{"D", "decoder"},
      Words{"X", "cross-attention"}, Words{"T", "train, pause"},      Words{"N", "one step"},
      Words{"C", "compare"},         Words{"0", "mean of the heads"}, Words{"B", "next step back"},
      Words{"/", "the sentence"},    Words{"L", "the lessons"}};
  const auto found = std::ranges::find(kWords, std::string_view(key),
                                       [](const Words& each) { return std::string_view(each.key); });
  if (found != kWords.end()) return found->words;
  if (key.size() == 1 && key[0] >= '1' && key[0] <= '8') return "head " + key;
  return {};
}

// The same on a lesson's current page.
std::string lesson_key_words(const std::string& key, const TakenLesson& lesson, bool at_end) {
  const auto& asked = lesson.page().question;
  const bool known = asked && lesson.may_continue();
  const std::string language = lesson.language();
  if (key == "PgDn" && at_end) return "";  // the foot says where it leads
  if (key == "PgDn" || key == "A")
    return !known ? lesson_words("page ", language) + std::to_string(lesson.open() + 1)
                  : lesson_words(asked->does ? "done" : "revealed", language);
  if (key == "Enter") return "";  // it leads no page away from its picture
  if (key == "PgUp") return lesson_words(asked && !known ? "covered" : "back", language);
  if (key.size() == 1 && key[0] >= '1' && key[0] <= '8')
    return asked ? lesson_words("answer ", language) + key : "";
  return lesson_words(key_words(key), language);
}

using KeyHint = std::pair<std::string, std::string>;

constexpr std::array<std::string_view, 4> kWalked{"walk", "head", "block", "lookup"};

// The view before or behind it in the menu; empty: there is none.
std::string view_beside(const std::string& view, int by) {
  const auto views = view_table();
  const auto entry = std::ranges::find(views, view, &ViewEntry::name);
  const auto at = entry - views.begin() + by;
  const bool there = entry != views.end() && at >= 0 && at < std::ssize(views);
  return there ? views[static_cast<std::size_t>(at)].name : "";
}

std::vector<KeyHint> lesson_hints(const PanelInput& in, const TakenLesson& lesson) {
  const auto& asked = lesson.page().question;
  const bool covers = asked && lesson.mark().shown && !lesson.mark().right;
  std::vector<KeyHint> hints;
  if (lesson.may_continue()) {
    const bool last = lesson.open() + 1 == lesson.lesson().pages.size();
    const auto after = in.lessons.next();
    if (!last)
      hints.emplace_back("PgDn", "next page");
    else if (!after)
      hints.emplace_back("F5", "the lesson ends here");
    else
      hints.emplace_back("PgDn", in.lessons.leaving() ? lesson_words("again: lesson ", lesson.language()) +
                                                            std::to_string(*after + 1)
                                                      : "next lesson");
  } else {
    if (const std::size_t offers = lecture_offers(lesson); offers > 0)
      hints.emplace_back(offers == 1 ? "1" : "1–" + std::to_string(offers), "answer");
    hints.emplace_back("PgDn", !asked || !asked->does ? "reveal"
                               : in.lessons.warned()  ? "train"
                               : lesson.reveals()     ? "do it"
                                                      : "leave it");
  }
  hints.emplace_back("PgUp", covers && !in.lessons.leaving() ? "cover again" : "back");
  for (auto& [key, words] : hints) words = lesson_words(words, lesson.language());
  return hints;
}

// What keys do in a view's part; left out is what changes nothing there.
std::vector<KeyHint> view_hints(const PanelInput& in, int heads) {
  const ViewTraits traits = in.view ? in.view->traits() : ViewTraits{};
  const bool walks = std::ranges::count(kWalked, in.view_name) > 0,
             of_attention = traits.follows_kind || in.view_name == "attention";
  std::vector<KeyHint> hints;
  if (walks || in.view_name == "attention") hints.emplace_back("← →", "step");
  if (of_attention || traits.shows_block) hints.emplace_back("↑ ↓", "layer");
  if (of_attention && heads > 1) hints.emplace_back("1–" + std::to_string(std::min(heads, 8)), "head");
  if (in.view_name == "walk" || in.view_name == "attention") hints.emplace_back("Space", "play");
  const auto title = [&](int by) {
    const std::string name = view_beside(in.view_name, by);
    const auto entry = std::ranges::find(view_table(), name, &ViewEntry::name);
    return entry == view_table().end() ? std::string() : entry->title;
  };
  if (const std::string before = title(-1); !before.empty()) hints.emplace_back("PgUp", before);
  if (const std::string after = title(1); !after.empty()) hints.emplace_back("PgDn", after);
  return hints;
}

void draw_hints(Canvas& canvas, const Theme& t, float from, Point end, const std::vector<KeyHint>& hints) {
  const TextStyle caption = styles::caption(t);
  float width = 0;
  for (const auto& [key, words] : hints)
    width += canvas.measure(key, {.size = 12}).x + 14 + 6 + canvas.measure(words, caption).x + 14;
  float x = std::max(from, end.x - width + 14);
  for (const auto& [key, words] : hints) {
    const float needs = canvas.measure(key, {.size = 12}).x + 20 + canvas.measure(words, caption).x;
    if (x + needs > end.x + 1) break;
    x += lecture_key(canvas, t, {x, end.y}, key, false) + 6;
    canvas.text({x, end.y}, words, caption);
    x += canvas.measure(words, caption).x + 14;
  }
}

}  // namespace

double lecture_scale(Point pixels) {
  constexpr double kSteps = 6, kMost = 4;
  const double grown = kLectureScale * std::min(pixels.x / 1024.0, pixels.y / 768.0);
  return std::clamp(std::floor(grown * kSteps + 1e-3) / kSteps, kLectureScale, kMost);
}

void Lecture::draw(ui::Ui& ui, const PanelInput& in, Point window) {
  TakenLesson* const lesson = in.lessons.taken();
  hear(ui, in);
  ui.canvas().rectangle({0, 0, window.x, window.y}, {.fill = in.theme.paper});
  if (lesson)
    lesson_page(ui, in, *lesson, window);
  else
    plain(ui, in, window);
  // Seen from the last row: where the mouse is.
  if (const auto mouse = ui.mouse())
    ui.canvas().circle(*mouse, 14, {}, {.color = in.theme.reference, .width = 2});
}

Lecture::State Lecture::state_of(const PanelInput& in) {
  State now{.view = in.view_name,
            .state = in.view ? in.view->traits().state : "",
            .pinned = in.session.pinned(),
            .result = in.result,
            .steps = in.session.shown_steps(),
            .trains = in.session.training(),
            .compares = in.session.compared() != nullptr};
  const TakenLesson* const lesson = in.lessons.taken();
  if (!lesson) return now;
  now.known = lesson->may_continue();
  now.waits = in.lessons.warned() || in.lessons.leaving();
  now.page = lesson->open();
  now.tries = lesson->mark().tries;
  return now;
}

// A key is echoed when something changes within a few frames of it.
void Lecture::hear(const ui::Ui& ui, const PanelInput& in) {
  constexpr int kPatience = 8;
  if (heard_ != ui.last_key()) {
    heard_ = ui.last_key();
    echoed_.clear();
    patience_ = heard_ == "F5" ? 0 : kPatience;
  }
  State now = state_of(in);
  if (patience_ > 0 && now != state_) echoed_ = heard_;
  state_ = std::move(now);
  const TakenLesson* const lesson = in.lessons.taken();
  if (patience_ > 0 && !in.session.working() && !(lesson && !lesson->ready())) --patience_;
}

// The next part, or the one before, by what a presenter's remote sends.
void Lecture::turn_view(ui::Ui& ui, const PanelInput& in) {
  if (!hears || ui.popup.is_open() || ui.shift()) return;
  const int by = (ui.pressed(ui::Key::page_down) ? 1 : 0) - (ui.pressed(ui::Key::page_up) ? 1 : 0);
  const std::string view = by == 0 ? "" : view_beside(in.view_name, by);
  if (!view.empty()) ui.push(OpenView{view});
}

void Lecture::lesson_page(ui::Ui& ui, const PanelInput& in, TakenLesson& lesson, Point window) {
  take_lecture_keys(ui, lesson);
  const LectureBands bands = lecture_bands(window);
  head(ui, in, bands.head);
  draw_lecture_page(ui, in, lesson, bands, training_);
  in.lessons.draw_targets(ui, false);
  lesson_foot(ui, in, lesson, bands.foot);
}

// The part that a lesson shows too, below whose it is; two of it where two Scenes are compared.
void Lecture::plain(ui::Ui& ui, const PanelInput& in, Point window) {
  constexpr float kSide = 32 * kLecturePx, kCaption = 2 * 12 * kLineHeight + 16;
  head(ui, in, {0, 0, window.x, kLectureHead});
  if (!typing_) turn_view(ui, in);
  const Rect room{kSide, kLectureHead, window.x - 2 * kSide, window.y - kLectureHead - kLectureFoot};
  if (in.view && in.input) {
    // Nobody sees its controls: they hear their keys.
    draw_unseen_controls(ui, *in.view, *in.input);
    draw_lecture_picture(ui, in, {room.x, room.y + kCaption, room.width, room.height - kCaption - 12}, "");
    caption(ui, in, {room.x, room.y + 8, room.width, kCaption - 16});
  } else {
    ui.canvas().text(window * 0.5f, "One moment…", styles::center(styles::title(in.theme)));
  }
  foot(ui, in, {0, window.y - kLectureFoot, window.x, kLectureFoot});
}

// What is drawn: the view's own words for that part; while it is computed, which this does not wait for,
// those before, or what such a view shows.
void Lecture::caption(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  const auto entry = std::ranges::find(view_table(), in.view_name, &ViewEntry::name);
  if (caption_of_ != in.view_name) caption_ = entry == view_table().end() ? "" : entry->words;
  caption_of_ = in.view_name;
  try {
    if (!in.view->traits().busy)
      caption_ = with_panel(*in.view, lecture_part(in.view_name))->caption(*in.input);
  } catch (const std::exception&) {
    return;  // the picture below says what is wrong
  }
  const TextStyle style = lecture_line_style(in.theme);
  float y = rect.y + 12 * kLineHeight / 2;
  for (const std::string& line : cut_to_lines(ui.canvas(), caption_, style, rect.width, 2)) {
    ui.canvas().text({rect.x, y}, line, style);
    y += 12 * kLineHeight;
  }
  ui.note(rect, "lecture caption", caption_);
}

void Lecture::head(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel});
  canvas.line({0, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  TakenLesson* const lesson = in.lessons.taken();
  const std::string words = lesson ? "" : "Lecture mode";
  const std::string leave = lesson ? lesson_words("F5 leaves", lesson->language()) : "F5 leaves";
  const float side = lesson ? 32 * kLecturePx : kLectureSide, leaves = ui.text_width(leave, 12);
  if (LinkButton(ui, {rect.right() - side - leaves, rect.center().y - 10}, leave,
                 {.id = "Leave lecture mode"}))
    on = false;
  canvas.text({rect.right() - side - leaves - 14, rect.center().y}, words, styles::right(styles::caption(t)));
  std::string name = in.session.title().name;
  if (lesson)
    name = lesson_words("Lesson ", lesson->language()) + std::to_string(in.lessons.number() + 1) + ": " +
           lesson->lesson().title.in(lesson->language());
  const TextStyle style{.font = Font::semibold, .size = lesson ? 12.0f : 14.0f, .color = t.ink};
  const float room = rect.width - 2 * side - leaves - 30 - canvas.measure(words, styles::caption(t)).x;
  canvas.text({side, rect.center().y}, elided(canvas, name, style, room), style);
  ui.note({side, rect.y, room, rect.height}, "lecture title", name);
}

// In place of the keys, from the key on to Enter or Escape; false: nobody writes.
bool Lecture::sentence_field(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  const bool there = in.result && !in.result->scene.sentences.empty();
  if (!typing_ && there && ui.take_typed('/'))
    typing_ = in.result->scene.sentences.front().source, begins_ = true;
  if (!typing_) return false;
  const ui::FieldEvent event =
      TextField(ui, rect, "Lecture sentence", *typing_, {.focus = std::exchange(begins_, false)});
  if (event == ui::FieldEvent::entered && !typing_->empty()) ui.push(SetSource{*typing_});
  if (event == ui::FieldEvent::entered || event == ui::FieldEvent::left) typing_.reset(), ui.ask_frame(0);
  return true;
}

// The last key that was pressed, and what it did; returns where it ends.
float Lecture::echo(ui::Ui& ui, const Theme& t, Point at, const std::string& what, const std::string& words,
                    const std::string& nothing) {
  if (echoed_.empty()) return at.x;
  Canvas& canvas = ui.canvas();
  const float x = at.x + lecture_key(canvas, t, at, echoed_, true) + 8;
  const std::string shown = what.empty() ? nothing : words + what;
  canvas.text({x, at.y}, shown, styles::caption(t));
  ui.note({at.x, at.y - 10, 160, 20}, "lecture key", echoed_ + ", " + shown);
  return x + canvas.measure(shown, styles::caption(t)).x + 24;
}

void Lecture::lesson_foot(ui::Ui& ui, const PanelInput& in, const TakenLesson& lesson, const Rect& rect) {
  constexpr float kBar = 6 * kLecturePx, kGap = 8 * kLecturePx, kSide = 32 * kLecturePx;
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel});
  const std::size_t count = lesson.lesson().pages.size();
  const float width = (rect.width - kGap * static_cast<float>(count - 1)) / static_cast<float>(count);
  for (std::size_t i = 0; i < count; ++i)
    canvas.rectangle({static_cast<float>(i) * (width + kGap), rect.y, width, kBar},
                     {.fill = i <= lesson.open() ? t.ink : t.control});
  const float middle = rect.y + kBar + (rect.height - kBar) / 2;
  if (sentence_field(ui, in, {kSide, middle - 18, rect.width - 2 * kSide, 36})) return;
  const auto say = [&](std::string_view words) { return lesson_words(words, lesson.language()); };
  const std::string page =
      say("Page ") + std::to_string(lesson.open() + 1) + say(" of ") + std::to_string(count);
  const TextStyle style{.font = Font::semibold, .size = 12, .color = t.ink};
  canvas.text({kSide, middle}, page, style);
  ui.note({kSide, middle - 10, 80, 20}, "lecture page", page);
  const float echoed =
      echo(ui, t, {kSide + canvas.measure(page, style).x + 18, middle},
           lesson_key_words(echoed_, lesson, in.lessons.next().has_value()), "", say("pressed"));
  draw_hints(canvas, t, echoed, {rect.right() - kSide, middle}, lesson_hints(in, lesson));
  const std::vector<LessonCurve> own = lesson.ready() ? std::vector<LessonCurve>() : lesson.trainings();
  const auto training = own.empty() ? lesson.training_ahead() : own.front();
  if (!training || training->steps <= 0) return;
  const std::string words = say("A model of this lesson trains: step ") +
                            format_count(std::ssize(training->losses)) + say(" of ") +
                            format_count(training->steps);
  canvas.text({kSide, rect.bottom() - 9}, words, styles::caption(t));
  ui.note({kSide, rect.bottom() - 18, 200, 18}, "lecture training", words);
  ui.ask_frame(0.2);
}

void Lecture::foot(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.rectangle(rect, {.fill = t.panel});
  canvas.line({0, rect.y + 0.5f}, {rect.right(), rect.y + 0.5f}, {.color = t.border});
  const float second = rect.bottom() - 22;
  if (in.result && !in.result->scene.sentences.empty()) {
    const std::string words = in.result->scene.sentences.front().source + " → " + in.result->translation;
    const float first = rect.y + 20;
    canvas.text({kLectureSide, first},
                elided(canvas, words, styles::heading(t), rect.width - 2 * kLectureSide), styles::heading(t));
    ui.note({kLectureSide, first - 10, rect.width - 2 * kLectureSide, 20}, "lecture sentence", words);
  }
  if (sentence_field(ui, in, {kLectureSide, second - 18, rect.width - 2 * kLectureSide, 36})) return;
  const float echoed = echo(ui, t, {kLectureSide, second}, key_words(echoed_), "pressed: ", "pressed");
  const int heads = in.session.snapshot() ? in.session.snapshot()->config.heads : 0;
  draw_hints(canvas, t, echoed, {rect.right() - kLectureSide, second}, view_hints(in, heads));
}

}  // namespace glassformer
