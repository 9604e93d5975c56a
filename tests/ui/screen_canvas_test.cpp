#include "app/canvas/screen_canvas.h"

#include <doctest/doctest.h>
#include <imgui.h>
#include <cmath>

#include "app/format/number_format.h"
#include "engine/text/unicode.h"
#include "tests/ui/component_sheet.h"
#include "tests/ui/recording_canvas.h"

using namespace glassformer;

namespace {

// Dear ImGui with baked fonts and a list to draw on, without any screen.
struct Screen {
  explicit Screen(float scale = 1) : fonts(find_font_files()) {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {1600 * scale, 1000 * scale};
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    fonts.bake(scale);
    ImGui::NewFrame();
    list = ImGui::GetBackgroundDrawList();
  }
  ~Screen() {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
  ScreenCanvas canvas(Point origin = {}) {
    return ScreenCanvas(*list, theme, fonts, {.origin = origin, .scale = fonts.scale()});
  }

  Theme theme = light_theme();
  BakedFonts fonts;
  ImDrawList* list = nullptr;
};

}  // namespace

TEST_CASE("text is measured alike on screen, in SVG and in PNG, at every scale") {
  RecordingCanvas other;
  for (float scale : {1.0f, 1.5f, 2.5f}) {
    Screen screen(scale);
    const ScreenCanvas canvas = screen.canvas();
    for (Font font : {Font::regular, Font::semibold, Font::mono}) {
      const TextStyle style{.font = font, .size = 12};
      CHECK(canvas.measure("fatiguée −0.60 Σ", style).x ==
            doctest::Approx(other.measure("fatiguée −0.60 Σ", style).x));
    }
  }
}

TEST_CASE("a cell of a grid that has a place of its own is found there at every scale") {
  for (float scale : {1.0f, 1.5f, 2.0f}) {
    Screen screen(scale);
    ScreenCanvas canvas = screen.canvas({30, 20});
    canvas.hit_grid({.rect = {0, 0, 100, 40}, .rows = 1, .columns = 2, .cell = [](int, int column) {
                       HitRegion region{.label = "cell " + std::to_string(column)};
                       if (column == 1) region.rect = {60, 10, 20, 8};
                       return region;
                     }});
    const auto own = canvas.find("cell 1"), share = canvas.find("cell 0");
    REQUIRE(own);
    CHECK(own->rect == Rect{30 + 60 * scale, 20 + 10 * scale, 20 * scale, 8 * scale});
    REQUIRE(share);
    CHECK(share->rect == Rect{30, 20, 50 * scale, 40 * scale});
  }
}

TEST_CASE("glyphs lie where the text was measured") {
  Screen screen(2);
  ScreenCanvas canvas = screen.canvas({100, 50});
  const TextStyle style{.size = 14, .color = rgb(0)};
  canvas.text({20, 30}, "weight", style);
  REQUIRE(screen.list->VtxBuffer.Size == 6 * 4);
  const float from = 100 + 40, to = from + canvas.measure("weight", style).x * 2;
  for (const ImDrawVert& v : screen.list->VtxBuffer) {
    CHECK(v.pos.x >= from - 3);
    CHECK(v.pos.x <= to + 3);
    CHECK(v.pos.y >= 50 + 60 - 18);
    CHECK(v.pos.y <= 50 + 60 + 20);
  }
}

TEST_CASE("letters and sizes that are not baked are noted down and baked for the next frame") {
  Screen screen;
  CHECK_FALSE(screen.fonts.wants_baking());
  ScreenCanvas canvas = screen.canvas();
  canvas.text({0, 20}, "ж", {.color = rgb(0)});
  CHECK(screen.fonts.wants_baking());
  ImGui::EndFrame();
  screen.fonts.bake(1);
  CHECK_FALSE(screen.fonts.wants_baking());
  canvas.text({0, 20}, "x", {.size = 33, .color = rgb(0)});
  CHECK(screen.fonts.wants_baking());
  screen.fonts.bake(1);
  const auto& run = screen.fonts.run(Font::regular, 14);
  BakedFonts::Quad quad;
  CHECK(screen.fonts.quad(run, U'ж', quad));
  CHECK_FALSE(screen.fonts.wants_baking());
  ImGui::NewFrame();
}

TEST_CASE("powers are baked before any is asked for: none is missing in its first frame") {
  Screen screen;
  for (const Font font : {Font::regular, Font::semibold, Font::mono}) {
    const auto& run = screen.fonts.run(font, 14);
    for (const char32_t c : code_points(format_power(-1234567890))) {
      BakedFonts::Quad quad;
      CAPTURE(static_cast<unsigned>(c));
      CHECK(screen.fonts.quad(run, c, quad) == (c != U' '));
    }
  }
  CHECK_FALSE(screen.fonts.wants_baking());
}

TEST_CASE("a letter that no installed font has is a box with its code and is not asked for again") {
  Screen screen;
  const auto& run = screen.fonts.run(Font::regular, 14);
  BakedFonts::Quad unknown;
  CHECK_FALSE(screen.fonts.quad(run, 0x0378, unknown));  // never assigned
  CHECK(screen.fonts.faces().advance(Font::regular, 0x0378) >
        screen.fonts.faces().width("U+0378", Font::regular, MissingSign::kSize));
  CHECK_FALSE(screen.fonts.wants_baking());
}

TEST_CASE("what a field or the screen cannot draw is a box, neither a question mark nor nothing") {
  Screen screen;
  const auto& run = screen.fonts.run(Font::regular, 14);
  BakedFonts::Quad box, replacement, question;
  REQUIRE(screen.fonts.quad(run, U'□', box));
  REQUIRE(screen.fonts.quad(run, 0xFFFD, replacement));  // what is left of an emoji that was typed
  REQUIRE(screen.fonts.quad(run, U'?', question));
  CHECK(replacement.u0 == box.u0);
  CHECK(replacement.v0 == box.v0);
  ImFont* const font = screen.fonts.im_font(Font::regular, 14);
  CHECK(font->FindGlyph(0xFFFD)->U0 == box.u0);
  CHECK(font->FindGlyph(0xFFFD)->U0 != question.u0);
}

TEST_CASE("filled edges lie on whole device pixels at every scale") {
  for (float scale : {1.0f, 1.25f, 1.7f}) {
    Screen screen(scale);
    ScreenCanvas canvas = screen.canvas({0.3f, 0.7f});
    canvas.rectangle({10.1f, 20.7f, 33.3f, 9.9f},
                     {.fill = rgb(0), .outline = rgb(0xFF), .outline_width = 1.5f});
    canvas.line({5, 60}, {90, 60}, {.color = rgb(0)});
    for (const ImDrawVert& v : screen.list->VtxBuffer) {
      CHECK(v.pos.x == std::round(v.pos.x));
      CHECK(v.pos.y == std::round(v.pos.y));
    }
  }
}

TEST_CASE("the region under the mouse is the topmost one that is not clipped away") {
  Screen screen(2);
  ScreenCanvas canvas = screen.canvas();
  canvas.hit({.rect = {0, 0, 100, 100}, .label = "below"});
  canvas.push_clip({0, 0, 50, 50});
  canvas.hit({.rect = {0, 0, 100, 100}, .label = "above"});
  canvas.pop_clip();
  CHECK(canvas.region_at({40, 40})->label == "above");
  CHECK(canvas.region_at({150, 40})->label == "below");  // device pixels: 75, outside the clip
  CHECK_FALSE(canvas.region_at({250, 40}));
  CHECK(canvas.find("above"));
  CHECK(canvas.labels().size() == 2);
}

TEST_CASE("one cell of a grid is found by mouse and by label") {
  Screen screen;
  ScreenCanvas canvas = screen.canvas({10, 20});
  canvas.hit_grid({.rect = {0, 0, 100, 50}, .rows = 5, .columns = 10, .cell = [](int row, int column) {
                     return HitRegion{.label = std::to_string(row) + "," + std::to_string(column)};
                   }});
  CHECK(canvas.region_at({10 + 35, 20 + 15})->label == "1,3");
  const auto region = canvas.find("4,9");
  REQUIRE(region);
  CHECK(region->rect == Rect{10 + 90, 20 + 40, 10, 10});
  CHECK(canvas.labels().size() == 50);
}

TEST_CASE("rows with bands of their own answer there, and nothing does between two of them") {
  Screen screen(2);
  ScreenCanvas canvas = screen.canvas();
  canvas.hit_grid({.rect = {0, 0, 100, 50},
                   .rows = 2,
                   .columns = 2,
                   .cell =
                       [](int row, int column) {
                         return HitRegion{.label = std::to_string(row) + "," + std::to_string(column)};
                       },
                   .bands = {{0, 0.2f}, {0.4f, 1}}});
  CHECK(canvas.region_at({2 * 75, 2 * 9})->label == "0,1");
  CHECK_FALSE(canvas.region_at({2 * 75, 2 * 15}));
  CHECK(canvas.region_at({2 * 25, 2 * 21})->label == "1,0");
  const auto region = canvas.find("1,1");
  REQUIRE(region);
  CHECK(region->rect.y == doctest::Approx(2 * 20));
  CHECK(region->rect.bottom() == doctest::Approx(2 * 50));
}

TEST_CASE("every component draws on screen within one list and leaves its clips balanced") {
  for (float scale : {1.0f, 2.0f}) {
    Screen screen(scale);
    for (const ComponentSheet& sheet : component_sheets()) {
      ScreenCanvas canvas = screen.canvas();
      const int clips = screen.list->_ClipRectStack.Size;
      sheet.draw(canvas);
      CHECK(screen.list->_ClipRectStack.Size == clips);
      CHECK(screen.list->VtxBuffer.Size > 1000);
    }
  }
}
