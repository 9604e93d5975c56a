// Parts of a view that can be saved alone.
#include <doctest/doctest.h>

#include "app/figure/figure.h"
#include "app/views/common/page.h"
#include "app/views/view_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

using namespace glassformer;

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
  CHECK(svg.find(std::string(">Layer ") + std::to_string(scene.shown.layer + 1) + " · head ") !=
        std::string::npos);
  for (const char* side : {">query<", ">key<", ">(source)<"}) CHECK(svg.find(side) != std::string::npos);
  for (const char* word : {">fille<", ">rouge<"}) CHECK(svg.find(word) != std::string::npos);
}
