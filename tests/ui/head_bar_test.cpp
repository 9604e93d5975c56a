// The head bar: whose loss stands beside the step, and what is said of a model that learns on.
#include <doctest/doctest.h>

#include "app/format/number_format.h"
#include "app/session/run_reports.h"
#include "app/widgets/wall.h"
#include "tests/session/session_helpers.h"
#include "tests/source_folder.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/small_program.h"

namespace glassformer {

TEST_CASE("until a step has a loss of its own the bar says of which step the loss is") {
  OffscreenProgram program({.model = source_folder() + "/models/reverse", .threads = 1});
  Session& session = program.session();
  REQUIRE(program.settle());
  const long last = session.model()->last_step;
  CHECK(program.visible("loss"));
  REQUIRE(program.click("+1 step"));
  REQUIRE(program.wait([&] {
    return session.run().step == last + 1 && session.snapshot()->step == last + 1 &&
           session.run().phase == RunPhase::paused;
  }));
  program.frame(2);
  const ValidationPoint& newest = session.run().curves->validations.back();
  REQUIRE(newest.step <= last);
  CHECK(program.text("loss at step " + format_count(newest.step)) == format_loss(newest.loss));
  CHECK_FALSE(program.visible("loss"));
}

TEST_CASE("that a model learns worse without its moments is said when its curves show it, and not before") {
  Curves curves;
  curves.validations = {{.step = 50, .loss = 1.5}, {.step = 100, .loss = 1}};
  const auto says = [&](const char* words) {
    OpenedModel model;
    model.last_step = 100;
    return learns_on_notice(model, &curves).text.find(words) != std::string::npos;
  };
  CHECK(says("the moments were not kept."));
  CHECK_FALSE(says("worse"));
  curves.validations.push_back({.step = 150, .loss = 1.25});
  CHECK(says("worse at first: loss 1.000 at step 100, 1.250 at step 150."));
  curves.validations.push_back({.step = 200, .loss = 0.5});
  CHECK(says("1.250 at step 150."));
  curves.validations[2].loss = 0.75;
  CHECK_FALSE(says("worse"));
}

TEST_CASE("the keyboard's ring round a tile of a wall leaves all names free") {
  RecordingCanvas canvas;
  const WallOptions options{
      .layers = 2, .heads = 4, .hit = [](int, int) { return HitRegion{.label = "tile"}; }};
  const WallLayout layout = draw_wall(canvas, {20, 20, 500, 400}, options);
  REQUIRE(canvas.hit_grids.size() == 1);
  for (int layer = 0; layer < 2; ++layer)
    for (int head = 0; head < 4; ++head) {
      const Rect rect = region_at(canvas.hit_grids[0], layer, head).rect;
      CHECK(rect == layout.tile_rect(layer, head));
      for (const RecordingCanvas::Text& text : canvas.texts) {
        const Rect ring = rect.inset(-6);
        const bool apart = text.box.right() < ring.x || ring.right() < text.box.x ||
                           text.box.bottom() < ring.y || ring.bottom() < text.box.y;
        CHECK_MESSAGE(apart, text.text);
      }
    }
}

}  // namespace glassformer
