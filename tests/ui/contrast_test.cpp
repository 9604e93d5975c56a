// What is written can be read: the contrast of every text of every view, measured from pixels, in both themes
// (WCAG 2.1: 4.5 to 1; of what is no text, 3 to 1).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "app/canvas/cairo_canvas.h"
#include "app/views/view_table.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"

namespace glassformer {
namespace {

constexpr float kScale = 3;  // stems are solid at that size

double channel(double level) {
  const double value = level / 255;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const Color& color) {
  return 0.2126 * channel(double(color.r)) + 0.7152 * channel(double(color.g)) +
         0.0722 * channel(double(color.b));
}

double contrast(double a, double b) {
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

// The paper under a text: letters cover less than half of its box and a little round it.
double background(const CairoCanvas& picture, const Rect& letters) {
  const Rect box = letters.inset(-1.5f);
  std::vector<double> all;
  for (int y = int(box.y * kScale); y < int(box.bottom() * kScale); ++y)
    for (int x = int(box.x * kScale); x < int(box.right() * kScale); ++x)
      all.push_back(luminance(picture.pixel(x, y)));
  if (all.empty()) return -1;
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  return *middle;
}

// What is drawn of it: the pixel next to the colour it was given; 0 when that is there, larger when it was
// painted over.
double missed_by(const CairoCanvas& picture, const Rect& box, double wanted) {
  double best = 1;
  for (int y = int(box.y * kScale); y < int(box.bottom() * kScale); ++y)
    for (int x = int(box.x * kScale); x < int(box.right() * kScale); ++x)
      best = std::min(best, std::abs(luminance(picture.pixel(x, y)) - wanted));
  return best;
}

double blended(const Color& color, double under) {
  const double share = double(color.a) / 255;
  return share * luminance(color) + (1 - share) * under;
}

}  // namespace

TEST_CASE("every text of every view stands out by 4.5 to 1, in both themes") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400, 0.2);
  for (const Theme& theme : {light_theme(), dark_theme()})
    for (const ViewEntry& entry : view_table()) {
      const auto view = entry.make();
      const ViewInput input = scene.input();
      const Rect area = area_for(*view, input, {1000, 704});
      const Point size{area.right() + 8, area.bottom() + 8};
      RecordingCanvas words(theme, true);
      view->picture(words, input, area);
      CairoCanvas picture(CairoKind::png, theme, find_font_files(), {.size = size}, kScale);
      view->picture(picture, input, area);
      std::ostringstream faint;
      for (const RecordingCanvas::Text& text : words.texts) {
        if (text.text.empty() || text.text == " " || text.box.width < 2) continue;
        if (text.box.x < 2 || text.box.y < 2 || text.box.right() > size.x - 2 ||
            text.box.bottom() > size.y - 2)
          continue;
        const double under = background(picture, text.box);
        if (under < 0) continue;
        const double wanted = blended(text.style.color, under);
        const double found = missed_by(picture, text.box, wanted) > 0.1 ? 1 : contrast(wanted, under);
        if (found < 4.5) faint << entry.name << ": “" << text.text << "” " << found << "\n";
      }
      CHECK_MESSAGE(faint.str().empty(), (theme.dark ? "dark\n" : "light\n") << faint.str());
    }
}

}  // namespace glassformer
