#include "app/widgets/token_strip.h"

#include <doctest/doctest.h>

#include "app/widgets/ribbons.h"
#include "tests/ui/component_sheet.h"
#include "tests/ui/recording_canvas.h"

using namespace glassformer;

namespace {

std::vector<TokenChip> sentence(int count) {
  std::vector<TokenChip> chips;
  for (int i = 0; i < count; ++i) {
    chips.push_back({.text = i % 3 == 0 ? "internationalisation" : "voit", .probability = 0.05 * (i % 20)});
  }
  return chips;
}

}  // namespace

TEST_CASE("every word lies inside its chip, at every width") {
  for (int count : {1, 3, 8, 20, 60}) {
    for (bool file : {false, true}) {
      RecordingCanvas canvas(light_theme(), file);
      const TokenStripLayout layout = draw_token_strip(canvas, {10, 10, 800, 80}, sentence(count),
                                                       {.label = "Output", .probabilities = true});
      CHECK(overlapping_texts(canvas).empty());
      CHECK(texts_outside(canvas, {10, 10, 800, layout.height}).empty());
      for (const auto& text : canvas.texts) {
        for (int i = 0; i < layout.shown; ++i) {
          if (!layout.chip(i).contains(text.box.center())) continue;
          CHECK(text.box.x >= layout.chip(i).x);
          CHECK(text.box.right() <= layout.chip(i).right());
        }
      }
    }
  }
}

TEST_CASE("chips that do not fit are counted, not squeezed") {
  RecordingCanvas canvas;
  const TokenStripLayout layout = draw_token_strip(canvas, {0, 0, 300, 80}, sentence(40), {.min_width = 40});
  CHECK(layout.shown < 40);
  CHECK(canvas.find("+ " + std::to_string(40 - layout.shown)));
  CHECK(layout.chip(layout.shown - 1).right() <= 300);
}

TEST_CASE("two strips with room for the same count align") {
  const auto a = layout_token_strip({0, 0, 700, 80}, sentence(5), {.count = 8});
  const auto b = layout_token_strip({0, 90, 700, 80}, sentence(8), {.count = 8});
  for (int i = 0; i < 5; ++i) CHECK(a.chip(i).x == b.chip(i).x);
}

TEST_CASE("each state of a chip looks different from the others") {
  const std::vector<TokenChip> states = {{.text = "mot"},
                                         {.text = "mot", .special = true},
                                         {.text = "mot", .padding = true},
                                         {.text = "mot", .word_start = true},
                                         {.text = "mot", .unknown = true},
                                         {.text = "mot", .wrong = true},
                                         {.text = "mot", .hovered = true},
                                         {.text = "mot", .pin = ChipPin::query},
                                         {.text = "mot", .pin = ChipPin::key}};
  std::vector<std::string> looks;
  for (const TokenChip& chip : states) {
    RecordingCanvas canvas;
    draw_chip(canvas, {0, 0, 80, 28}, chip);
    std::string look;
    for (const auto& r : canvas.rectangles) {
      look += std::to_string(r.box.fill.b) + "," + std::to_string(r.box.outline.b) + "," +
              std::to_string(r.box.dashed) + std::to_string(r.box.hatch.a) + ";";
    }
    look += canvas.texts.front().text + std::to_string(canvas.lines.size());
    for (const std::string& other : looks) CHECK(look != other);
    looks.push_back(look);
  }
}

TEST_CASE("hovering a chip tells its whole word") {
  RecordingCanvas canvas;
  TokenStripOptions options;
  options.hit = [](int index) { return HitRegion{.label = "output " + std::to_string(index)}; };
  const auto layout = draw_token_strip(canvas, {0, 0, 200, 80}, sentence(4), options);
  const auto region = canvas.region_at(layout.chip(3).center());
  REQUIRE(region);
  CHECK(region->label == "output 3");
  CHECK(region->tooltip.starts_with("internationalisation"));
}

TEST_CASE("ribbons are the strongest links of each row, as wide as their weight, the pinned row in blue") {
  RecordingCanvas canvas;
  const std::vector<float> weights = {0.9f, 0.1f, 0, 0.4f, 0.4f, 0.2f};  // (2, 3)
  RibbonsOptions options;
  options.keys = {{.text = "a"}, {.text = "b"}, {.text = "c"}};
  options.queries = {{.text = "x"}, {.text = "y"}};
  options.row = 1;
  draw_ribbons(canvas, {0, 0, 300, 160}, {.values = {weights.data(), 2, 3}}, options);
  REQUIRE(canvas.strokes.size() == 3);  // 0.9 alone is 75 % of its row; 0.4 and 0.4 of theirs
  CHECK(canvas.strokes[0].width == doctest::Approx(9 * 0.9f));
  CHECK(canvas.strokes[1].color == canvas.theme().query);
  CHECK(canvas.strokes[2].color == canvas.theme().query);
}
