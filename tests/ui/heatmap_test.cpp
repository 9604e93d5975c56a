#include "app/widgets/heatmap.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/widgets/wall.h"
#include "tests/ui/component_sheet.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/text_checks.h"

using namespace glassformer;

namespace {

HeatmapOptions word_options() {
  HeatmapOptions options;
  options.row_labels = options.column_labels = sample_words();
  options.row_title = {Badge::query, "query", ""};
  options.column_title = {Badge::key, "key", "source"};
  return options;
}

}  // namespace

TEST_CASE("a scale of weights ends at 1, and further on where a ReLU made larger ones") {
  CHECK(weight_limit(0) == 1);
  CHECK(weight_limit(1.00002) == 1);  // a softmax's, but for rounding
  CHECK(weight_limit(9.4) == 10);
}

TEST_CASE("cells have whole-pixel sizes from 6 to 64 and the map with all its labels fits the area") {
  RecordingCanvas canvas;
  for (float width : {300.0f, 417.0f, 560.0f, 900.0f}) {
    for (int size : {2, 6, 12, 30}) {
      const SampleMatrix scores = sample_scores(size);
      const Rect area{13, 7, width, 420};
      const HeatmapLayout layout = layout_heatmap(canvas, area, {.values = scores.plane()}, word_options());
      CHECK(layout.cell_width == std::floor(layout.cell_width));
      CHECK(layout.cell_width >= 6);
      CHECK(layout.cell_width <= 64);
      if (layout.cell_width > 6) {
        CHECK(layout.bounds.right() <= area.right() + 0.5f);
        CHECK(layout.bounds.bottom() <= area.bottom() + 0.5f);
      }
      CHECK(layout.gap == (layout.cell_width >= 12 ? 1 : 0));
    }
  }
}

TEST_CASE("words over narrow columns stand in several lines, whole in a file, and none is under 9 px") {
  const std::vector<std::string> words = {"the",   "big",   "red", "lion",   "that",    "the",
                                          "woman", "in",    "the", "garden", "follows", "sees",
                                          "a",     "small", "cat", "<eos>"};
  const int count = static_cast<int>(words.size());
  const SampleMatrix scores = sample_scores(count);
  for (const bool file : {true, false}) {
    for (const bool below : {false, true}) {
      for (const float width : {360.0f, 420.0f, 520.0f, 700.0f, 1100.0f}) {
        CAPTURE(width);
        RecordingCanvas canvas(light_theme(), file);
        HeatmapOptions options = word_options();
        options.row_labels = options.column_labels = words;
        options.columns_below = below;
        options.numbers = false;
        options.pinned_column = 3;
        const Rect area{10, 10, width, 460};
        const HeatmapLayout layout = draw_heatmap(canvas, area, {.values = scores.plane()}, options);
        CHECK(overlapping_texts(canvas).empty());
        CHECK(texts_outside(canvas, area).empty());
        CHECK(layout.bounds.bottom() <= area.bottom() + 0.5f);
        for (const auto& text : canvas.texts) CHECK(text.style.size >= 9);
        if (!file || !layout.column_words) continue;
        for (const std::string& word : words) {
          const auto shown =
              std::ranges::count(canvas.texts, word, [](const auto& text) { return text.text; });
          CHECK(shown >= std::ranges::count(words, word));
        }
      }
    }
  }
  // Wide columns keep one line.
  RecordingCanvas canvas;
  HeatmapOptions options = word_options();
  const SampleMatrix few = sample_scores(6);
  CHECK(layout_heatmap(canvas, {0, 0, 500, 400}, {.values = few.plane()}, options).column_levels == 1);
}

TEST_CASE("the pinned cell keeps its mark while the mouse is on another one, which has a mark as well") {
  RecordingCanvas canvas;
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.pinned_row = 4;
  options.pinned_column = 2;
  options.hovered_row = 1;
  options.hovered_column = 5;
  const HeatmapLayout layout = draw_heatmap(canvas, {0, 0, 500, 400}, {.values = weights.plane()}, options);
  const auto outline_of = [&](int row, int column) {
    float width = 0;
    for (const auto& r : canvas.rectangles)
      if (r.box.outline == canvas.theme().ink && r.rect.center() == layout.cell(row, column).center())
        width = std::max(width, r.box.outline_width);
    return width;
  };
  CHECK(outline_of(4, 2) == 3);
  CHECK(outline_of(1, 5) == 2);
  CHECK(outline_of(4, 5) == 0);
}

TEST_CASE("masked cells are hatched and carry no number, a weight that is not a number is crossed") {
  RecordingCanvas canvas;
  const SampleMatrix weights = sample_weights();
  const HeatmapLayout layout =
      draw_heatmap(canvas, {0, 0, 500, 400}, {.values = weights.plane(), .masked = causal}, word_options());
  REQUIRE(layout.numbers);
  int hatched = 0;
  for (const auto& r : canvas.rectangles) hatched += r.box.hatch.visible();
  CHECK(hatched == 15);
  const Rect hidden = layout.cell(0, 3);
  for (const auto& text : canvas.texts) CHECK_FALSE(hidden.contains(text.box.center()));
  // The cross is two lines inside its cell.
  const Rect crossed = layout.cell(2, 1);
  int strokes = 0;
  for (std::size_t i = 0; i < canvas.lines.size(); ++i) {
    if (canvas.strokes[i].color == canvas.theme().not_a_number) {
      ++strokes;
      for (Point p : canvas.lines[i]) CHECK(crossed.contains(p));
    }
  }
  CHECK(strokes == 2);
}

TEST_CASE("numbers lie in their cell with a pixel to spare, or are left out") {
  for (float width : {200.0f, 240.0f, 300.0f, 360.0f, 500.0f}) {
    RecordingCanvas canvas;
    const SampleMatrix scores = sample_scores(6);
    HeatmapOptions options = word_options();
    options.scale = ColorScale::signed_value;
    const HeatmapLayout layout =
        draw_heatmap(canvas, {0, 0, width, 400}, {.values = scores.plane()}, options);
    int inside = 0;
    for (const auto& text : canvas.texts) {
      if (!layout.cells.contains(text.box.center())) continue;
      ++inside;
      const int row = static_cast<int>((text.box.center().y - layout.cells.y) / layout.cell_height);
      const int column = static_cast<int>((text.box.center().x - layout.cells.x) / layout.cell_width);
      const Rect cell = layout.cell(row, column);
      CHECK(text.box.x >= cell.x + 0.5f);
      CHECK(text.box.right() <= cell.right() - 0.5f);
    }
    CHECK(inside == (layout.numbers ? 36 : 0));
  }
}

TEST_CASE("axis words never overlap: they shrink, are cut, or give way to indices") {
  for (float width = 120; width < 620; width += 20) {
    for (float height : {90.0f, 200.0f, 420.0f}) {
      RecordingCanvas canvas;
      const SampleMatrix weights = sample_weights();
      HeatmapOptions options = word_options();
      options.pinned_row = 3;
      options.pinned_column = 3;
      options.writes = sample_words();
      options.numbers = false;
      options.min_cell = 2;
      draw_heatmap(canvas, {0, 0, width, height}, {.values = weights.plane(), .masked = causal}, options);
      CAPTURE(width);
      CAPTURE(height);
      for (const std::string& pair : overlapping_texts(canvas)) FAIL_CHECK(pair);
    }
  }
}

TEST_CASE("a file keeps every column word whole and in one size where there is room for 9 px") {
  RecordingCanvas canvas(light_theme(), true);
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.column_labels[1] = "молоко";
  options.column_labels[3] = "fatiguée";
  options.pinned_column = 3;
  draw_heatmap(canvas, {0, 0, 420, 300}, {.values = weights.plane()}, options);
  float size = 0;
  for (const std::string& word : options.column_labels) {
    CAPTURE(word);
    const RecordingCanvas::Text* column = nullptr;
    for (const RecordingCanvas::Text& text : canvas.texts)
      if (text.text == word && text.style.x == AlignX::center) column = &text;
    REQUIRE(column != nullptr);
    if (size > 0) CHECK(column->style.size == size);
    size = column->style.size;
  }
  CHECK(overlapping_texts(canvas).empty());
}

TEST_CASE("a file says every column word whole: over its column or in lines below; a screen does not") {
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.writes = options.row_labels;
  options.stretch = 4;
  options.column_labels[2] = "counterrevolutionaries";
  bool cut = false, by_place = false, square = false;
  for (float width = 160; width <= 700; width += 20) {
    CAPTURE(width);
    for (const bool file : {true, false}) {
      RecordingCanvas canvas(light_theme(), file);
      const HeatmapLayout layout =
          draw_heatmap(canvas, {0, 0, width, 300}, {.values = weights.plane()}, options);
      CHECK(overlapping_texts(canvas).empty());
      CHECK(layout.bounds.bottom() <= 300);
      std::string above, below;
      for (const RecordingCanvas::Text& text : canvas.texts) {
        if (text.box.bottom() <= layout.cells.y + 1) above += "\n" + text.text + "\n";
        if (text.box.y >= layout.cells.bottom()) below += text.text + ",  ";
      }
      CHECK(below.empty() == layout.key.empty());
      if (!file) CHECK(below.empty());
      if (!file) continue;
      cut = cut || contains(below, "… = counterrevolutionaries,");
      by_place = by_place || contains(below, "2 counterrevolutionaries,");
      square = square || (!below.empty() && layout.cell_width == layout.cell_height);
      for (const std::string& word : options.column_labels)
        CHECK_MESSAGE((contains(above, "\n" + word + "\n") || contains(below, " " + word + ",")), word);
    }
  }
  CHECK(cut);
  CHECK(by_place);
  CHECK(square);
}

TEST_CASE("in a file each row is a word or in the key, and marks of the sentence's ends are whole") {
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.column_title = {}, options.row_title.word = "query";
  options.row_labels[2] = "Weltanschauungen";
  options.column_labels.front() = "<bos>";
  options.column_labels.back() = "<eos>";
  bool keyed = false, small = false;
  for (const float height : {110.0f, 130.0f, 150.0f, 170.0f, 200.0f, 300.0f})
    for (float width = 150; width <= 450; width += 30) {
      CAPTURE(width);
      CAPTURE(height);
      RecordingCanvas canvas(light_theme(), true);
      const HeatmapLayout layout =
          draw_heatmap(canvas, {0, 0, width, height}, {.values = weights.plane()}, options);
      std::string beside, below;
      for (const RecordingCanvas::Text& text : canvas.texts) {
        CHECK_FALSE(contains(text.text, "<bo…"));
        CHECK_FALSE(contains(text.text, "<eo…"));
        if (text.style.x == AlignX::right) beside += "\n" + text.text + "\n";
        if (text.box.y >= layout.cells.bottom()) below += text.text + ",  ";
      }
      keyed = keyed || !layout.row_words;
      small = small || (layout.row_words && layout.row_size < 12);
      for (const std::string& word : options.row_labels)
        CHECK_MESSAGE((contains(beside, "\n" + word + "\n") || contains(below, " " + word + ",")), word);
    }
  CHECK(keyed);
  CHECK(small);
}

TEST_CASE("a click on a cell, a row word and a column word finds what is drawn there") {
  RecordingCanvas canvas;
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.cell_hit = [](int row, int column) {
    return HitRegion{.label = "cell " + std::to_string(row) + " " + std::to_string(column)};
  };
  options.row_hit = [](int row) { return HitRegion{.label = "row " + std::to_string(row)}; };
  options.column_hit = [](int column) { return HitRegion{.label = "column " + std::to_string(column)}; };
  const HeatmapLayout layout = draw_heatmap(canvas, {20, 30, 500, 400}, {.values = weights.plane()}, options);
  for (int row = 0; row < 6; ++row) {
    for (int column = 0; column < 6; ++column) {
      const auto region = canvas.region_at(layout.cell(row, column).center());
      REQUIRE(region);
      CHECK(region->label == "cell " + std::to_string(row) + " " + std::to_string(column));
      CHECK(region->rect.contains(layout.cell(row, column).center()));
    }
  }
  const auto* row_word = canvas.find("fatiguée");
  REQUIRE(row_word);
  bool row_found = false, column_found = false;
  for (const auto& text : canvas.texts) {
    if (text.text != "fatiguée") continue;
    const auto region = canvas.region_at(text.box.center());
    REQUIRE(region);
    row_found |= region->label == "row 3";
    column_found |= region->label == "column 3";
  }
  CHECK(row_found);
  CHECK(column_found);
  CHECK_FALSE(canvas.region_at({layout.cells.right() + 5, layout.cells.y + 5}));
}

TEST_CASE("above 64 rows or columns the map is one texture without numbers") {
  RecordingCanvas canvas;
  const SampleMatrix scores = sample_scores(80);
  const HeatmapLayout layout =
      draw_heatmap(canvas, {0, 0, 400, 300}, {.values = scores.plane()}, {.color_bar = false});
  CHECK(layout.texture);
  CHECK(layout.gap == 0);
  CHECK_FALSE(layout.numbers);
  REQUIRE(canvas.grids.size() == 1);
  CHECK(canvas.grids.front().colors.size() == 6400);
  CHECK(layout.bounds.right() <= 400);
  CHECK(layout.bounds.bottom() <= 300);
}

TEST_CASE("the pinned row is query blue, the pinned cell ink") {
  RecordingCanvas canvas;
  const SampleMatrix weights = sample_weights();
  HeatmapOptions options = word_options();
  options.pinned_row = 4;
  options.pinned_column = 2;
  const HeatmapLayout layout = draw_heatmap(canvas, {0, 0, 500, 400}, {.values = weights.plane()}, options);
  bool row = false, cell = false;
  for (const auto& r : canvas.rectangles) {
    row |= r.box.outline == canvas.theme().query && r.box.outline_width == 2 &&
           r.rect.contains(layout.cell(4, 0).center());
    cell |= r.box.outline == canvas.theme().ink && r.box.outline_width == 3 &&
            r.rect.contains(layout.cell(4, 2).center());
  }
  CHECK(row);
  CHECK(cell);
}

TEST_CASE("the pinned cell's outline is seen on every colour of both themes") {
  const SampleMatrix weights = sample_weights();
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    RecordingCanvas canvas(theme);
    HeatmapOptions options = word_options();
    options.pinned_row = 4;
    options.pinned_column = 2;
    const HeatmapLayout layout = draw_heatmap(canvas, {0, 0, 500, 400}, {.values = weights.plane()}, options);
    const Rect cell = layout.cell(4, 2);
    REQUIRE(cell.width >= 12);
    std::vector<Color> outlines;
    for (const auto& r : canvas.rectangles) {
      const bool around = std::abs(r.rect.x - cell.x) <= 2 && std::abs(r.rect.y - cell.y) <= 2 &&
                          std::abs(r.rect.width - cell.width) <= 4 &&
                          std::abs(r.rect.height - cell.height) <= 4;
      if (around && r.box.outline.visible()) outlines.push_back(r.box.outline);
    }
    for (int i = 0; i <= 50; ++i) {
      CAPTURE(i);
      double best = 0;
      for (const Color& outline : outlines) best = std::max(best, contrast(outline, cividis(i / 50.0)));
      CHECK(best >= 3);
    }
  }
}

TEST_CASE("a heatmap without values draws nothing and does not fail") {
  RecordingCanvas canvas;
  draw_heatmap(canvas, {0, 0, 300, 300}, {}, {});
  CHECK(canvas.grids.empty());
}

TEST_CASE("scale limits are round and never below the largest value") {
  for (double value : {0.013, 0.37, 0.5, 1.0, 5.8, 13.2, 99.0, 1234.0}) {
    CHECK(round_limit(value) >= value);
    CHECK(round_limit(value) <= 2 * value);
  }
  const SampleMatrix weights = sample_weights();
  CHECK(largest_magnitude({.values = weights.plane()}) == 1);
  CHECK(round_limit(0) == 1);
}

TEST_CASE("the tiles of a wall stand in rows by layer, shrink to 48 and report their head") {
  RecordingCanvas canvas;
  const SampleMatrix weights = sample_weights();
  WallOptions options{.layers = 2, .heads = 4};
  options.data = [&](int, int) { return HeatmapData{.values = weights.plane()}; };
  options.hit = [](int layer, int head) {
    return HitRegion{.label = std::to_string(layer) + "." + std::to_string(head)};
  };
  const WallLayout layout = draw_wall(canvas, {5, 6, 420, 400}, options);
  CHECK(layout.tile == 88);
  CHECK(canvas.grids.size() == 8);
  const auto region = canvas.region_at(layout.tile_rect(1, 2).center());
  REQUIRE(region);
  CHECK(region->label == "1.2");
  options.heads = 16;
  CHECK(layout_wall({0, 0, 500, 400}, options).tile == 48);
  CHECK(layout_wall({0, 0, 500, 400}, options).width > 500);  // the stage scrolls
}
