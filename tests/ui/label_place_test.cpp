#include "app/widgets/label_place.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace glassformer;

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
