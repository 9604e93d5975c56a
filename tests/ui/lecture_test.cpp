// Lecture mode: large type in every view, keys that are echoed, a lesson's question for the room.
#include "app/panels/lecture.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "app/canvas/svg_canvas.h"
#include "app/panels/lecture_words.h"
#include "app/views/view_table.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("no type of any view is under 20 pixels in lecture mode at 1024 x 768") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400, 0.2);
  constexpr double kAreaWidth = 1024 / kLectureScale, kAreaHeight = (768 - 177) / kLectureScale;
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(entry.name);
    const auto view = entry.make();
    const ViewInput input = scene.input();
    const Point least = view->minimum_size(input);
    RecordingCanvas canvas(light_theme(), false);
    canvas.set_least_type(float(kLecturePixels / kLectureScale));
    view->picture(canvas, input,
                  {0, 0, std::max(float(kAreaWidth), least.x), std::max(float(kAreaHeight), least.y)});
    REQUIRE_FALSE(canvas.texts.empty());
    for (const RecordingCanvas::Text& text : canvas.texts) {
      CAPTURE(text.text);
      CHECK(double(text.style.size) * kLectureScale >= doctest::Approx(kLecturePixels));
    }
  }
}

TEST_CASE("F5 shows one panel, echoes keys, and leaves as it came") {
  SmallProgram program({.size = {1024, 768}});
  const double before = program.program().shell().scale();
  press(program, ui::Key::f5);
  CHECK(program.program().shell().scale() == doctest::Approx(kLectureScale));
  CHECK(program.visible("Leave lecture mode"));
  CHECK_FALSE(program.visible("Train"));
  CHECK(program.text("lecture sentence").starts_with("the cat sees a bird → "));
  press(program, ui::Key::down);
  CHECK(program.text("lecture key") == "↓, pressed: a layer down");
  press(program, '2');
  CHECK(program.text("lecture key") == "2, pressed: head 2");
  CHECK(program.session().pinned().head == 1);
  press(program, ui::Key::f5);
  CHECK(program.program().shell().scale() == before);
  CHECK(program.visible("Train"));
}

TEST_CASE("a key opens another head although the mouse rests on a cell") {
  SmallProgram program;
  REQUIRE(program.hover("cross layer 2 head 1 query 1 key 1"));
  program.frame(3);
  program.press('2');
  program.frame(4);
  CHECK(program.session().pinned().head == 1);
  CHECK(program.session().shown().head == 1);
  CHECK(program.visible("cross layer 2 head 2 query 1 key 1"));
}

TEST_CASE("a lesson's question stands for the room, digits answer and A reveals") {
  SettledProgram program({.size = {1024, 768}, .threads = 1});
  click(program, "Lessons");
  std::string line;
  for (const std::string& label : program.labels())
    if (contains(label, "From encoder to decoder")) line = label;
  REQUIRE(program.click(line));
  REQUIRE(program.wait([&] { return !program.text("lesson question").empty(); }));
  press(program, ui::Key::f5);
  CHECK(program.text("lecture title") == "Lesson 12: From encoder to decoder");
  CHECK(program.text("lecture page") == "Page 1 of 6");
  const auto ready = [&] { return program.text("lecture question") != "One moment…"; };
  REQUIRE(program.wait(ready));
  press(program, 'a');
  press(program, ui::Key::page_down);
  REQUIRE(program.wait(ready));
  CHECK(program.text("lecture page") == "Page 2 of 6");
  // With a remote alone: it reveals before it continues.
  press(program, ui::Key::page_down);
  CHECK(program.text("lecture page") == "Page 2 of 6");
  CHECK_FALSE(program.text("lecture answer").empty());
  program.press(ui::Key::page_down);
  REQUIRE(program.wait(
      [&] { return program.text("lecture page") == "Page 3 of 6" && program.visible("answer 2"); }));
  REQUIRE(program.settle());
  press(program, '1');
  CHECK_FALSE(program.text("lecture answer").empty());
  CHECK_FALSE(contains(program.text("lecture answer"), "gets"));
  press(program, '2');
  CHECK(program.text("lecture answer").starts_with("“tired” gets "));
}

namespace {

// A lesson's first page in a lecture of 1024 x 768, once its question is there.
void begin_lecture(OffscreenProgram& program) {
  REQUIRE(program.settle());
  press(program, ui::Key::f5);
  REQUIRE(program.wait([&] {
    return !program.text("lecture question").empty() && program.text("lecture question") != "One moment…";
  }));
  REQUIRE(program.settle());
  program.frame(8);
}

void turn(OffscreenProgram& program, ui::Key key) {
  press(program, key);
  REQUIRE(program.wait([&] { return program.text("lecture question") != "One moment…"; }));
  REQUIRE(program.settle());
  program.frame(8);
}

}  // namespace

TEST_CASE("a lesson's page is one screen that stays where it is, with at most two presses a page") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  begin_lecture(program);
  const Rect question = program.find("lecture question")->rect, line = program.find("lecture text")->rect;
  const Rect seen = program.find("lecture title")->rect;
  for (int page = 1; page <= 6; ++page) {
    CAPTURE(page);
    CHECK(program.text("lecture page") == "Page " + std::to_string(page) + " of 6");
    CHECK(program.text("lecture answer").empty());
    CHECK_FALSE(program.text("lecture text").empty());
    CHECK(program.find("lecture question")->rect == question);
    turn(program, ui::Key::page_down);
    REQUIRE(program.wait([&] { return !program.text("lecture answer").empty(); }));
    CHECK(program.text("lecture page") == "Page " + std::to_string(page) + " of 6");
    CHECK(program.find("lecture question")->rect == question);
    CHECK(program.find("lecture text")->rect == line);
    CHECK(program.find("lecture title")->rect == seen);
    CHECK_FALSE(program.visible("Query"));  // none of the view's controls
    // What was to be done is done, by the page's reveal lines.
    if (page == 2) CHECK(program.text("lecture answer").starts_with("At 12.0 it answers 48"));
    if (page == 4) CHECK(contains(program.text("lecture answer"), "At 14.5 "));
    if (page == 6) break;
    turn(program, ui::Key::page_down);
  }
  // The row that was asked for is open, at the word that is the answer: “tired”.
  CHECK(program.wait([&] { return program.session().pinned().key == 1; }));
  CHECK(program.session().pinned().query == 2);
}

TEST_CASE("PgUp takes one press of a lecture back: it covers the answer, then turns the page") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "13", .threads = 1});
  begin_lecture(program);
  for (int presses = 0; presses < 7; ++presses) turn(program, ui::Key::page_down);
  REQUIRE(program.text("lecture page") == "Page 4 of 6");
  REQUIRE_FALSE(program.text("lecture answer").empty());
  CHECK(program.session().pinned().query == 4);
  CHECK(program.session().pinned().key == 5);
  turn(program, ui::Key::page_up);
  CHECK(program.text("lecture page") == "Page 4 of 6");
  CHECK(program.text("lecture answer").empty());
  CHECK(program.session().pinned().key != 5);
  turn(program, ui::Key::page_up);
  CHECK(program.text("lecture page") == "Page 3 of 6");
  CHECK_FALSE(program.text("lecture answer").empty());
  // L opens the list of lessons.
  press(program, 'l');
  CHECK_FALSE(program.visible("Leave lecture mode"));
}

TEST_CASE("the step that a lesson's page sets is taken in a lecture, and what it covers is covered") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "5", .threads = 1});
  begin_lecture(program);
  for (int presses = 0; presses < 6; ++presses) turn(program, ui::Key::page_down);
  REQUIRE(program.text("lecture page") == "Page 4 of 6");
  CHECK(program.program().ui().by_name.left().empty());
  CHECK(program.visible("head D 0 0"));  // the step's dot products
  CHECK(program.text("covered: row") == "\"voit\"");
  CHECK_FALSE(program.visible("Head next"));  // none of the transport
  turn(program, ui::Key::page_down);
  CHECK_FALSE(program.find("covered: row"));
  CHECK(program.visible("head D 4 6"));
}

TEST_CASE("a lecture shows the step of the Walk that a page sets, when it is opened and when it is turned") {
  OffscreenProgram program({.size = {1024, 768}, .lesson = "17", .threads = 1});
  begin_lecture(program);
  CHECK(program.program().ui().by_name.left().empty());
  CHECK_FALSE(program.visible("walk input 3 0 0"));
  turn(program, ui::Key::page_down);
  turn(program, ui::Key::page_down);
  REQUIRE(program.text("lecture page") == "Page 2 of 7");
  CHECK(program.program().ui().by_name.left().empty());
  CHECK(program.visible("walk input 3 0 0"));  // the factor, the mean and how many steps
}

TEST_CASE("what a lecture's page cannot hold is a notice, and is cut at a sentence") {
  const SvgCanvas canvas(light_theme(), find_font_files(), {});
  const std::string sentence = "Some words that go on for a while and then come to an end with a full stop.";
  const std::string text = sentence + " " + sentence + " " + sentence + " " + sentence;
  const TextStyle style = lecture_line_style(light_theme());
  const auto lines = cut_to_lines(canvas, text, style, 576, 2);
  REQUIRE(lines.size() == 2);
  CHECK(lines.back().ends_with("stop. …"));
  CHECK(first_sentence(text) == sentence + " …");
  CHECK(first_sentence(sentence) == sentence);
  CHECK(first_sentence("It is 0.5 at 3.") == "It is 0.5 at 3.");
  AnsweredPage page{
      .number = 1, .title = {}, .texts = {text}, .question = "What is it?", .value = one_number(0)};
  LessonPage written;
  written.texts.push_back({.line = 3, .plain = text, .translated = {}});
  CHECK(lecture_notices(canvas, page, written, "").empty());
  page.lecture = text;
  written.lecture = {.line = 7, .plain = text, .translated = {}};
  const auto notices = lecture_notices(canvas, page, written, "");
  REQUIRE(notices.size() == 1);
  CHECK(notices.front().line == 7);
  CHECK(notices.front().problem.starts_with("lecture needs "));
}

TEST_CASE("choices and a hint without room on a lecture's page are notices, and those with room are none") {
  const SvgCanvas canvas(light_theme(), find_font_files(), {});
  const auto notices = [&](const std::vector<std::string>& choices, const std::string& hint) {
    AnsweredPage page{.number = 1, .title = {}, .texts = {}, .question = "Which?", .value = one_number(0)};
    LessonPage written;
    written.question.emplace();
    written.question->text = {.line = 4, .plain = "Which?", .translated = {}};
    written.question->kind = AnswerKind::choice;
    written.question->answer_line = 5;
    for (const std::string& choice : choices)
      written.question->choices.push_back({.line = 5, .plain = choice, .translated = {}});
    written.question->hint = {.line = 6, .plain = hint, .translated = {}};
    page.choices = choices;
    page.answer = choices.front();
    page.hint = hint;
    return lecture_notices(canvas, page, written, "");
  };
  const std::string hint = "Look at the third row of the picture.";
  CHECK(notices({"yes", "no"}, hint).empty());
  const auto long_hint = notices({"yes", "no"}, hint + " " + hint + " " + hint + " " + hint);
  REQUIRE(long_hint.size() == 1);
  CHECK(long_hint.front().line == 6);
  CHECK(long_hint.front().problem.starts_with("after a wrong answer the hint needs 2 lines"));
  const std::string choice = "a choice of so many words that two of them have no room beside each other";
  CHECK(notices({choice, choice + "!"}, hint).empty());
  const auto wide = notices({choice, choice + "!", choice + "?"}, hint);
  REQUIRE(wide.size() == 1);
  CHECK(wide.front().line == 5);
  CHECK(wide.front().problem.starts_with("the choices need more than the 2 lines"));
  const auto many = notices({"a", "b", "c", "d", "e", "f", "g", "h", "i"}, hint);
  REQUIRE(many.size() == 1);
  CHECK(many.front().problem.starts_with("9 choices, and a lecture has digits for 8"));
}

TEST_CASE("the type of a lecture grows with the window, and is never smaller than at 1024 x 768") {
  CHECK(lecture_scale({}) == doctest::Approx(kLectureScale));
  CHECK(lecture_scale({800, 600}) == doctest::Approx(kLectureScale));
  CHECK(lecture_scale({1024, 2000}) == doctest::Approx(kLectureScale));
  CHECK(lecture_scale({20000, 20000}) == doctest::Approx(4));
  ScratchFolder scratch;
  const std::string model = model_folder(scratch);
  for (const auto& [size, sixths] : {std::pair{Point{1600, 1000}, 13}, std::pair{Point{1920, 1080}, 14}}) {
    OffscreenProgram program({.model = model, .size = size});
    begin(program);
    const double before = program.program().shell().scale();
    program.press(ui::Key::f5);
    program.frame(4);
    CHECK(program.program().shell().scale() == doctest::Approx(sixths / 6.0));
    CHECK(double(program.program().shell().least_type()) == doctest::Approx(kCaptionSize));
    const auto caption = program.find("lecture caption");
    REQUIRE(caption);
    CHECK(caption->rect.right() <= size.x);
    press(program, ui::Key::f5);
    CHECK(program.program().shell().scale() == before);
  }
}

TEST_CASE("every view has a lecture form: its usual part on one screen, legible, with words that say whose") {
  ScratchFolder scratch;
  const std::string model = model_folder(scratch);
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(entry.name);
    OffscreenProgram program({.model = model, .size = {1024, 768}, .view = entry.name});
    begin(program);
    press(program, ui::Key::f5);
    REQUIRE(program.settle());
    CHECK_FALSE(program.text("lecture caption").empty());
    const auto words = program.find("lecture caption"), leaves = program.find("Leave lecture mode"),
               foot = program.find("lecture sentence");
    REQUIRE(words);
    CHECK(words->rect.y >= leaves->rect.bottom());
    if (foot) CHECK(words->rect.bottom() < foot->rect.y);
    CHECK(program.program().ui().scroll.room("lecture").rest == Point{});
    CHECK(program.text("stage error").empty());
    const auto view = entry.make();
    CHECK(std::ranges::count(view->traits().panels, entry.part) == 1);
    press(program, ui::Key::f5);
    CHECK(program.visible("Train"));
  }
}

TEST_CASE("keys of a view are heard in a lecture that shows a part of it") {
  SmallProgram program({.size = {1024, 768}, .view = "head"});
  press(program, ui::Key::f5);
  const std::string before = program.text("lecture caption");
  const std::string state = program.program().shell().view()->traits().state;
  press(program, ui::Key::right);
  CHECK(program.program().shell().view()->traits().state != state);
  CHECK(program.text("lecture key") == "→, pressed: one on");
  CHECK_FALSE(before.empty());
}

TEST_CASE("in a lecture both sentences that a lesson compares are shown") {
  SettledProgram program({.size = {1024, 768}, .lesson = "11", .threads = 1});
  press(program, ui::Key::f5);
  for (int presses = 0; presses < 60 && program.text("lecture page") != "Page 6 of 7"; ++presses) {
    REQUIRE(program.wait([&] { return program.text("lecture question") != "One moment…"; }));
    press(program, ui::Key::page_down);
  }
  REQUIRE(program.text("lecture page") == "Page 6 of 7");
  REQUIRE(program.wait([&] { return contains(program.text("second of two"), "blue ball"); }));
  CHECK(contains(program.text("first of two"), "red car"));
  // The key continues from there, wherever the mouse is.
  const auto second = program.find("second of two");
  REQUIRE(second);
  program.move({second->rect.center().x, second->rect.bottom() + 60});
  press(program, ui::Key::page_down);
  CHECK_FALSE(program.text("lecture answer").empty());
}

}  // namespace glassformer
