// Where things are in the window, and that nothing moves by itself.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/figure/figure.h"
#include "app/offscreen.h"
#include "app/panels/layout.h"
#include "app/panels/map.h"
#include "app/views/common/page.h"
#include "app/views/view_table.h"
#include "engine/model/checkpoint.h"
#include "tests/scratch_folder.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer::layout_test {

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
    SettledProgram program({.model = folder, .size = c.pixels, .scale = c.scale});
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

// ---- Parts of a view that can be saved alone.

TEST_CASE("every panel drawn alone fills its area with words that keep apart") {
  const SampleScene scene = make_sample_scene({});
  int panels = 0;
  for (const ViewEntry& entry : view_table()) {
    const auto view = entry.make();
    for (const std::string& name : view->traits().panels) {
      CAPTURE(std::string(entry.name));
      CAPTURE(name);
      // A page that needs more gets it, as on screen, where it scrolls.
      const auto page = entry.make();
      const bool whole = page->open_panel(name) && dynamic_cast<const PagedView*>(page.get());
      const Point least = whole ? page->minimum_size(scene.input()) : Point{};
      const Rect area{10, 20, std::max(1000.0f, least.x), std::max(704.0f, least.y)};
      RecordingCanvas canvas;
      view->panel(name, canvas, scene.input(), area);
      CHECK_FALSE(canvas.texts.empty());
      CHECK_MESSAGE(texts_outside(canvas, area).empty(), in_lines(texts_outside(canvas, area)));
      CHECK_MESSAGE(overlapping_texts(canvas).empty(), in_lines(overlapping_texts(canvas)));
      ++panels;
    }
  }
  CHECK(panels >= 10);
}

TEST_CASE("in a column of print a head keeps its name, its words and the height of its rows") {
  const SampleScene scene = make_sample_scene({});
  const auto view = make_view("attention");
  FigureContent content;
  content.view = view->clone();
  content.result = scene.result;
  content.tokenizers = scene.tokenizers;
  content.selection = scene.shown;
  content.theme = light_theme();
  content.fonts = find_font_files();
  content.panel = "one-head";
  const std::string svg = figure_bytes(content, {.path = "head.svg", .print_cm = 8});
  CHECK(contains(svg, std::string(">Layer ") + std::to_string(scene.shown.layer + 1) + " · head "));
  for (const char* side : {">query<", ">key<", ">(source)<"}) CHECK(contains(svg, side));
  for (const char* word : {">fille<", ">rouge<"}) CHECK(contains(svg, word));
}

// ---- Reduced motion: offered in the window, and with it on nothing moves by itself in any view.

TEST_CASE("the View menu offers reduced motion, and says that it is on") {
  SmallProgram program({.size = {1440, 900}});
  CHECK_FALSE(program.session().settings().reduced_motion);
  REQUIRE(program.click("View"));
  REQUIRE(program.click("No motion"));
  CHECK(program.session().settings().reduced_motion);
  program.frame(2);
  CHECK(program.find("No motion")->selected);
  REQUIRE(program.click("No motion"));
  CHECK_FALSE(program.session().settings().reduced_motion);
}

TEST_CASE("with reduced motion no view moves by itself") {
  OffscreenProgram program({.size = {1440, 900}});
  program.session().settings().reduced_motion = true;
  begin_bundled(program);
  std::size_t compared = 0;
  for (const ViewEntry& entry : view_table()) {
    CAPTURE(std::string(entry.name));
    program.program().shell().apply({OpenView{entry.name}}, 0);
    program.move({1, 1});
    REQUIRE(program.settle());
    // Numbers that arrive are no motion: it comes to rest as soon as they are all there.
    const bool rests = program.wait(
        [&] {
          const std::vector<Color> before = program.pixels(true);
          program.frame(90);
          return program.pixels(true) == before;
        },
        10);
    if (!rests && program.program().shell().view()->traits().busy) continue;
    ++compared;
    CHECK(rests);
  }
  CHECK(compared + 2 >= view_table().size());
}

TEST_CASE("with reduced motion what is played goes in few jumps") {
  OffscreenProgram program({.size = {1440, 900}, .view = "lookup"});
  begin_bundled(program);
  // From one place to the next, in hours.
  const auto jump = [&](bool reduced) {
    program.session().settings().reduced_motion = reduced;
    REQUIRE(program.click("Play: Lookup"));
    program.move({1, 1});
    const auto place = [&] { return std::stod(program.text("Query")); };
    const auto next = [&](double from) {
      REQUIRE(program.wait([&] { return place() != from; }));
      return place();
    };
    const double first = next(place()), second = next(first);
    REQUIRE(program.click("Pause: Lookup"));
    return std::abs(second - first);
  };
  CHECK(jump(false) == doctest::Approx(0.1));
  CHECK(jump(true) == doctest::Approx(1));
}

// ---- What the program says over the stage.

TEST_CASE("of several notices one stands over the stage, errors first, and the others are counted") {
  SmallProgram program;
  program.session().notify(
      {.place = Place::training, .error = true, .text = "The oldest.", .action = "", .command = {}});
  program.session().notify({.place = Place::model, .text = "In between.", .action = "", .command = {}});
  program.session().notify({.place = Place::data, .text = "The newest.", .action = "", .command = {}});
  program.frame(2);
  CHECK(program.text("training notice") == "The oldest.");
  CHECK(program.text("notices behind") == "2 more notices behind it.");
  CHECK_FALSE(program.find("model notice"));
  REQUIRE(program.click("Dismiss the training notice"));
  CHECK(program.text("data notice") == "The newest.");
  CHECK(program.text("notices behind") == "1 more notice behind it.");
  REQUIRE(program.click("Dismiss the data notice"));
  CHECK(program.text("model notice") == "In between.");
  CHECK_FALSE(program.find("notices behind"));
}

TEST_CASE("what merely informs takes two lines at most, in whole words") {
  SmallProgram program;
  std::string words = "It";
  for (int i = 0; i < 200; ++i) words += " goes on";
  program.session().notify({.place = Place::model, .text = words, .action = "", .command = {}});
  program.frame(2);
  REQUIRE(program.find("model notice"));
  CHECK(program.find("model notice")->rect.height < 70);
}

TEST_CASE("a saved figure is told for a moment and leaves no notice") {
  ScratchFolder scratch;
  OffscreenProgram program({.model = model_folder(scratch)});
  begin(program);
  const std::string path = scratch.path("figure.csv");
  program.program().shell().apply({SaveFigure{.path = path}}, 0);
  REQUIRE(program.wait([&] { return program.text("said").starts_with("Saved "); }));
  CHECK(std::filesystem::exists(path));
  CHECK_FALSE(program.find("figure notice"));
  program.frame(900);  // 15 s
  CHECK_FALSE(program.find("said"));
}

TEST_CASE("what the model writes is told also when it writes nothing, inside the bar") {
  SmallProgram program;
  program.session().apply({SetTarget{"le chat voit un oiseau"}});
  REQUIRE(program.settle());
  const auto line = program.find("what the model writes");
  REQUIRE(line);
  CHECK(line->value != "the model writes  ");
  CHECK(line->rect.bottom() <= 752 + 160 - 4);
}

}  // namespace glassformer::layout_test
