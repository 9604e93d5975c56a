// Small windows, where the stage scrolls: the buttons that step on stay in sight, and of areas that scroll
// within each other the wheel moves the inner one.
#include <doctest/doctest.h>

#include "tests/ui/small_program.h"

namespace glassformer {
namespace {

TEST_CASE("Next stays in sight and works where the stage is scrolled") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  struct Case {
    const char* view;
    const char* back;
    Point size;
    double scale;
  };
  for (const Case& each :
       {Case{"walk", "Walk back", {1024, 768}, 1}, Case{"head", "Head back", {1024, 640}, 1},
        Case{"cell", "Cell back", {1024, 768}, 1}, Case{"cell", "Cell back", {1600, 1000}, 2}}) {
    CAPTURE(std::string(each.view));
    OffscreenProgram program({.model = folder, .size = each.size, .scale = each.scale, .view = each.view});
    begin(program);
    press(program, ui::Key::end);
    REQUIRE(program.find("stage: scroll bar"));
    const auto button = program.find(each.back);
    REQUIRE(button);
    CHECK(button->visible.height == button->rect.height);
    // What the foot covers does not answer in its place.
    const std::string before = program.program().shell().view()->traits().state;
    click(program, each.back);
    if (std::string(each.view) != "cell") CHECK(program.program().shell().view()->traits().state != before);
  }
}

TEST_CASE("a row of controls that is wider than the stage begins in sight") {
  ScratchFolder scratch;
  OffscreenProgram program(
      {.model = model_folder(scratch), .size = {1024, 768}, .scale = 2, .view = "bottleneck"});
  begin(program);
  const auto train = program.find("Train the three");
  REQUIRE(train);
  CHECK(train->visible.width == doctest::Approx(train->rect.width));
}

TEST_CASE("another page of a view begins at its top") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  struct Turn {
    const char *view, *there, *back;
  };
  for (const Turn& each : {Turn{"masks", "Page: Batch", "Page: Masks"},
                           Turn{"decode", "Decode: Computed anew", "Decode: Beam"}}) {
    CAPTURE(std::string(each.view));
    OffscreenProgram program({.model = folder, .size = {1024, 768}, .scale = 2, .view = each.view});
    begin(program);
    program.program().ui().scroll.to("stage", {0, 400});
    program.frame(2);
    REQUIRE(program.program().ui().scroll.of("stage").y > 20);
    click(program, each.there);
    CHECK(program.program().ui().scroll.of("stage").y == 0);
    program.program().ui().scroll.to("stage", {0, 400});
    program.frame(2);
    click(program, each.back);
    CHECK(program.program().ui().scroll.of("stage").y == 0);
  }
}

TEST_CASE("the switch of the Masks view stands still, whatever is shown and however it is scrolled") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  for (const double scale : {1.0, 2.0}) {
    OffscreenProgram program({.model = folder, .size = {1024, 768}, .scale = scale, .view = "masks"});
    REQUIRE(program.settle());
    // The longer the sentence, the larger the matrix, until it scrolls both ways.
    std::string sentence = "the tired girl sees a red car";
    std::optional<Rect> stands;
    for (int i = 0; i < 3; ++i, sentence += " " + sentence) {
      translate(program, sentence);
      for (const char* kind : {"Masks of: Encoder", "Masks of: Decoder", "Masks of: Cross"}) {
        // Where there is no room for it keys choose, and the pages stand there alone.
        if (scale == 1) REQUIRE(program.click(kind));
        REQUIRE(program.settle());
        for (const float lines : {-4.0f, 0.0f}) {
          program.scroll({200, 200}, lines);
          program.frame(2);
          const auto found = program.find(scale == 1 ? "Masks of" : "Page");
          REQUIRE(found);
          if (!stands) stands = found->rect;
          CHECK(found->rect == *stands);
          CHECK(found->visible == found->rect);
        }
      }
    }
    CHECK(program.find("stage: scroll bar"));
  }
}

TEST_CASE("the wheel over a long table moves the table and not the stage") {
  ScratchFolder scratch;
  SampleOptions wide;
  wide.config.d_model = 128;
  OffscreenProgram program({.model = model_folder(scratch, wide), .size = {1024, 768}, .view = "cell"});
  begin(program);
  program.session().apply({SetPin{selecting({}, {"decoder.layers.0.norm1", {0, 1, 2}})}});
  REQUIRE(program.settle());
  program.session().apply({SetPin{selecting({}, {"decoder.layers.0.self_attn.query", {0, 0, 1, 2}})}});
  program.frame(3);
  REQUIRE(program.find("term 0 0"));
  const auto bar = program.find("stage: scroll bar");
  REQUIRE(bar);
  program.scroll(program.find("term 1 0")->rect.center(), -6);
  program.frame(3);
  CHECK_FALSE(program.find("term 0 0"));
  CHECK(program.find("stage: scroll bar")->rect.y == bar->rect.y);
}

}  // namespace
}  // namespace glassformer
