// Shapes and colours that many views draw.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <vector>

#include "app/ui/tooltip_place.h"
#include "app/views/common/chart_height.h"
#include "app/widgets/colormap.h"
#include "app/widgets/label_place.h"
#include "app/widgets/matrix_cells.h"
#include "app/widgets/ribbons.h"
#include "tests/ui/recording_canvas.h"

namespace glassformer::shapes_test {

using ui::tooltip_place;

TEST_CASE("cividis grows brighter all the way and is the same in both themes") {
  double last = -1;
  for (int i = 0; i <= 100; ++i) {
    const double luminance = relative_luminance(cividis(i / 100.0));
    CHECK(luminance > last);
    last = luminance;
  }
  CHECK(value_color(ColorScale::weight, 0.3, 1, light_theme()) ==
        value_color(ColorScale::weight, 0.3, 1, dark_theme()));
  CHECK(cividis(-1) == cividis(0));
  CHECK(cividis(2) == cividis(1));
}

TEST_CASE("signed colours are blue above zero, red below, and zero recedes into the theme") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    CHECK(signed_color(0, theme) == theme.signed_middle);
    const Color plus = signed_color(0.6, theme), minus = signed_color(-0.6, theme);
    CHECK(plus.b > plus.r);
    CHECK(minus.r > minus.b);
    // Larger values stand out more from the ground.
    CHECK(contrast(signed_color(1, theme), theme.signed_middle) >
          contrast(signed_color(0.4, theme), theme.signed_middle));
  }
}

TEST_CASE("a value that is not a number is magenta") {
  const Theme theme = light_theme();
  CHECK(value_color(ColorScale::weight, std::numeric_limits<double>::quiet_NaN(), 1, theme) ==
        theme.not_a_number);
}

TEST_CASE("text on every colour of the scales can be read") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    for (int i = -100; i <= 100; ++i) {
      const Color signed_cell = signed_color(i / 100.0, theme), weight_cell = cividis(std::abs(i) / 100.0);
      CHECK(contrast(signed_cell, text_on(signed_cell)) >= 4.5);
      CHECK(contrast(weight_cell, text_on(weight_cell)) >= 4.5);
    }
  }
}

TEST_CASE("text colours of both themes have a contrast of 4.5 on every ground") {
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    for (Color ground : {theme.paper, theme.panel, theme.sunken, theme.hover}) {
      for (Color text : {theme.faint_text, theme.second_text, theme.ink, theme.wrong, theme.reference}) {
        CHECK(contrast(ground, text) >= 4.5);
      }
    }
    CHECK(contrast(theme.ink, theme.on_ink) >= 4.5);
    CHECK(contrast(theme.query, theme.on_query) >= 4.5);
    CHECK(contrast(theme.key, theme.on_key) >= 4.5);
    CHECK(contrast(theme.value, theme.on_value) >= 4.5);
  }
}

TEST_CASE("a part of an axis holds the place looked at, is as long as has room, and marks what it skips") {
  for (int total = 1; total <= 14; ++total) {
    for (int most = 1; most <= 12; ++most) {
      for (int place = 0; place < total; ++place) {
        CAPTURE(total);
        CAPTURE(most);
        CAPTURE(place);
        const MatrixAxis axis = part_of_axis(whole_axis(total), most, place);
        CHECK(axis.count() == std::min(total, most));
        CHECK(axis.total == total);
        CHECK(axis.shown(place));
        for (int i = 1; i < axis.count(); ++i) {
          const auto at = static_cast<std::size_t>(i);
          const bool next = axis.places[at] == axis.places[at - 1] + 1;
          CHECK(axis.places[at] > axis.places[at - 1]);
          CHECK(next == (axis.break_after != i - 1));
        }
      }
    }
  }
}

TEST_CASE("near either end of an axis both of its ends are shown, with their words") {
  const std::vector<std::string> words{"<bos>", "la", "fille", "fatiguée", "voit", "une", "voiture", "rouge"};
  const MatrixAxis start = part_of_axis(whole_axis(8, words), 7, 3);
  CHECK(start.places == std::vector{0, 1, 2, 3, 4, 6, 7});
  CHECK(start.break_after == 4);
  CHECK(start.labels[5] == "voiture");
  const MatrixAxis end = part_of_axis(whole_axis(8, words), 7, 5);
  CHECK(end.places == std::vector{0, 1, 3, 4, 5, 6, 7});
  CHECK(end.break_after == 1);
  CHECK(end.labels[2] == "fatiguée");
}

// ---- The height of a chart of training curves.

// A loss that falls from 4, over so many columns.
CurveColumns falling(int columns) {
  CurveColumns curve;
  for (int i = 0; i < columns; ++i) {
    curve.x.push_back(i);
    curve.y.push_back(4 * std::exp(-0.1 * i));
  }
  return curve;
}

TEST_CASE("a chart holds its curves whole, however deep they fall") {
  const CurveColumns curve = falling(700);
  const ChartHeight height = chart_height({&curve});
  CHECK(height.top == 4);
  CHECK_FALSE(height.leaves());
}

TEST_CASE("the last steps of a run that diverges leave the chart, and it says how far they go") {
  CurveColumns curve = falling(700);
  curve.y[698] = 1e7;
  curve.y[699] = std::nan("");
  const ChartHeight height = chart_height({&curve});
  CHECK(height.top == doctest::Approx(6));
  CHECK(height.highest == 1e7);
  CHECK(height.leaves());
}

TEST_CASE("what has to be held is, however rare: the peak of a plan over a million steps") {
  CurveColumns rate = falling(700);
  rate.y.assign(700, 0.001);
  rate.y[1] = 0.02;
  CHECK(chart_height({&rate}).leaves());
  CHECK(chart_height({&rate}, 0.02).top == 0.02);
}

TEST_CASE("curves of a few points, and none at all, are held whole") {
  const CurveColumns rising{.x = {0, 1, 2}, .y = {0.5, 1, 2}}, nothing;
  CHECK(chart_height({&rising, &nothing}).top == 2);
  CHECK(chart_height({&nothing}).top == 0);
  CHECK(close_axis(0, 4).high > 0);
}

TEST_CASE("a line crosses a rectangle when it passes through its inside, also without a corner in it") {
  const Rect rect{10, 10, 20, 10};
  CHECK(crosses(rect, {0, 15}, {40, 15}));
  CHECK(crosses(rect, {5, 8}, {28, 30}));
  CHECK(crosses(rect, {12, 12}, {14, 13}));
  CHECK_FALSE(crosses(rect, {0, 0}, {40, 8}));
  CHECK_FALSE(crosses(rect, {0, 9}, {40, 9}));
  CHECK_FALSE(crosses(rect, {0, 15}, {9, 15}));
  CHECK_FALSE(crosses(rect, {31, 0}, {31, 40}));
}

TEST_CASE("labels keep off curves, boxes, each other and the border, and take the first wish that is free") {
  LabelSpace space({0, 0, 200, 100});
  std::vector<Point> curve;
  for (int x = 0; x <= 200; x += 2) curve.push_back({float(x), 50 + 20 * std::sin(float(x) / 20)});
  space.keep_off(curve);
  space.keep_off(Rect{150, 0, 50, 20});
  const Rect on_the_curve{80, 40, 40, 20}, on_the_box{140, 4, 30, 12}, outside{190, 85, 40, 12},
      free{10, 4, 40, 12};
  CHECK_FALSE(space.is_free(on_the_curve));
  CHECK_FALSE(space.is_free(on_the_box));
  CHECK_FALSE(space.is_free(outside));
  const std::array wishes{on_the_curve, on_the_box, outside, free};
  CHECK(space.first_free(wishes) == free);
  CHECK_FALSE(space.first_free(wishes));  // taken now
}

TEST_CASE("the places around a point touch neither it nor each other's label") {
  const Point point{50, 50};
  const auto places = places_around(point, {30, 12}, 6);
  CHECK(places.size() == 8);
  for (const Rect& place : places) {
    CHECK_FALSE(place.contains(point));
    CHECK(place.width == 30);
    CHECK(place.height == 12);
  }
  CHECK(places[0].x == 56);
  CHECK(places[1].right() == 44);
}

TEST_CASE("as many names as have room are placed around their dots, and none touches another") {
  LabelSpace space({0, 0, 200, 100});
  std::vector<Rect> placed;
  for (int i = 0; i < 60; ++i) {
    const Point dot{static_cast<float>(i * 37 % 200), static_cast<float>(i * 53 % 100)};
    if (const auto rect = space.first_free(places_around(dot, {40, 12}, 4))) placed.push_back(*rect);
  }
  CHECK(placed.size() > 5);
  CHECK(placed.size() < 60);
  for (std::size_t a = 0; a < placed.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) CHECK_FALSE(overlap(placed[a], placed[b]));
}

const std::vector<std::string> kSentence = {"the", "tired", "girl",  "who",   "sees", "a",    "red",
                                            "car", "buys",  "small", "green", "old",  "table"};

std::vector<TokenChip> words(int count) {
  std::vector<TokenChip> chips;
  for (int i = 0; i < count; ++i)
    chips.push_back({.text = kSentence[static_cast<size_t>(i) % kSentence.size()]});
  return chips;
}

struct Drawn {
  explicit Drawn(int keys, int queries, std::optional<int> pinned = {}) {
    options.keys = words(keys);
    options.queries = words(queries);
    options.row = options.keep_row = pinned;
    if (pinned) options.queries[static_cast<size_t>(*pinned)].pin = ChipPin::query;
    const auto hit = [](const char* side) {
      return [side](int word) { return HitRegion{.label = side + std::to_string(word)}; };
    };
    options.key_hit = hit("key ");
    options.query_hit = hit("query ");
    weights.assign(static_cast<size_t>(keys * queries), 1.0f / static_cast<float>(keys));
    sides = draw_ribbons(canvas, area, {.values = {weights.data(), queries, keys}}, options);
  }
  int whole(const std::string& word) const {
    return static_cast<int>(
        std::ranges::count_if(canvas.texts, [&](const auto& text) { return text.text == word; }));
  }

  Rect area{10, 10, 400, 200};
  RecordingCanvas canvas;
  RibbonsOptions options;
  std::vector<float> weights;
  RibbonSides sides;
};

TEST_CASE("every word of a long sentence stands there whole, over its own place") {
  for (const int count : {13, 16, 21, 24}) {
    const Drawn drawn(count, count);
    CHECK(drawn.sides.keys.shown == count);
    for (int i = 0; i < count; ++i) {
      const std::string& word = kSentence[static_cast<size_t>(i) % kSentence.size()];
      const int times = static_cast<int>(
          std::ranges::count_if(drawn.options.keys, [&](const TokenChip& c) { return c.text == word; }));
      CHECK_MESSAGE(drawn.whole(word) == 2 * times, word << " of " << count);
    }
    CHECK(overlapping_texts(drawn.canvas).empty());
    CHECK(texts_outside(drawn.canvas, drawn.area).empty());
    CHECK(texts_under(drawn.canvas, 10).empty());
  }
}

TEST_CASE("of very many words a part can be read, and what is left out is counted and leads on") {
  const Drawn drawn(8, 64);
  const int shown = drawn.sides.queries.shown;
  CHECK(drawn.sides.keys.shown == 8);
  CHECK(shown < 64);
  CHECK(shown >= 12);
  CHECK(drawn.whole("+ " + std::to_string(64 - shown)) == 1);
  CHECK(overlapping_texts(drawn.canvas).empty());
  CHECK(texts_outside(drawn.canvas, drawn.area).empty());
  CHECK(cut_texts(drawn.canvas).empty());
  const auto leads = [&](int word) {
    return std::ranges::any_of(drawn.canvas.regions, [&](const HitRegion& region) {
      return region.label == "query " + std::to_string(word);
    });
  };
  CHECK(leads(shown));
  CHECK_FALSE(leads(shown + 1));
}

TEST_CASE("the pinned word of a long sentence is in sight, with what is left out on both sides") {
  const Drawn drawn(64, 64, 30);
  const RibbonStrip& queries = drawn.sides.queries;
  CHECK(queries.in_sight(30));
  CHECK(queries.first > 0);
  CHECK(drawn.whole("+ " + std::to_string(queries.first)) == 1);
  CHECK(drawn.whole("+ " + std::to_string(64 - queries.first - queries.shown)) >= 1);
  CHECK(overlapping_texts(drawn.canvas).empty());
  CHECK(texts_outside(drawn.canvas, drawn.area).empty());
  // Its bands reach all keys, those that are left out at their mark.
  const auto blue = std::ranges::count_if(drawn.canvas.strokes, [&](const Stroke& stroke) {
    return stroke.color.with_alpha(1) == drawn.canvas.theme().query;
  });
  CHECK(blue == 48);  // 75 % of 64
}

TEST_CASE("bands thinner than a pixel are fainter, not as dark as wide ones") {
  const Drawn thin(64, 8), wide(4, 8);
  CHECK(thin.canvas.strokes.front().width == 1);
  CHECK(thin.canvas.strokes.front().color.a < wide.canvas.strokes.back().color.a / 3);
}

bool apart(const Rect& a, const Rect& b) {
  return a.right() <= b.x || b.right() <= a.x || a.bottom() <= b.y || b.bottom() <= a.y;
}

TEST_CASE("a tooltip lies inside the window, never over its cell or the question, wherever the mouse is") {
  const Point window{1024, 768};
  const std::vector<Rect> question{{700, 500, 300, 80}};
  for (float x = 2; x < window.x - 60; x += 97)
    for (float y = 2; y < window.y - 60; y += 83)
      for (const float cell : {12.0f, 40.0f, 56.0f}) {
        CAPTURE(x);
        CAPTURE(y);
        CAPTURE(cell);
        const Rect explained{x, y, cell, cell};
        const Rect box = tooltip_place({x + cell / 2, y + cell / 2}, {260, 50}, explained, question, window);
        CHECK(apart(box, explained));
        CHECK(apart(box, question[0]));
        CHECK(box.x >= 0);
        CHECK(box.y >= 0);
        CHECK(box.right() <= window.x);
        CHECK(box.bottom() <= window.y);
      }
  // What fills the window cannot be left free, but the question is.
  const Rect box = tooltip_place({720, 520}, {260, 50}, {0, 0, 1024, 768}, question, window);
  CHECK(apart(box, question[0]));
}

}  // namespace glassformer::shapes_test
