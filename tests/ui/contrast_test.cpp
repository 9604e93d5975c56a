// What is written and marked can be seen, in both themes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "app/canvas/file_canvas.h"
#include "app/views/view_table.h"
#include "app/widgets/token_strip.h"
#include "tests/ui/picture_checks.h"
#include "tests/ui/recording_canvas.h"
#include "tests/ui/sample_scene.h"
#include "tests/ui/small_program.h"

namespace glassformer::contrast_test {

// ---- What is written can be read: the contrast of every text of every view, measured from pixels, in both
// themes (WCAG 2.1: 4.5 to 1; of what is no text, 3 to 1).

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
double background(const FileCanvas& picture, const Rect& letters) {
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
double missed_by(const FileCanvas& picture, const Rect& box, double wanted) {
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
      FileCanvas picture(FileKind::png, theme, find_font_files(), {.size = size}, kScale);
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

// ---- What is no text but has to be seen stands out by 3 to 1 against what is beside it (WCAG 2.1, 1.4.11),
// in both themes, measured from pixels: outlines of focus and pin, knobs, switches, curves, links, chips.

constexpr double kMarks = 3;

double mark_light(const Color& color) {
  const auto channel = [](std::uint8_t level) {
    const double value = double(level) / 255;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.r) + 0.7152 * channel(color.g) + 0.0722 * channel(color.b);
}

double against(double a, double b) {
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

// What was drawn in the window.
class Screen {
 public:
  explicit Screen(OffscreenProgram& program) : pixels_(program.pixels(true)), size_(program.size()) {}
  double light(Point at) const {
    const auto index = [](float v, float length) {
      return static_cast<std::size_t>(std::clamp(v, 0.0f, length - 1));
    };
    return mark_light(
        pixels_[index(at.y, size_.y) * static_cast<std::size_t>(size_.x) + index(at.x, size_.x)]);
  }
  // The pixel on the way from outside to inside that differs most from where it begins.
  double edge(Point from, Point to) const {
    double best = 1;
    const float steps = std::max(std::abs(to.x - from.x), std::abs(to.y - from.y));
    for (float i = 0; i <= steps; ++i)
      best = std::max(best, against(light(from), light(from + (to - from) * (i / steps))));
    return best;
  }
  // Of an outline, on its left side.
  double left_edge(const Rect& rect, float from, float to) const {
    return edge({rect.x + from, rect.center().y}, {rect.x + to, rect.center().y});
  }

 private:
  std::vector<Color> pixels_;
  Point size_;
};

std::optional<ui::Widget> stop_now(OffscreenProgram& program) {
  for (const ui::Widget& widget : program.program().ui().registry().all())
    if (widget.focused && widget.kind != "segmented") return widget;
  return std::nullopt;
}

void tab_on_to(OffscreenProgram& program, const std::string& label) {
  for (int i = 0; i < 300; ++i) {
    program.press(ui::Key::tab);
    const auto stop = stop_now(program);
    if (stop && stop->label == label) return;
  }
  FAIL("Tab does not reach " << label);
}

TEST_CASE("focus, pin, knobs and switches stand out by 3 to 1, in both themes") {
  ScratchFolder scratch;
  const std::string folder = model_folder(scratch);
  for (const bool dark : {false, true}) {
    CAPTURE(dark);
    OffscreenProgram program({.model = folder, .size = {1600, 1000}, .dark = dark});
    begin(program);
    program.press(ui::Key::escape);
    program.move({1, 1});
    SUBCASE("the ring of a button, inside and outside") {
      tab_on_to(program, "Save figure");
      const Rect rect = program.find("Save figure")->rect;
      const Screen screen(program);
      CHECK(screen.left_edge(rect, -7, 0) >= kMarks);
    }
    SUBCASE("the ring of a chip and of a cell") {
      tab_on_to(program, "parts 1");
      CHECK(Screen(program).left_edge(stop_now(program)->rect, -7, 0) >= kMarks);
      tab_on_to(program, "grid 2");
      for (int i = 0; i < 4; ++i) {
        program.press(i % 2 == 0 ? ui::Key::right : ui::Key::down);
        const auto cell = program.find(stop_now(program)->value);
        REQUIRE(cell);
        const Screen screen(program);
        // Ink or paper, whichever the cells beside it are not.
        CHECK(screen.edge({cell->rect.x + 8, cell->rect.center().y},
                          {cell->rect.x - 4, cell->rect.center().y}) >= kMarks);
      }
    }
    SUBCASE("a slider: its knob on the track and the track") {
      program.program().shell().apply({OpenView{"lookup"}}, 0);
      REQUIRE(program.settle());
      const Rect rect = program.find("Query")->rect;
      const Screen screen(program);
      double knob = 1, track = 1;
      for (float x = rect.x; x < rect.right(); ++x)
        knob = std::max(knob, screen.edge({x, rect.center().y - 12}, {x, rect.center().y - 6}));
      // What lies behind the knob, too.
      track = screen.edge({rect.right() - 10, rect.center().y - 12}, {rect.right() - 10, rect.center().y});
      CHECK(knob >= kMarks);
      CHECK(track >= kMarks);
    }
    SUBCASE("switches, on and off") {
      int seen = 0;
      for (const ViewEntry& entry : view_table()) {
        program.program().shell().apply({OpenView{entry.name}}, 0);
        settle(program);
        const Screen screen(program);
        for (const ui::Widget& each : program.program().ui().registry().all()) {
          if (each.kind != "switch" || !each.enabled || each.visible.width < each.rect.width) continue;
          CAPTURE(each.label);
          ++seen;
          CHECK(screen.left_edge(each.rect, -4, 4) >= kMarks);
          // The place of the knob shows which state it is.
          const float y = each.rect.center().y, x = each.rect.x;
          CHECK(against(screen.light({x + 9, y}), screen.light({x + 23, y})) >= kMarks);
        }
      }
      CHECK(seen > 0);
    }
    SUBCASE("buttons, fields and blocks") {
      const Screen screen(program);
      for (const char* const label : {"Source sentence"}) {
        CAPTURE(std::string(label));
        CHECK(screen.left_edge(program.find(label)->rect, -3, 3) >= kMarks);
      }
      // A chip answers a little beyond its outline.
      const Rect chip = program.find("source chip 1")->rect;
      double best = 1;
      for (float y = 8; y < 24; y += 2)
        best = std::max(best, screen.edge({chip.x, chip.y + y}, {chip.x + 12, chip.y + y}));
      CHECK(best >= kMarks);
    }
  }
}

TEST_CASE("the outline of a pinned cell stands out by 3 to 1 whatever its colour, in both themes") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("attention");
  int seen = 0;
  for (const Theme& theme : {light_theme(), dark_theme()})
    for (const int key : {0, 1, 2, 3}) {
      Selection pin = scene.pinned;
      pin.query = 2;
      pin.key = key;
      scene.pin(pin);
      const ViewInput input = scene.input();
      const Rect area = area_for(*view, input, {1000, 704});
      RecordingCanvas shapes(theme);
      view->picture(shapes, input, area);
      FileCanvas picture(FileKind::png, theme, find_font_files(),
                         {.size = {area.right() + 8, area.bottom() + 8}}, 2);
      view->picture(picture, input, area);
      for (const RecordingCanvas::Rectangle& each : shapes.rectangles) {
        if (each.box.outline_width < 3 || !(each.box.outline == theme.ink) || each.rect.width < 12) continue;
        ++seen;
        const auto light = [&](float x) {
          return mark_light(picture.pixel(int((each.rect.x + x) * 2), int(each.rect.center().y * 2)));
        };
        double best = 1;
        for (float x = -2; x < 8; x += 0.5f) best = std::max(best, against(light(8), light(x)));
        CHECK(best >= kMarks);
      }
    }
  CHECK(seen > 0);
}

TEST_CASE("curves and links stand out by 3 to 1, in both themes") {
  SampleScene scene = make_sample_scene();
  add_run(scene, 400, 0.2);
  constexpr float kFine = 2;
  int seen = 0;
  for (const Theme& theme : {light_theme(), dark_theme()})
    for (const ViewEntry& entry : view_table()) {
      const auto view = entry.make();
      const ViewInput input = scene.input();
      const Rect area = area_for(*view, input, {1000, 704});
      const Point size{area.right() + 8, area.bottom() + 8};
      RecordingCanvas shapes(theme, true);
      view->picture(shapes, input, area);
      FileCanvas picture(FileKind::png, theme, find_font_files(), {.size = size}, kFine);
      view->picture(picture, input, area);
      const auto light = [&](Point at) {
        return mark_light(picture.pixel(std::clamp(int(at.x * kFine), 0, int(size.x * kFine) - 1),
                                        std::clamp(int(at.y * kFine), 0, int(size.y * kFine) - 1)));
      };
      std::ostringstream faint;
      for (std::size_t i = 0; i < shapes.lines.size(); ++i) {
        const auto& line = shapes.lines[i];
        const Stroke& stroke = shapes.strokes[i];
        // Lines of two points at right angles are rules and axes: they part, and say nothing themselves.
        if (line.size() < 4 || stroke.width < 1.25f || stroke.color.a < 255) continue;
        std::vector<double> ratios;
        for (const Point& at : line) {
          if (!area.contains(at)) continue;
          // The line itself, against what is a little above and below it.
          double best = 1;
          for (const float away : {-6.0f, 6.0f})
            best = std::max(best, against(mark_light(stroke.color), light(at + Point{0, away})));
          ratios.push_back(best);
        }
        if (ratios.empty()) continue;
        ++seen;
        std::ranges::sort(ratios);
        if (ratios[ratios.size() / 2] < kMarks)
          faint << entry.name << ": a curve of " << line.size() << " points at " << line.front().x << ", "
                << line.front().y << ": " << ratios[ratios.size() / 2] << "\n";
      }
      CHECK_MESSAGE(faint.str().empty(), (theme.dark ? "dark\n" : "light\n") << faint.str());
    }
  CHECK(seen > 10);
}

TEST_CASE("links of the beams' tree stand out by 3 to 1, in both themes") {
  SampleScene scene = make_sample_scene();
  const auto view = make_view("decode");
  const ViewInput input = scene.input();
  const Rect area = area_for(*view, input, {1000, 704});
  for (const Theme& theme : {light_theme(), dark_theme()}) {
    RecordingCanvas shapes(theme, true);
    view->picture(shapes, input, area);
    FileCanvas picture(FileKind::png, theme, find_font_files(),
                       {.size = {area.right() + 8, area.bottom() + 8}}, 2);
    view->picture(picture, input, area);
    // Most of the stage is what the links lie on; where many run they lie on each other.
    std::vector<double> samples;
    for (float y = area.y; y < area.bottom(); y += 4)
      for (float x = area.x; x < area.right(); x += 4)
        samples.push_back(mark_light(picture.pixel(int(x * 2), int(y * 2))));
    std::ranges::sort(samples);
    const double stage = samples[samples.size() / 2];
    int links = 0;
    for (std::size_t i = 0; i < shapes.lines.size(); ++i) {
      const auto& line = shapes.lines[i];
      if (line.size() != 2 || shapes.strokes[i].width < 1.5f || line.front().y != line.back().y) continue;
      const Point middle = (line.front() + line.back()) * 0.5f;
      const auto light = [&](float away) {
        return mark_light(picture.pixel(int(middle.x * 2), int((middle.y + away) * 2)));
      };
      const Color& color = shapes.strokes[i].color;
      const bool link = color == theme.control || color == theme.ink;
      if (!link || shapes.strokes[i].dashed || line.back().x - line.front().x < 16) continue;
      const double line_is = mark_light(color);
      if (std::abs(line_is - light(0)) > 0.02) continue;  // something lies over it
      ++links;
      CHECK(against(line_is, stage) >= kMarks);
    }
    CHECK(links > 0);
  }
}

}  // namespace glassformer::contrast_test
