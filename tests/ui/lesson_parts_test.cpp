// Parts of views that a lecture shows: large type on a screen of 1024 x 768.
#include <doctest/doctest.h>

#include <algorithm>

#include "app/views/block/block.h"
#include "app/views/common/stage_text.h"
#include "app/views/view_table.h"
#include "app/views/walk/walk.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {

namespace {

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

}  // namespace

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
    const RecordingCanvas canvas = part_drawn(view, "step", scene.input());
    CHECK(std::ranges::any_of(canvas.texts, [](const RecordingCanvas::Text& each) {
      return each.text.find("row 0, column 0") != std::string::npos;
    }));
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

}  // namespace glassformer
