// A homework from the first screen to its report, and what keys do in a lecture.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "app/lessons/lesson_reader.h"
#include "app/lessons/page_names.h"
#include "app/lessons/pin_line.h"
#include "app/panels/lecture_picture.h"
#include "app/session/paths.h"
#include "app/views/common/stage_text.h"
#include "engine/files/read_file.h"
#include "engine/files/text_file.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/small_program.h"

namespace glassformer::homework_test {

// ---- A homework from the first screen to its report: train, see which heads can go, hand in.

// A press of mouse or key outside a field is one, one typed text is one, waiting none.
struct Counted {
  OffscreenProgram& program;
  int presses = 0;

  void click(const std::string& label) {
    CAPTURE(label);
    ++presses;
    glassformer::click(program, label);
  }
  void press(ui::Key key) {
    ++presses;
    glassformer::press(program, key);
  }
  void type(const std::string& field, const std::string& text) {
    CAPTURE(field);
    ++presses;
    glassformer::type(program, field, text);
  }
};

TEST_CASE(
    "training add, which of its heads can go and a report of it take at most twelve presses, all columns one "
    "more") {
  const Home& home = home_of_test();
  setenv("HOME", home.scratch.path("").c_str(), 1);
  SettledProgram program({.quiet = true, .keep_runs = true, .threads = 1});
  Counted hand{program};
  hand.click("File");
  hand.click("New model…");
  hand.click("Learns from");
  hand.click("Task: add");
  // The usual size has two layers a side and four heads; fewer steps than usual, for this test alone.
  hand.click("Every option…");
  CHECK(program.text("Encoder layers") == "2");
  CHECK(program.text("Decoder layers") == "2");
  CHECK(program.text("Heads") == "4");
  hand.type("Steps (0: no end)", "60");
  hand.click("Train it");
  REQUIRE(program.wait([&] { return program.session().run().phase == RunPhase::stopped; }, 120));
  REQUIRE(program.settle());
  hand.press(ui::Key::find);
  hand.type("Find", "head rep");
  hand.press(ui::Key::enter);
  REQUIRE(program.wait([&] { return program.find("All columns").has_value(); }, 240));
  hand.press(ui::Key::report);
  hand.click("Write the report");
  REQUIRE(program.wait([&] { return !program.text("report done").empty(); }, 240));
  CHECK(hand.presses <= 12);
  const std::string folder = home.scratch.path("report");
  const std::string page = read_file(folder + "/report.md");
  CHECK(contains(page, "24 heads"));  // which of them can go
  const std::string numbers = read_file(folder + "/numbers/1-heads.csv");
  CHECK(contains(numbers, "cross 1, head 1"));

  // Below its rows, with the stage scrolled, every column is still one press away.
  press(program, ui::Key::escape);
  program.resize({1024, 768});
  program.frame(3);
  REQUIRE_FALSE(program.visible("All columns"));
  for (int i = 0; i < 30 && !program.visible("All columns"); ++i) {
    program.scroll({500, 400}, -3);
    program.frame(2);
  }
  click(program, "All columns");
  CHECK(program.find("sort: entropy"));
}

// ---- What keys do in a lecture, and what of it is echoed.

void wait_for_page(OffscreenProgram& program) {
  program.frame(2);
  REQUIRE(program.wait([&] {
    return !program.text("lecture question").empty() && program.text("lecture question") != "One moment…";
  }));
  REQUIRE(program.settle());
  program.frame(8);
}

void begin_keys_lecture(OffscreenProgram& program) {
  REQUIRE(program.settle());
  program.press(ui::Key::f5);
  wait_for_page(program);
}

void press_through(OffscreenProgram& program, ui::Key key) {
  program.press(key);
  wait_for_page(program);
}

TEST_CASE("a key that changes nothing on a lesson's page is not echoed, and one that does is") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "4", .threads = 1});
  begin_keys_lecture(program);
  for (const char key : {'w', 'k', '8'}) {
    CAPTURE(key);
    program.press(key);
    program.frame(10);
    CHECK(program.text("lecture key").empty());
  }
  press_through(program, ui::Key::page_down);
  CHECK(program.text("lecture key").starts_with("PgDn, "));
  program.press('k');
  program.frame(10);
  CHECK(program.text("lecture key").empty());
}

TEST_CASE("behind its last page a second PgDn opens the next lesson in the lecture, and PgUp stays") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "2", .threads = 1});
  begin_keys_lecture(program);
  LessonGuide& lessons = program.program().shell().lessons();
  for (int presses = 0; presses < 20 && !lessons.next(); ++presses)
    press_through(program, ui::Key::page_down);
  REQUIRE(lessons.next() == 2);
  press_through(program, ui::Key::page_down);
  CHECK(lessons.leaving());
  press_through(program, ui::Key::page_up);
  CHECK_FALSE(lessons.leaving());
  CHECK(lessons.next() == 2);
  press_through(program, ui::Key::page_down);
  press_through(program, ui::Key::page_down);
  REQUIRE(program.wait([&] { return program.text("lecture title").starts_with("Lesson 3: "); }));
  CHECK(program.text("lecture page").starts_with("Page 1 of "));
}

TEST_CASE("PgDn and PgUp go through the views in a lecture without a lesson") {
  SmallProgram program({.size = {1024, 768}, .view = "tokens"});
  press(program, ui::Key::f5);
  const auto caption_of = [&](ui::Key key) {
    press(program, key);
    REQUIRE(program.settle());
    return program.text("lecture caption");
  };
  const std::string tokens = program.text("lecture caption"), embedding = caption_of(ui::Key::page_down);
  CHECK(embedding != tokens);
  CHECK(program.text("lecture key").starts_with("PgDn, "));
  CHECK(caption_of(ui::Key::page_up) == tokens);
}

TEST_CASE("the list of lessons is one screen in a small window, and Escape closes it") {
  SettledProgram program({.size = {1024, 768}, .threads = 1});
  program.press('l');
  program.frame(4);
  REQUIRE(program.visible("Close the lessons"));
  const Point rest = program.program().ui().scroll.room("lessons").rest;
  CHECK(rest == Point{});
  for (const char* const row : {"lesson 1", "lesson 20"}) CHECK(program.visible(row));
  program.press(ui::Key::escape);
  program.frame(4);
  CHECK_FALSE(program.visible("Close the lessons"));
}

// ---- Where a lesson's answer is to be found is in the picture of its lecture, once the answer is there.

// Of a lecture's picture, in effective pixels.
constexpr Rect kRevealedRoom{40, 30, 576, 256};

// What a page sets up once its answer is there; nothing where that stays as it was, or trains.
std::vector<SceneLine> revealed_lines(const Lesson& lesson, std::size_t number, LessonStage& stage) {
  const LessonPage& page = lesson.pages[number];
  if (!page.question) return {};
  std::vector<SceneLine> lines = lesson.scene_of(number);
  const auto trains = [](const std::vector<SceneLine>& all) {
    return std::ranges::find(all, "train", &SceneLine::keyword) != all.end();
  };
  if (trains(lines) || trains(page.reveal)) return {};
  if (!page.reveal.empty()) return lesson.revealed_scene_of(number);
  std::vector<LessonError> errors;
  auto found = stage.page(lines, errors);
  if (!found || page.question->does) return {};
  const auto staged = std::make_shared<const StagedPage>(std::move(*found));
  const auto place = asked_place(page, *staged, PageNames(staged).answer(*page.question));
  if (!place) return {};
  lines.push_back(*place);
  return lines;
}

// The word whose row is pinned, as the picture's rows are called; empty: none is.
std::string pinned_word(const StagedPage& page) {
  const Selection& pin = page.selection;
  if (!pin.query) return {};
  const bool encoder = pin.kind == AttentionKind::encoder;
  return (encoder ? page.result->source_words
                  : page.result->target_in_words)[static_cast<std::size_t>(*pin.query)];
}

// Whole, or its beginning where the picture cuts it.
bool is_written(const RecordingCanvas& canvas, const std::string& word) {
  return std::ranges::any_of(canvas.texts, [&](const RecordingCanvas::Text& each) {
    const std::size_t cut = each.text.find("…");
    return each.text == word || contains(each.text, "“" + word + "”") ||
           (cut != std::string::npos && cut >= 2 && word.starts_with(each.text.substr(0, cut)));
  });
}

TEST_CASE("after the answer of every page of every lesson its place is in the lecture's picture") {
  LessonStage stage;
  int places = 0;
  for (const auto& entry : std::filesystem::directory_iterator(program_file("assets/lessons"))) {
    const Lesson lesson = read_lesson(read_unpacked(entry.path().string(), 1'000'000)).lesson;
    for (std::size_t number = 0; number < lesson.pages.size(); ++number) {
      CAPTURE(entry.path().filename().string());
      CAPTURE(number + 1);
      const std::vector<SceneLine> lines = revealed_lines(lesson, number, stage);
      std::vector<LessonError> errors;
      const auto page = lines.empty() ? std::nullopt : stage.page(lines, errors);
      if (!page || !page->drawn) continue;
      const auto& panel = lesson.pages[number].panel;
      const std::string part = panel ? panel->value : lecture_part(page->view);
      const std::string word = pinned_word(*page);
      // The steps of a training are worked out beside the window.
      if (part.empty() || word.empty() || page->view == "forming") continue;
      CAPTURE(page->view);
      CAPTURE(part);
      CAPTURE(word);
      RecordingCanvas canvas(light_theme(), false);
      canvas.set_least_type(12);
      page->drawn->panel(part, canvas, page->input(), kRevealedRoom.inset(-kStagePadding));
      CHECK(is_written(canvas, word));
      CHECK_MESSAGE(texts_outside(canvas, kRevealedRoom).empty(),
                    in_lines(texts_outside(canvas, kRevealedRoom)));
      ++places;
    }
  }
  CHECK(places > 20);
}

}  // namespace glassformer::homework_test
