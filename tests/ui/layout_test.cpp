#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>

#include "app/offscreen.h"
#include "app/panels/layout.h"
#include "app/panels/map.h"
#include "engine/model/checkpoint.h"
#include "sample_scene.h"
#include "tests/scratch_folder.h"

using namespace glassformer;

namespace {

bool share_pixels(const Rect& a, const Rect& b) {
  return a.x + 0.5f < b.right() && b.x + 0.5f < a.right() && a.y + 0.5f < b.bottom() &&
         b.y + 0.5f < a.bottom();
}

bool inside(const Rect& inner, const Rect& outer) {
  return inner.x >= outer.x - 0.5f && inner.y >= outer.y - 0.5f && inner.right() <= outer.right() + 0.5f &&
         inner.bottom() <= outer.bottom() + 0.5f;
}

struct Case {
  Point pixels;
  double scale;
};
const Case kCases[] = {{{1600, 1000}, 1},   {{1600, 1000}, 1.25}, {{1600, 1000}, 1.5}, {{1600, 1000}, 2},
                       {{1600, 1000}, 2.5}, {{1024, 768}, 1},     {{1024, 768}, 1.5},  {{1024, 768}, 2},
                       {{1024, 768}, 2.5},  {{1280, 900}, 1}};

}  // namespace

TEST_CASE("panels fill the window without overlapping, at every size and scale") {
  for (const Case& c : kCases) {
    CAPTURE(c.pixels.x);
    CAPTURE(c.scale);
    const auto scale = static_cast<float>(c.scale);
    const Layout l = layout_for({c.pixels.x / scale, c.pixels.y / scale});
    const Rect window{0, 0, l.window.x, l.window.y};
    float area = 0;
    const Rect panels[] = {l.top_bar, l.map, l.stage, l.inspector, l.sentence, l.slider};
    for (const Rect& a : panels) {
      if (a.width <= 0) continue;
      CHECK(inside(a, window));
      area += a.width * a.height;
      for (const Rect& b : panels)
        if (&a != &b && b.width > 0) CHECK_FALSE(share_pixels(a, b));
    }
    CHECK(area == doctest::Approx(window.width * window.height).epsilon(0.001));
  }
}

TEST_CASE("the mock-up's measures hold at 1600 x 1000") {
  const Layout l = layout_for({1600, 1000});
  CHECK(l.map == Rect{0, 48, 280, 704});
  CHECK(l.stage == Rect{280, 48, 1000, 704});
  CHECK(l.inspector == Rect{1280, 48, 320, 704});
  CHECK(l.sentence == Rect{0, 752, 1600, 160});
  CHECK(l.slider == Rect{0, 912, 1600, 88});
}

TEST_CASE("no control stands over another or outside the window, at every size and scale") {
  ScratchFolder scratch;
  const SampleScene scene = make_sample_scene();
  const std::string folder = scratch.path("small");
  std::filesystem::create_directories(folder);
  save_model(folder, *scene.snapshot, scene.tokenizers);
  for (const Case& c : kCases) {
    CAPTURE(c.pixels.x);
    CAPTURE(c.scale);
    OffscreenProgram program({.model = folder, .size = c.pixels, .scale = c.scale});
    REQUIRE(program.settle());
    REQUIRE(program.type("Source sentence", "the tired girl sees a red car"));
    program.press(ui::Key::enter);
    REQUIRE(program.settle());
    REQUIRE(program.session().result());
    const auto scale = static_cast<float>(c.scale);
    const Rect window{0, 0, c.pixels.x / scale, c.pixels.y / scale};
    const auto& all = program.program().ui().registry().all();
    for (size_t i = 0; i < all.size(); ++i) {
      const ui::Widget& a = all[i];
      if (!a.focusable || a.layer != 0 || a.visible.width <= 0) continue;
      CAPTURE(a.label);
      CHECK(inside(a.visible, window));
      for (size_t j = i + 1; j < all.size(); ++j) {
        const ui::Widget& b = all[j];
        if (!b.focusable || b.layer != 0 || b.visible.width <= 0) continue;
        CAPTURE(b.label);
        CHECK_FALSE(share_pixels(a.visible, b.visible));
      }
    }
  }
}

TEST_CASE("the map has every block once and keeps them apart") {
  for (const int layers : {1, 2, 3, 6}) {
    for (const NormPlace norm : {NormPlace::post, NormPlace::pre}) {
      CAPTURE(layers);
      Config config;
      config.encoder_layers = config.decoder_layers = layers;
      config.norm = norm;
      const MapDiagram map = map_diagram(config, {0, 48, 280, 704}, 0, layers - 1);
      CHECK(map.frames.size() == static_cast<size_t>(2 * layers));
      for (size_t i = 0; i < map.items.size(); ++i)
        for (size_t j = i + 1; j < map.items.size(); ++j) {
          CAPTURE(map.items[i].label);
          CAPTURE(map.items[j].label);
          CHECK(map.items[i].label != map.items[j].label);
          CHECK_FALSE(share_pixels(map.items[i].rect, map.items[j].rect));
        }
      int closed = 0;
      for (const MapFrame& frame : map.frames) closed += frame.closed ? 1 : 0;
      CHECK(closed == (layers > 2 ? 2 * (layers - 1) : 0));
      for (const MapFrame& frame : map_diagram(config, {0, 48, 280, 2000}, 0, layers - 1).frames)
        CHECK_FALSE(frame.closed);  // there is room for all
    }
  }
}
