// Canvases, and what is drawn on them.
#include <doctest/doctest.h>
#include <zlib.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/canvas/canvas.h"
#include "app/canvas/dash.h"
#include "app/canvas/file_canvas.h"
#include "app/canvas/png.h"
#include "app/panels/map.h"
#include "engine/math/error.h"
#include "tests/random_models.h"
#include "tests/ui/component_sheet.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/text_checks.h"

namespace glassformer::canvas_test {

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
    CHECK_FALSE(contains(cut, "\xc3\xe2"));
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

FileCanvas picture(float scale = 1, bool white = true) {
  return FileCanvas(FileKind::png, light_theme(), find_font_files(), {.size = {120, 80}, .white = white},
                    scale);
}

std::string sheet_bytes(const ComponentSheet& sheet, FileKind kind, const Theme& theme, float scale) {
  FileCanvas canvas(kind, theme, find_font_files(), {.size = sheet.size, .title = sheet.name}, scale);
  sheet.draw(canvas);
  return canvas.finish();
}

TEST_CASE("neighbouring cells meet without a seam at every scale") {
  for (float scale : {1.0f, 1.5f, 2.0f, 3.3f}) {
    FileCanvas canvas = picture(scale);
    for (int i = 0; i < 10; ++i) {
      canvas.rectangle({10 + static_cast<float>(i) * 7.3f, 10, 7.3f, 20}, {.fill = rgb(0x0072B2)});
    }
    const int y = static_cast<int>(20 * scale);
    for (int x = static_cast<int>(11 * scale); x < static_cast<int>(80 * scale); ++x)
      CHECK(canvas.pixel(x, y) == rgb(0x0072B2));
  }
}

TEST_CASE("a level line of one pixel covers exactly one row of pixels") {
  FileCanvas canvas = picture();
  canvas.line({10, 40}, {100, 40}, {.color = rgb(0), .width = 1});
  int dark = 0;
  for (int y = 0; y < 80; ++y) dark += canvas.pixel(50, y) != rgb(0xFFFFFF);
  CHECK(dark == 1);
}

TEST_CASE("an outline stays inside its rectangle") {
  FileCanvas canvas = picture();
  canvas.rectangle({20, 20, 60, 40}, {.outline = rgb(0), .outline_width = 2, .radius = 6});
  for (int x = 0; x < 120; ++x) {
    CHECK(canvas.pixel(x, 19) == rgb(0xFFFFFF));
    CHECK(canvas.pixel(x, 60) == rgb(0xFFFFFF));
  }
  CHECK(canvas.pixel(50, 20) == rgb(0));
  CHECK(canvas.pixel(50, 21) == rgb(0));
  CHECK(canvas.pixel(50, 22) == rgb(0xFFFFFF));
}

TEST_CASE("text leaves ink between where it begins and ends, and nowhere else") {
  FileCanvas canvas = picture();
  const TextStyle style{.size = 18, .color = rgb(0)};
  canvas.text({20, 40}, "voit", style);
  const float width = canvas.measure("voit", style).x;
  bool inked = false;
  for (int y = 0; y < 80; ++y) {
    for (int x = 0; x < 120; ++x) {
      if (canvas.pixel(x, y) == rgb(0xFFFFFF)) continue;
      inked = true;
      CHECK(static_cast<float>(x) >= 19);
      CHECK(static_cast<float>(x) <= 21 + width);
    }
  }
  CHECK(inked);
}

TEST_CASE("the background is paper, or white when asked") {
  CHECK(picture(1, false).pixel(3, 3) == light_theme().paper);
  CHECK(picture(1, true).pixel(3, 3) == rgb(0xFFFFFF));
}

TEST_CASE("a clip holds back what lies outside") {
  FileCanvas canvas = picture();
  canvas.push_clip({20, 20, 10, 10});
  canvas.rectangle({0, 0, 120, 80}, {.fill = rgb(0)});
  canvas.pop_clip();
  CHECK(canvas.pixel(25, 25) == rgb(0));
  CHECK(canvas.pixel(35, 25) == rgb(0xFFFFFF));
}

// With GLASSFORMER_SHEETS set to a folder, the sheets are written there for a person to look at.
TEST_CASE("every component drawn twice gives the same bytes, in both themes, as PNG and PDF") {
  const char* folder = std::getenv("GLASSFORMER_SHEETS");
  for (const ComponentSheet& sheet : component_sheets()) {
    for (const Theme& theme : {light_theme(), dark_theme()}) {
      const std::string png = sheet_bytes(sheet, FileKind::png, theme, 1);
      CHECK(png.starts_with("\x89PNG"));
      CHECK(png == sheet_bytes(sheet, FileKind::png, theme, 1));
      if (!folder) continue;
      const std::string name = sheet.name + (theme.dark ? "-dark" : "");
      std::ofstream(std::filesystem::path(folder) / (name + ".png"), std::ios::binary) << png;
      std::ofstream(std::filesystem::path(folder) / (name + "-2x.png"), std::ios::binary)
          << sheet_bytes(sheet, FileKind::png, theme, 2);
    }
    if (!writes_pdf()) continue;
    const std::string pdf = sheet_bytes(sheet, FileKind::pdf, light_theme(), 1);
    CHECK(pdf.starts_with("%PDF"));
    CHECK(pdf == sheet_bytes(sheet, FileKind::pdf, light_theme(), 1));
    // Fonts are embedded with a map back to letters: the text can be searched and copied.
    CHECK(contains(pdf, "/ToUnicode"));
  }
}

TEST_CASE("a build without Cairo says in a sentence that it writes no PDF") {
  if (writes_pdf()) return;
  CHECK_THROWS_WITH_AS(
      sheet_bytes(component_sheets().front(), FileKind::pdf, light_theme(), 1),
      "saving the figure: this build of the program writes no PDF (it was made without Cairo); "
      "choose PNG or SVG",
      Error);
}

TEST_CASE("a PNG of colours has each of them, and its alpha") {
  // Packed by zlib behind the signature and the head; each row begins with the number of its filter.
  const std::string png = encode_png(2, 1, std::array{Color{10, 20, 30, 255}, Color{12, 20, 29, 128}});
  const std::size_t from = 8 + 25 + 8;
  std::string row(9, '?');
  uLongf size = row.size();
  REQUIRE(uncompress(reinterpret_cast<Bytef*>(row.data()), &size,
                     reinterpret_cast<const Bytef*>(png.data() + from), png.size() - from - 16) == Z_OK);
  CHECK(row == std::string("\1\12\24\36\377\2\0\377\201", 9));
}

TEST_CASE("a PNG for a width of print says how many dots lie in a metre, any other says nothing") {
  CHECK_FALSE(contains(picture().finish(), "pHYs"));
  for (const double cm : {8.4, 16.0}) {
    FileCanvas canvas(FileKind::png, light_theme(), find_font_files(),
                      {.size = {317, 200}, .white = true, .print_cm = cm}, 3);
    const std::string png = canvas.finish();
    const std::size_t at = png.find("pHYs");
    REQUIRE(at == 8 + 12 + 13 + 4);  // the second chunk
    const auto number = [&](std::size_t from) {
      unsigned value = 0;
      for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png[at + from + i]);
      return value;
    };
    CHECK(number(4) == static_cast<unsigned>(std::lround(317 * 3 / (cm / 100))));
    CHECK(number(8) == number(4));
    CHECK(png[at + 12] == 1);  // the unit is the metre
  }
}

TEST_CASE("a worker thread draws the same picture as the main one") {
  const ComponentSheet sheet = component_sheets().front();
  const std::string here = sheet_bytes(sheet, FileKind::png, light_theme(), 1);
  std::string there;
  std::thread worker([&] { there = sheet_bytes(sheet, FileKind::png, light_theme(), 1); });
  worker.join();
  CHECK(here == there);
}

// ---- The thumbnails of the map.

TEST_CASE("a head's thumbnail on the map has the sentence's tokens, whatever stands beside it in the batch") {
  const Transformer<float> model = random_model<float>(small_config(), 5);
  const std::vector<std::vector<int>> sources{{5, 6, 7}, {5, 6, 7, 8, 9, 10, 4, 5}},
      targets{{4, 6}, {6, 7, 8, 4, 5, 6}};
  const Trace trace = record_trace(model, {sources, targets});
  const int source = static_cast<int>(trace.source[0].size()),
            target = static_cast<int>(trace.target_in[0].size());
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder, AttentionKind::cross}) {
    const MapItem item{.decoder = kind != AttentionKind::encoder, .kind = kind, .layer = 0};
    const std::string name = attention_value(kind, 0, ValueKind::weights);
    REQUIRE(trace.at(name).columns() > (kind == AttentionKind::decoder ? target : source));
    const AttentionTable tile = map_tile(trace, item, 1);
    CHECK(tile.rows == (kind == AttentionKind::encoder ? source : target));
    CHECK(tile.columns == (kind == AttentionKind::decoder ? target : source));
    const Plane weights = trace.plane(name, 0, 1);
    for (int row = 0; row < tile.rows; ++row)
      for (int column = 0; column < tile.columns; ++column)
        CHECK(tile.at(row, column) == weights(row, column));
  }
}

TEST_CASE("no component draws words over words or out of the sheet") {
  for (const ComponentSheet& sheet : component_sheets()) {
    for (bool file : {false, true}) {
      RecordingCanvas canvas(light_theme(), file);
      sheet.draw(canvas);
      CHECK(canvas.texts.size() > 50);
      CHECK(canvas.clips == 0);
      for (const std::string& pair : overlapping_texts(canvas)) FAIL_CHECK(pair);
      for (const std::string& text : texts_outside(canvas, {0, 0, sheet.size.x, sheet.size.y}))
        FAIL_CHECK(text);
    }
  }
}

}  // namespace glassformer::canvas_test
