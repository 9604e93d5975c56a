#include "app/panels/lesson_list_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/panels/styles.h"
#include "app/session/paths.h"
#include "app/widgets/marks.h"
#include "engine/math/error.h"

namespace glassformer {

namespace {

constexpr float kLessonRow = 52, kLowRow = 32, kListTop = 96, kListGap = 24, kCircle = 10;

bool is_begun(const LessonMark* mark) {
  return mark && !mark->done && (mark->page > 0 || mark->right > 0);
}

// "3 of 4 right", "page 4 of 6"; empty: not begun.
std::string state_words(const LessonMark* mark) {
  if (!mark) return {};
  if (mark->done) return std::to_string(mark->right) + " of " + std::to_string(mark->asked) + " right";
  if (!is_begun(mark)) return {};
  return "page " + std::to_string(mark->page + 1) + " of " + std::to_string(mark->pages);
}

// Ticked when done, as far round as the pages go when begun.
void draw_circle(Canvas& canvas, const Theme& t, Point at, const LessonMark* mark) {
  const bool done = mark && mark->done;
  canvas.circle(at, kCircle, done ? t.sunken : t.panel, {.color = t.control, .width = 1.5f});
  if (done) draw_mark(canvas, at, Mark::tick, t.ink, 10);
  if (!is_begun(mark)) return;
  std::array<Point, 25> arc{};
  const double share = std::clamp(double(mark->page + 1) / std::max(1, mark->pages), 0.0, 1.0);
  for (std::size_t i = 0; i < arc.size(); ++i) {
    const double angle =
        2 * std::numbers::pi * share * double(i) / double(arc.size() - 1) - std::numbers::pi / 2;
    arc[i] = {at.x + kCircle * static_cast<float>(std::cos(angle)),
              at.y + kCircle * static_cast<float>(std::sin(angle))};
  }
  canvas.polyline(arc, {.color = t.ink, .width = 3});
}

std::string minutes_words(int count) {
  return count > 0 ? std::to_string(count) + " min" : "";
}

// "~/…/lessons"
std::string own_folder_words() {
  const std::string folder = own_lessons().string(), home = expanded("~");
  return folder.starts_with(home + "/") ? "~" + folder.substr(home.size()) : folder;
}

std::size_t shipped(const std::vector<ListedLesson>& all) {
  return static_cast<std::size_t>(std::ranges::count(all, false, &ListedLesson::own));
}

// The first in the list that was begun, else the first that is not done; nothing when all are.
std::optional<std::size_t> next_lesson(const std::vector<ListedLesson>& all, const Settings& settings) {
  std::optional<std::size_t> fresh;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const LessonMark* mark = mark_of(settings, all[i]);
    if (is_begun(mark)) return i;
    if (!fresh && !all[i].own && !(mark && mark->done)) fresh = i;
  }
  return fresh;
}

}  // namespace

std::optional<LessonListPage::Wish> LessonListPage::draw(ui::Ui& ui, const PanelInput& in, const Rect& stage,
                                                         const Rect& right) {
  constexpr float kBeside = 280, kLeastList = 640;
  if (right.width <= 0 && stage.width >= kBeside + kLeastList)
    return draw(ui, in, {stage.x, stage.y, stage.width - kBeside, stage.height},
                {stage.right() - kBeside, stage.y, kBeside, stage.height});
  in.lessons.all();
  ui.ask_frame(1);
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const float close = ui.button_width("Close");
  canvas.rectangle(stage, {.fill = t.paper});
  canvas.text({stage.x + kListGap, stage.y + 22}, "Lessons", styles::heading(t));
  if (LinkButton(ui, {stage.right() - kListGap - close + 24, stage.y + 14}, "Close",
                 {.id = "Close the lessons"}))
    open = false;
  canvas.line({stage.x, stage.y + 43.5f}, {stage.right(), stage.y + 43.5f}, {.color = t.border});
  const Rect body{stage.x, stage.y + kBreadcrumb, stage.width, stage.height - kBreadcrumb};
  const Rect content = ui.scroll.begin(body, "lessons", {body.width, height_});
  float height = 0;
  std::optional<Wish> wish =
      rows(ui, in, {content.x + kListGap, content.y, body.width - 2 * kListGap, body.height}, height);
  if (right.width <= 0) {
    float below = 0;
    const auto other =
        where(ui, in, {content.x + kListGap, content.y + height + 16, body.width - 2 * kListGap, body.height},
              below);
    if (other) wish = other;
    height += below + 16;
  }
  ui.scroll.end();
  if (height != height_) ui.ask_frame(0);
  height_ = height;
  if (right.width <= 0) return wish;

  canvas.rectangle(right, {.fill = t.paper});
  canvas.line({right.x + 0.5f, right.y}, {right.x + 0.5f, right.bottom()}, {.color = t.border});
  const Rect inside = ui.scroll.begin({right.x + 1, right.y, right.width - 1, right.height}, "lessons beside",
                                      {right.width - 1, right_height_});
  float below = 0;
  const auto other =
      where(ui, in, {inside.x + kPadding - 1, inside.y, right.width - 2 * kPadding, right.height}, below);
  ui.scroll.end();
  if (below != right_height_) ui.ask_frame(0);
  right_height_ = below;
  return other ? other : wish;
}

// In two columns where there is room, and as low as the screen needs.
std::optional<LessonListPage::Wish> LessonListPage::rows(ui::Ui& ui, const PanelInput& in, const Rect& rect,
                                                         float& height) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::vector<ListedLesson>& all = in.lessons.all();
  const std::size_t count = shipped(all);
  int together = 0;
  for (std::size_t i = 0; i < count; ++i) together += all[i].read.lesson.minutes;
  canvas.text({rect.x, rect.y + 26}, "Lessons", styles::title(t));
  const std::string words =
      "Short pages that drive the program. Each asks one thing, and the engine checks the answer." +
      (together > 0 ? " " + std::to_string(together) + " minutes in all." : std::string());
  const float used = paragraph(canvas, {rect.x, rect.y + 44}, rect.width, words, styles::body_second(t));
  const float top = rect.y + std::max(kListTop, 44 + used + 16);

  const bool two = rect.width >= 640;
  const std::size_t lines = two ? (count + 1) / 2 : count;
  const float width = two ? (rect.width - kListGap) / 2 : rect.width;
  constexpr float kBelow = 56;  // what done means
  const float high = std::clamp(
      std::floor((rect.bottom() - top - kBelow) / static_cast<float>(std::max<std::size_t>(1, lines))),
      kLowRow, kLessonRow);
  std::optional<Wish> wish;
  std::optional<std::size_t> focused;
  std::size_t next = 0;  // the first that is not done
  for (std::size_t i = 0; i < count; ++i) {
    const ListedLesson& each = all[i];
    const Lesson& lesson = each.read.lesson;
    const LessonMark* mark = mark_of(in.session.settings(), each);
    const Rect row{rect.x + (two && i >= lines ? width + kListGap : 0),
                   top + high * static_cast<float>(i % lines), width, high - 4};
    const float first = row.y + row.height * 0.31f, second = row.y + row.height * 0.71f;
    const ui::Response response = ui.area(row, "lesson " + std::to_string(i + 1), "button");
    if (response.focused) focused = i;
    if (next == i && mark && mark->done) ++next;
    const bool is_open = in.lessons.taken() && in.lessons.number() == i;
    if (response.hovered || response.focused || is_open)
      canvas.rectangle(row, {.fill = response.hovered ? t.hover : Color{},
                             .outline = response.focused || is_open ? t.ink : Color{},
                             .outline_width = 2,
                             .radius = 6});
    draw_circle(canvas, t, {row.x + 16, row.center().y}, mark);
    const float x = row.x + 72, end = row.right() - 8;
    canvas.text({row.x + 58, first}, std::to_string(i + 1), styles::right(styles::number(t, 14)));
    const std::string state = state_words(mark), time = minutes_words(lesson.minutes);
    canvas.text({end, first}, time, styles::right(styles::caption(t)));
    canvas.text({end, second}, state, styles::right(styles::caption(t)));
    const TextStyle name = is_open ? styles::heading(t) : styles::body(t);
    canvas.text({x, first},
                elided(canvas, lesson.title.plain, name, end - x - 8 - canvas.measure(time, name).x), name);
    canvas.text({x, second},
                elided(canvas, lesson.about.plain, styles::caption(t),
                       end - x - 8 - canvas.measure(state, styles::caption(t)).x),
                styles::caption(t));
    if (i % lines + 1 < lines && i + 1 < count)
      canvas.line({row.x, row.bottom() + 1.5f}, {row.right(), row.bottom() + 1.5f}, {.color = t.border});
    ui.note(row, "lesson " + std::to_string(i + 1) + " state", mark && mark->done ? "done, " + state : state);
    if (response.clicked)
      wish = Wish{i, is_begun(mark) ? static_cast<std::size_t>(std::max(0, mark->page)) : 0};
  }
  if (count > 0) move_focus(ui, focused, std::min(next, count - 1), count, two ? lines : count);
  float y = top + high * static_cast<float>(lines) + 12;
  y += paragraph(canvas, {rect.x, y}, rect.width,
                 "Done means: every page seen and every question answered. Marks are kept with the settings.",
                 styles::caption(t));
  height = y + 16 - rect.y;
  return wish;
}

// The arrows go from lesson to lesson, `column` of them below each other; `next` has the keyboard when the
// list opens.
void LessonListPage::move_focus(ui::Ui& ui, std::optional<std::size_t> focused, std::size_t next,
                                std::size_t count, std::size_t column) {
  if (std::exchange(just_open_, false)) return ui.focus.on("lesson " + std::to_string(next + 1));
  if (!focused) return;
  const auto go = [&](ui::Key key, std::size_t to, bool may) {
    if (!ui.pressed(key) || !may) return;
    const std::string row = "lesson " + std::to_string(to + 1);
    ui.focus.on(row);
    ui.scroll.reveal(row);
    ui.ask_frame(0);
  };
  go(ui::Key::down, *focused + 1, *focused + 1 < count);
  go(ui::Key::up, *focused - 1, *focused > 0);
  go(ui::Key::right, *focused + column, *focused + column < count);
  go(ui::Key::left, *focused - column, *focused >= column);
}

std::optional<LessonListPage::Wish> LessonListPage::where(ui::Ui& ui, const PanelInput& in, const Rect& rect,
                                                          float& height) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::vector<ListedLesson>& all = in.lessons.all();
  const Settings& settings = in.session.settings();
  const std::size_t count = shipped(all);
  const auto done = [&](const ListedLesson& each) {
    const LessonMark* mark = mark_of(settings, each);
    return !each.own && mark && mark->done;
  };
  canvas.text({rect.x, rect.y + 22}, "Where you are", styles::heading(t));
  canvas.text({rect.right(), rect.y + 22},
              std::to_string(std::ranges::count_if(all, done)) + " of " + std::to_string(count) + " done",
              styles::right(styles::caption(t)));
  float y = rect.y + 56;
  const float dash = (rect.width - 4 * (static_cast<float>(count) - 1)) /
                     static_cast<float>(std::max<std::size_t>(1, count));
  for (std::size_t i = 0; i < count; ++i)
    canvas.rectangle({rect.x + static_cast<float>(i) * (dash + 4), y, dash, 4},
                     {.fill = done(all[i]) ? t.ink : t.border, .radius = 2});
  y += 28;

  std::optional<Wish> wish;
  if (const auto next = next_lesson(all, settings)) {
    const Lesson& lesson = all[*next].read.lesson;
    const LessonMark* mark = mark_of(settings, all[*next]);
    const auto page = is_begun(mark) ? std::min(static_cast<std::size_t>(std::max(0, mark->page)),
                                                lesson.pages.empty() ? 0 : lesson.pages.size() - 1)
                                     : 0;
    canvas.text(
        {rect.x, y},
        elided(canvas, std::to_string(*next + 1) + "  " + lesson.title.plain, styles::body(t), rect.width),
        styles::body(t));
    y += 20;
    if (page < lesson.pages.size())
      canvas.text({rect.x, y},
                  elided(canvas, "page " + std::to_string(page + 1) + ": " + lesson.pages[page].title.plain,
                         styles::caption(t), rect.width),
                  styles::caption(t));
    y += 16;
    const char* const words = is_begun(mark) ? "Go on" : "Begin";
    const float width = ui.button_width(words, ui::Icon::play);
    if (PrimaryButton(ui, {rect.x, y, width, 32}, words,
                      {.icon = ui::Icon::play, .id = "Go on with the lesson"}))
      wish = Wish{*next, page};
    if (is_begun(mark) && LinkButton(ui, {rect.x + width + 16, y + 8}, "From its first page"))
      wish = Wish{*next, 0};
    y += 56;
  } else {
    canvas.text({rect.x, y}, "All lessons are done.", styles::body(t));
    y += 40;
  }
  own(ui, in, rect, y, wish);
  height = y - rect.y + 16;
  return wish;
}

void LessonListPage::own(ui::Ui& ui, const PanelInput& in, const Rect& rect, float& y,
                         std::optional<Wish>& wish) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const std::vector<ListedLesson>& all = in.lessons.all();
  const auto words = [&](const std::string& text, const TextStyle& style) {
    y += paragraph(canvas, {rect.x, y}, rect.width, text, style) + 8;
  };
  canvas.line({rect.x, y - 12}, {rect.right(), y - 12}, {.color = t.border});
  canvas.text({rect.x, y + 8}, "Teacher’s own", styles::heading(t));
  y += 28;
  for (std::size_t i = shipped(all); i < all.size(); ++i) {
    const LessonFile& read = all[i].read;
    if (!read.errors.empty()) {
      const float top = y;
      float at = top + 10;
      const TextStyle wrong{.size = 12, .color = t.wrong};
      std::string text = all[i].name();
      for (std::size_t e = 0; e < std::min<std::size_t>(read.errors.size(), 6); ++e)
        text += "\nline " + std::to_string(read.errors[e].line) + ": " + read.errors[e].problem;
      if (read.errors.size() > 6) text += "\nand " + std::to_string(read.errors.size() - 6) + " more";
      for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        at += paragraph(canvas, {rect.x + 10, at}, rect.width - 20, text.substr(from, end - from),
                        from == 0 ? styles::body(t) : wrong) +
              2;
        from = end + 1;
      }
      canvas.rectangle({rect.x, top, rect.width, at + 8 - top}, {.outline = t.wrong, .radius = 6});
      ui.note({rect.x, top, rect.width, at + 8 - top}, "errors of " + all[i].name(), text);
      y = at + 20;
      continue;
    }
    const Rect row{rect.x, y, rect.width, 40};
    const ui::Response response = ui.area(row, "own lesson " + all[i].name(), "button");
    if (response.hovered || response.focused)
      canvas.rectangle(row, {.fill = t.hover, .outline = response.focused ? t.ink : Color{}, .radius = 6});
    const std::string time = minutes_words(read.lesson.minutes);
    canvas.text({row.right(), y + 12}, time, styles::right(styles::caption(t)));
    canvas.text({row.x, y + 12}, elided(canvas, read.lesson.title.plain, styles::body(t), rect.width - 64),
                styles::body(t));
    canvas.text({row.x, y + 30}, all[i].name() + " · " + std::to_string(read.lesson.pages.size()) + " pages",
                styles::caption(t));
    if (response.clicked) wish = Wish{i, 0};
    y += 48;
  }
  words(
      "A lesson is a text file. Copy one of these and change its words: what is saved is read again at once. "
      "Your own "
      "lie in",
      styles::caption(t));
  canvas.text({rect.x, y + 2}, elided(canvas, own_folder_words(), styles::faint_number(t), rect.width),
              styles::faint_number(t));
  y += 22;
  const std::size_t from = in.lessons.taken() ? in.lessons.number() : 0;
  if (from < all.size() &&
      LinkButton(ui, {rect.x, y}, "Copy lesson " + std::to_string(from + 1) + " as a start",
                 {.id = "Copy this lesson"}))
    said_ = in.lessons.copy(from);
  y += 28;
  if (!said_.empty()) words(said_, styles::caption(t));
}

}  // namespace glassformer
