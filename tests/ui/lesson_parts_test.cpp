// Parts of views that a lesson shows, page by page.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "app/views/block/block.h"
#include "app/views/common/stage_text.h"
#include "app/views/view_table.h"
#include "app/views/walk/walk.h"
#include "app/widgets/explained_words.h"
#include "tests/session/session_helpers.h"
#include "tests/ui/lookup_helpers.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer::lesson_parts_test {

// ---- Parts of views that a lecture shows: large type on a screen of 1024 x 768.

// Of a lecture's picture, in effective pixels, and its least type.
constexpr Rect kLectureRoom{40, 30, 576, 256};

RecordingCanvas part_drawn(const View& view, const std::string& part, const ViewInput& input) {
  RecordingCanvas canvas;
  canvas.set_least_type(12);
  view.panel(part, canvas, input, kLectureRoom.inset(-kStagePadding));
  CAPTURE(part);
  CHECK_FALSE(canvas.texts.empty());
  CHECK_MESSAGE(texts_outside(canvas, kLectureRoom).empty(), in_lines(texts_outside(canvas, kLectureRoom)));
  CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
  CHECK_MESSAGE(texts_on_curves(canvas).empty(), in_lines(texts_on_curves(canvas)));
  return canvas;
}

TEST_CASE("the usual part of every view is legible in a lecture, before there is a run and with one") {
  for (const bool run : {false, true}) {
    SampleScene scene = make_sample_scene();
    if (run) add_run(scene, 400);
    for (const ViewEntry& entry : view_table()) {
      CAPTURE(run);
      CAPTURE(std::string(entry.name));
      const auto view = entry.make();
      REQUIRE(std::ranges::count(view->traits().panels, entry.part) == 1);
      for (const std::string& part : view->traits().panels) CHECK(part.find(' ') == std::string::npos);
      if (std::string_view(entry.name) == "decode") continue;  // its tree has tests of its own
      view->finish(scene.input());
      part_drawn(*view, entry.part, scene.input());
    }
  }
}

TEST_CASE("every step of a block is legible in a lecture, with a word a row") {
  const SampleScene scene = make_sample_scene();
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::cross}) {
    SampleScene of = scene;
    Selection selection = scene.shown;
    selection.kind = kind;
    of.pin(selection);
    BlockView view;
    for (int stage = 0; stage < view.step_count(of.input()); ++stage) {
      CAPTURE(stage);
      view.show_step(of.input(), stage);
      const RecordingCanvas canvas = part_drawn(view, "step", of.input());
      CHECK(canvas.find(kind == AttentionKind::encoder ? "girl" : "fille") != nullptr);
    }
  }
}

TEST_CASE("what Adam does to a weight is legible in a lecture, and says of which") {
  const SampleScene scene = make_sample_scene();
  WalkView view;
  const int count = view.step_count(scene.input());
  REQUIRE(count > 6);
  for (int step = count - 6; step < count; ++step) {
    CAPTURE(step);
    view.go_to(step);
    CHECK(says(part_drawn(view, "step", scene.input()), "row 0, column 0"));
  }
}

TEST_CASE("the rate, the steps of a head and a lookup are legible in a lecture") {
  SampleScene scene = make_sample_scene();
  CHECK(part_drawn(*make_view("lookup"), "curve", scene.input()).find("temperature 1") != nullptr);
  const RecordingCanvas words = part_drawn(*make_view("lookup"), "words", scene.input());
  CHECK(words.find("score") != nullptr);
  CHECK(words.find("<eos>") != nullptr);
  CHECK(part_drawn(*make_view("forming"), "steps", scene.input()).find("fille") != nullptr);
  add_run(scene, 400);
  const auto schedule = make_view("schedule");
  const RecordingCanvas rate = part_drawn(*schedule, "learning-rate", scene.input());
  CHECK(rate.find("Learning rate") != nullptr);
  // What is only proposed beside the run's own stays away.
  CHECK(rate.find("1 noam") == nullptr);
  CHECK(rate.find("1 cosine") == nullptr);
  CHECK(schedule->numbers(scene.input()).front().columns.size() == 2);
  REQUIRE(schedule->open_panel("learning-rate"));
  CHECK(schedule->numbers(scene.input()).front().columns.size() == 1);
}

// ---- The first lesson page by page: what its view shows so far, and what waits.

// Words on the stage that are no plain English: each says under the mouse what it is.
std::set<std::string> field_words(OffscreenProgram& program) {
  std::set<std::string> words;
  for (const std::string& label : program.labels())
    if (label.starts_with("what is ")) words.insert(label.substr(8, label.find(" at ") - 8));
  return words;
}

void open_page(OffscreenProgram& program, int page) {
  if (page > 1) {
    if (program.visible("Go on without it"))
      REQUIRE(program.click("Go on without it"));
    else if (!program.find("Next page")->enabled)
      FAIL("the page is neither answered nor left");
    program.frame(3);
    REQUIRE(program.click("Next page"));
  }
  REQUIRE(
      program.wait([&] { return program.text("lesson page") == "Page " + std::to_string(page) + " of 6"; }));
  REQUIRE(program.wait([&] { return program.visible("lesson question"); }));
  REQUIRE(program.settle());
  program.frame(8);
}

void answer_page(OffscreenProgram& program, int page) {
  if (page == 1) REQUIRE(program.click("3  the guests at lunch"));
  if (page == 3) {
    REQUIRE(program.type("Your answer", "34"));
    program.press(ui::Key::enter);
  }
  program.frame(4);
}

bool shows(OffscreenProgram& program, const char* word) {
  return field_words(program).contains(word);
}

TEST_CASE("lesson 1 shows six dots first, and each page what its text has introduced") {
  for (const Point size : {Point{1024, 768}, Point{1600, 1000}}) {
    renew_home();
    SettledProgram program({.size = size, .lesson = "1", .threads = 1});
    const std::set<std::string> none, argmax{"Q", "argmax"}, softmax{"Q", "argmax", "softmax", "weight"},
        slopes{"Q", "argmax", "softmax", "weight", "slope"}, words{"Q", "score", "weight"},
        warm{"Q", "argmax", "softmax", "weight", "slope", "temperature"};
    const std::array pages{none, argmax, softmax, slopes, warm, words};
    for (int page = 1; page <= 6; ++page) {
      CAPTURE(page);
      CAPTURE(size.x);
      open_page(program, page);
      CHECK(program.visible("Query") == (page < 6));
      CHECK(program.visible("facts chart") == (page < 6));
      CHECK(program.visible("fact coffee") == (page >= 3 && page < 6));
      CHECK(program.visible("Temperature") == (page == 5));
      for (const char* const control : {"Lookup", "Whose attention", "English sentence"})
        CHECK_FALSE(program.visible(control));
      CHECK(program.visible("Show all of it"));
      std::string found;
      for (const std::string& word : field_words(program)) found += word + " ";
      CAPTURE(found);
      CHECK(field_words(program) == pages[static_cast<std::size_t>(page - 1)]);
      answer_page(program, page);
    }
  }
}

TEST_CASE("the last page shows a score and a weight of each word, and what is behind them a click later") {
  SettledProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  for (int page = 1; page <= 6; ++page) {
    open_page(program, page);
    if (page < 6) answer_page(program, page);
  }
  CHECK(program.text("lookup row") == "la");
  REQUIRE(program.click("Next word"));
  REQUIRE(program.settle());
  CHECK(program.text("lookup row") == "fille");
  CHECK(program.visible("lookup word 0"));
  CHECK_FALSE(program.visible("lookup key 0"));
  REQUIRE(program.click("Show all of it"));
  program.frame(4);
  for (const char* const shown : {"Lookup", "Whose attention", "English sentence", "Temperature"})
    CHECK(program.visible(shown));
  for (const char* const word : {"Q", "K", "V", "key", "value", "score", "softmax"})
    CHECK(shows(program, word));
}

TEST_CASE("at its end a lesson says what there was to learn, and Page Up leads to its last page") {
  SettledProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  for (int page = 1; page <= 6; ++page) {
    open_page(program, page);
    if (page < 6) answer_page(program, page);
  }
  REQUIRE(program.type("Your answer", "tired"));
  program.press(ui::Key::enter);
  program.frame(4);
  program.press(ui::Key::page_down);
  REQUIRE(program.wait([&] { return program.visible("learned"); }));
  CHECK(program.text("learned").starts_with("To look up softly is to blend all facts"));
  program.press(ui::Key::page_up);
  program.frame(4);
  CHECK(program.text("lesson page") == "Page 6 of 6");
  CHECK_FALSE(program.visible("learned"));
}

TEST_CASE("the dots of the first page can be asked by hand, and nothing moves while that is done") {
  SettledProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  open_page(program, 1);
  const Rect chart = program.find("facts chart")->rect;
  CHECK(program.program().shell().view()->traits().state.starts_with("facts, hour 11.0"));
  REQUIRE(program.click("facts chart"));  // at its middle
  program.frame(2);
  CHECK(program.program().shell().view()->traits().state.starts_with("facts, hour 15.0"));
  CHECK(program.find("facts chart")->rect == chart);
}

TEST_CASE("all of the view is one click away on its page, and outside of lessons it is whole") {
  SettledProgram program({.size = {1024, 768}, .lesson = "1", .threads = 1});
  open_page(program, 1);
  REQUIRE(program.click("Show all of it"));
  program.frame(4);
  for (const char* const word : {"Q", "K", "V", "score", "softmax", "temperature"})
    CHECK(shows(program, word));
  for (const char* const control : {"Query", "Temperature", "Lookup", "English sentence", "fact coffee"})
    CHECK(program.visible(control));
  CHECK_FALSE(program.visible("Show all of it"));
  answer_page(program, 1);
  open_page(program, 2);
  CHECK_FALSE(shows(program, "softmax"));
  CHECK(program.visible("Show all of it"));
  REQUIRE(program.click("Leave the lesson"));
  REQUIRE(program.settle());
  program.program().shell().apply({OpenView{"lookup"}}, 0);
  program.frame(4);
  CHECK(program.visible("Lookup"));
  CHECK(shows(program, "softmax"));
}

TEST_CASE("words of the field have an explanation of one or two lines") {
  for (const char* const word : {"query", "key", "value", "score", "softmax", "argmax", "temperature",
                                 "slope", "gradient", "loss", "head", "<eos>"}) {
    CAPTURE(word);
    CHECK_FALSE(explained(word).empty());
    CHECK(std::ranges::count(explained(word), '\n') <= 1);
  }
  CHECK(explained("coffee").empty());
}

}  // namespace glassformer::lesson_parts_test
