// Words that other programs stumble over, in every kind of figure.
#include <doctest/doctest.h>

#include "app/canvas/cairo_canvas.h"
#include "app/canvas/svg_canvas.h"
#include "app/figure/figure.h"
#include "engine/text/printable.h"

using namespace glassformer;

namespace {

const std::string kOdd = "a\xFF\x1B[0m\xEF\xBF\xBE\xF4\x8F\xBF\xBF \n z";

template <class Surface>
std::string with_odd_words(Surface canvas) {
  canvas.text({10, 20}, kOdd, {.color = rgb(0)});
  return canvas.finish();
}

}  // namespace

TEST_CASE("an SVG of any bytes holds printable text alone") {
  const std::string svg =
      with_odd_words(SvgCanvas(light_theme(), find_font_files(), {.size = {200, 100}, .title = kOdd}));
  CHECK(svg.find("<title>" + printable(kOdd) + "</title>") != std::string::npos);
  CHECK(svg.find('>' + printable(kOdd) + "</text>") != std::string::npos);
}

TEST_CASE("a PDF and a PNG of any bytes are drawn") {
  for (const CairoKind kind : {CairoKind::pdf, CairoKind::png})
    CHECK(with_odd_words(
              CairoCanvas(kind, light_theme(), find_font_files(), {.size = {200, 100}, .title = kOdd}))
              .size() > 100);
}

TEST_CASE("words that a spreadsheet would run are quoted, and numbers are not") {
  const std::string text = csv_text({{.title = "-cmd",
                                      .columns = {"=A1", "+3", "-2.5", "a-b"},
                                      .rows = {"@x", "\t=x", "-1"},
                                      .values = {{1, -2, 3e-5, 4}, {0, 0, 0, 0}, {0, 0, 0, 0}}}});
  CHECK(text.starts_with("'-cmd,'=A1,'+3,-2.5,a-b\r\n'@x,1,-2,"));
  CHECK(text.find("\r\n '=x,") != std::string::npos);
  CHECK(text.find("\r\n-1,") != std::string::npos);
}
