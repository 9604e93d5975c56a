// What is written can be read: the contrast of every text of every view, measured from pixels, in both themes
// (WCAG 2.1: 4.5 to 1; of what is no text, 3 to 1).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

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

// Of what is drawn in a rectangle against what most of it is.
double measured(const CairoCanvas& picture, const Rect& box) {
  std::map<int, int> counts;  // by luminance in steps of a thousandth
  std::vector<double> all;
  for (int y = int(box.y * kScale); y < int(box.bottom() * kScale); ++y)
    for (int x = int(box.x * kScale); x < int(box.right() * kScale); ++x) {
      all.push_back(luminance(picture.pixel(x, y)));
      ++counts[int(all.back() * 1000)];
    }
  if (all.empty()) return 21;
  const auto most = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
  double best = 1;
  for (const double each : all) best = std::max(best, contrast(each, most->first / 1000.0));
  return best;
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
        if (text.box.x < 0 || text.box.y < 0 || text.box.right() > size.x || text.box.bottom() > size.y)
          continue;
        const double found = measured(picture, text.box);
        if (found < 4.5) faint << entry.name << ": “" << text.text << "” " << found << "\n";
      }
      CHECK_MESSAGE(faint.str().empty(), (theme.dark ? "dark\n" : "light\n") << faint.str());
    }
}

}  // namespace glassformer
