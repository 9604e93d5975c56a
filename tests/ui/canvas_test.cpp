#include "app/canvas/canvas.h"

#include <doctest/doctest.h>

#include "app/canvas/dash.h"
#include "tests/ui/recording_canvas.h"

using namespace glassformer;

TEST_CASE("elided text is as long as fits and ends in an ellipsis") {
  RecordingCanvas canvas;
  const TextStyle style{.size = 14};
  CHECK(elided(canvas, "sees", style, 100) == "sees");
  const std::string cut = elided(canvas, "fatiguée par le voyage", style, 80);
  CHECK(cut.ends_with("…"));
  CHECK(canvas.measure(cut, style).x <= 80);
  CHECK(canvas.measure("fatiguée par le voyage", style).x > 80);
  CHECK(elided(canvas, "sees", style, 2) == "");
}

TEST_CASE("an ellipsis never cuts through a letter of several bytes") {
  RecordingCanvas canvas;
  const TextStyle style{.size = 14};
  for (float width = 10; width < 60; width += 1) {
    const std::string cut = elided(canvas, "éééééé", style, width);
    CHECK(cut.find("\xc3\xe2") == std::string::npos);
  }
}

TEST_CASE("a paragraph breaks at blanks, stays within its width and says how high it is") {
  RecordingCanvas canvas;
  const TextStyle style{.size = 12, .color = rgb(0)};
  const std::string words = "The decoder has just read one word and chooses the next.";
  const float height = paragraph(canvas, {10, 20}, 120, words, style);
  CHECK(canvas.texts.size() > 2);
  CHECK(height == doctest::Approx(static_cast<float>(canvas.texts.size()) * 12 * kLineHeight));
  CHECK(paragraph_height(canvas, 120, words, style) == doctest::Approx(height));
  CHECK(texts_outside(canvas, {10, 20, 120, height}).empty());
  std::string joined;
  for (const auto& line : canvas.texts) joined += (joined.empty() ? "" : " ") + line.text;
  CHECK(joined == words);
}

TEST_CASE("no line begins or ends with a sign that belongs to the word beside it") {
  const TextStyle style{.size = 12, .color = rgb(0)};
  const std::string words =
      "less than 90 % of 1 000 × 64 numbers ; lisez « First » et « Second » : lequel des deux ? 4 × 16 × 2";
  for (float width = 60; width < 260; width += 3) {
    RecordingCanvas canvas;
    paragraph(canvas, {0, 0}, width, words, style);
    std::string joined;
    for (const auto& line : canvas.texts) {
      joined += (joined.empty() ? "" : " ") + line.text;
      // Where even that has no room it breaks at any blank, and still fills its lines.
      if (canvas.measure("« Second » :", style).x > width) continue;
      CAPTURE(line.text);
      for (const char* sign : {"%", "×", ";", "»", ":", "?"}) CHECK_FALSE(line.text.starts_with(sign));
      for (const char* sign : {"×", "«"}) CHECK_FALSE(line.text.ends_with(sign));
      CHECK_FALSE(line.text.starts_with("000"));
    }
    CHECK(joined == words);
  }
}

TEST_CASE("right-aligned text ends at its point, centred text is centred") {
  RecordingCanvas canvas;
  canvas.text({100, 50}, "weight", {.color = rgb(0), .x = AlignX::right});
  canvas.text({100, 50}, "weight", {.color = rgb(0), .x = AlignX::center});
  CHECK(canvas.texts[0].box.right() == doctest::Approx(100));
  CHECK(canvas.texts[1].box.center().x == doctest::Approx(100));
  CHECK(canvas.texts[1].box.center().y == doctest::Approx(50));
}

TEST_CASE("dashes cover the share of a path that they should") {
  const std::vector<Point> path = {{0, 0}, {30, 0}, {30, 40}};
  float drawn = 0;
  for (const auto& [from, to] : dashes(path, 4, 3)) {
    CHECK((from.x == to.x || from.y == to.y));
    drawn += std::abs(to.x - from.x) + std::abs(to.y - from.y);
  }
  CHECK(drawn == doctest::Approx(40));  // 4 of every 7
}

TEST_CASE("a rounded path is closed and stays inside its rectangle") {
  const Rect rect{10, 20, 80, 30};
  const std::vector<Point> path = rounded_path(rect, 6);
  CHECK(path.front() == path.back());
  for (Point p : path) CHECK(rect.inset(-0.01f).contains(p));
}
