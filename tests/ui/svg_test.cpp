#include "app/canvas/svg_canvas.h"

#include <doctest/doctest.h>

#include <clocale>
#include <cmath>
#include <vector>

#include "tests/ui/component_sheet.h"
#include "tests/ui/text_checks.h"

using namespace glassformer;

namespace {

SvgCanvas canvas_of(Point size = {200, 100}) {
  return SvgCanvas(light_theme(), find_font_files(), {.size = size});
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// Tags are closed in order, attributes are quoted, nothing is left open. Empty when all is well.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::size_t end = text.find(';', i);
      const std::string name = end == std::string::npos ? "" : text.substr(i + 1, end - i - 1);
      if (name != "amp" && name != "lt" && name != "gt" && name != "quot")
        return "entity at " + std::to_string(i);
    }
    if (text[i] == '>') return "stray > at " + std::to_string(i);
    if (text[i] != '<') continue;
    std::size_t end = i + 1;
    bool quoted = false;
    for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (quoted && text[end] == '<') return "< in an attribute";
    }
    if (end == text.size()) return "open tag";
    const std::string tag = text.substr(i + 1, end - i - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", tag.starts_with("/") ? 1 : 0));
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return "wrong end of " + tag;
      open.pop_back();
    } else if (!tag.starts_with("?") && !tag.ends_with("/")) {
      open.push_back(name);
    }
    i = end;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace

TEST_CASE("every component as SVG is well-formed XML") {
  for (const ComponentSheet& sheet : component_sheets()) {
    for (const Theme& theme : {light_theme(), dark_theme()}) {
      SvgCanvas canvas(theme, find_font_files(), {.size = sheet.size, .title = "a < b & \"c\""});
      sheet.draw(canvas);
      CHECK(xml_fault(canvas.finish()) == "");
    }
  }
}

TEST_CASE("text in SVG stays text, with its font, size and escaped signs") {
  SvgCanvas canvas = canvas_of();
  canvas.text({10, 20}, "<eos> & “voit”",
              {.font = Font::semibold, .size = 12, .color = rgb(0x1B1F24), .x = AlignX::center});
  const std::string svg = canvas.finish();
  CHECK(contains(svg, ">&lt;eos&gt; &amp; “voit”</text>"));
  CHECK(contains(svg, "font-family=\"Inter, sans-serif\" font-weight=\"600\" font-size=\"12\""));
  CHECK(contains(svg, "text-anchor=\"middle\""));
}

TEST_CASE("blanks at the ends of a text are kept") {
  SvgCanvas canvas = canvas_of();
  canvas.text({10, 20}, " + ", {.color = rgb(0)});
  CHECK(contains(canvas.finish(), "xml:space=\"preserve\"> + </text>"));
}

TEST_CASE("control characters of a sentence show that they are there and do not break the document") {
  SvgCanvas canvas = canvas_of();
  canvas.text({10, 20}, std::string_view("a\x01\x1b\0b", 5), {.color = rgb(0)});
  const std::string svg = canvas.finish();
  CHECK(contains(svg, ">a\uFFFD\uFFFD\uFFFDb</text>"));
}

TEST_CASE("a small grid is crisp rectangles, a large one an embedded image") {
  std::vector<Color> colors;
  for (int i = 0; i < 65 * 65; ++i) colors.push_back(rgb(static_cast<std::uint32_t>(i)));
  SvgCanvas small = canvas_of();
  small.grid({0, 0, 40, 40}, 4, 4, std::span(colors).first(16));
  const std::string rects = small.finish();
  CHECK(contains(rects, "crispEdges"));
  CHECK(count(rects, "<rect") == 16 + 2);  // the background, and the ground behind the cells
  SvgCanvas large = canvas_of();
  large.grid({0, 0, 65, 65}, 65, 65, colors);
  const std::string image = large.finish();
  CHECK(count(image, "<rect") == 1);
  CHECK(contains(image, "data:image/png;base64,iVBORw0KGgo"));  // the first bytes of any PNG
}

TEST_CASE("behind the cells of a grid lies the darkest of their colours, as large as all of them") {
  const std::vector<Color> colors{rgb(0xFFFFFF), rgb(0x203040), rgb(0x80A0C0),
                                  rgb(0xF0F0F0), rgb(0x304060), rgb(0x909090)};
  SvgCanvas canvas = canvas_of();
  canvas.grid({10, 20, 60, 30}, 2, 3, colors);
  const std::string text = canvas.finish();
  const std::size_t ground = text.find("x=\"10\" y=\"20\" width=\"60\" height=\"30\"");
  REQUIRE(ground != std::string::npos);
  CHECK(contains(text.substr(ground, 90), "#203040"));
}

TEST_CASE("hatches are lines inside their shape: one path each, and no pattern") {
  SvgCanvas canvas = canvas_of();
  const Rect box{7, 3, 40, 22};
  canvas.rectangle(box, {.radius = 6, .hatch = rgb(0xC8C6BF)});
  const std::string text = canvas.finish();
  CHECK(count(text, "<pattern") == 0);
  REQUIRE(count(text, "<path d=\"M") == 1);
  std::size_t at = text.find("<path d=\"") + 9;
  const std::size_t end = text.find('"', at);
  int ends = 0;
  while (at < end) {
    ++at;  // M or L
    std::size_t used = 0;
    const float x = std::stof(text.substr(at), &used);
    at += used + 1;
    const float y = std::stof(text.substr(at), &used);
    at += used;
    CHECK(std::abs(std::remainder(x + y, 5.0f)) < 0.02f);
    CHECK(
        (x >= box.x - 0.01f && x <= box.right() + 0.01f && y >= box.y - 0.01f && y <= box.bottom() + 0.01f));
    ++ends;
  }
  CHECK(ends >= 2 * 11);
}

TEST_CASE("the same picture twice is the same SVG, whatever the locale") {
  const auto drawn = [] {
    SvgCanvas canvas = canvas_of();
    canvas.polyline(std::vector<Point>{{0.5f, 1.25f}, {1 / 3.0f, 2}}, {.color = rgb(0), .width = 1.5f});
    canvas.rectangle(
        {1, 2, 30, 20},
        {.fill = rgb(0xFFFFFF), .outline = rgb(0), .radius = 4, .dashed = true, .hatch = rgb(0xC8C6BF)});
    return canvas.finish();
  };
  const std::string first = drawn();
  std::setlocale(LC_ALL, "de_DE.UTF-8");
  CHECK(drawn() == first);
  std::setlocale(LC_ALL, "C");
  CHECK(contains(first, "points=\"0.5,1.25 0.33,2\""));
}

TEST_CASE("clips are closed even when a picture forgot to") {
  SvgCanvas canvas = canvas_of();
  canvas.push_clip({0, 0, 10, 10});
  canvas.text({1, 1}, "a", {.color = rgb(0)});
  CHECK(xml_fault(canvas.finish()) == "");
}
