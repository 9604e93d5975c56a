#include "app/canvas/cairo_canvas.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/ui/component_sheet.h"

using namespace glassformer;

namespace {

CairoCanvas picture(float scale = 1, bool white = true) {
  return CairoCanvas(CairoKind::png, light_theme(), find_font_files(), {.size = {120, 80}, .white = white},
                     scale);
}

std::string sheet_bytes(const ComponentSheet& sheet, CairoKind kind, const Theme& theme, float scale) {
  CairoCanvas canvas(kind, theme, find_font_files(), {.size = sheet.size, .title = sheet.name}, scale);
  sheet.draw(canvas);
  return canvas.finish();
}

}  // namespace

TEST_CASE("neighbouring cells meet without a seam at every scale") {
  for (float scale : {1.0f, 1.5f, 2.0f, 3.3f}) {
    CairoCanvas canvas = picture(scale);
    for (int i = 0; i < 10; ++i) {
      canvas.rectangle({10 + static_cast<float>(i) * 7.3f, 10, 7.3f, 20}, {.fill = rgb(0x0072B2)});
    }
    const int y = static_cast<int>(20 * scale);
    for (int x = static_cast<int>(11 * scale); x < static_cast<int>(80 * scale); ++x)
      CHECK(canvas.pixel(x, y) == rgb(0x0072B2));
  }
}

TEST_CASE("a level line of one pixel covers exactly one row of pixels") {
  CairoCanvas canvas = picture();
  canvas.line({10, 40}, {100, 40}, {.color = rgb(0), .width = 1});
  int dark = 0;
  for (int y = 0; y < 80; ++y) dark += canvas.pixel(50, y) != rgb(0xFFFFFF);
  CHECK(dark == 1);
}

TEST_CASE("an outline stays inside its rectangle") {
  CairoCanvas canvas = picture();
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
  CairoCanvas canvas = picture();
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
  CairoCanvas canvas = picture();
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
      const std::string png = sheet_bytes(sheet, CairoKind::png, theme, 1);
      CHECK(png.starts_with("\x89PNG"));
      CHECK(png == sheet_bytes(sheet, CairoKind::png, theme, 1));
      if (!folder) continue;
      const std::string name = sheet.name + (theme.dark ? "-dark" : "");
      std::ofstream(std::filesystem::path(folder) / (name + ".png"), std::ios::binary) << png;
      std::ofstream(std::filesystem::path(folder) / (name + "-2x.png"), std::ios::binary)
          << sheet_bytes(sheet, CairoKind::png, theme, 2);
    }
    const std::string pdf = sheet_bytes(sheet, CairoKind::pdf, light_theme(), 1);
    CHECK(pdf.starts_with("%PDF"));
    CHECK(pdf == sheet_bytes(sheet, CairoKind::pdf, light_theme(), 1));
    // Fonts are embedded with a map back to letters: the text can be searched and copied.
    CHECK(pdf.find("/ToUnicode") != std::string::npos);
  }
}

TEST_CASE("a PNG for a width of print says how many dots lie in a metre, any other says nothing") {
  CHECK(picture().finish().find("pHYs") == std::string::npos);
  for (const double cm : {8.4, 16.0}) {
    CairoCanvas canvas(CairoKind::png, light_theme(), find_font_files(),
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
  const std::string here = sheet_bytes(sheet, CairoKind::png, light_theme(), 1);
  std::string there;
  std::thread worker([&] { there = sheet_bytes(sheet, CairoKind::png, light_theme(), 1); });
  worker.join();
  CHECK(here == there);
}
