#include "tests/ui/picture_checks.h"
#include "app/views/view_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace glassformer {

Rect area_for(const View& view, const ViewInput& input, Point stage) {
  const Point needed = view.minimum_size(input);
  return {10, 20, std::max(stage.x, needed.x), std::max(stage.y, needed.y)};
}

RecordingCanvas drawn(const View& view, const SampleScene& scene, Point stage) {
  RecordingCanvas canvas;
  view.picture(canvas, scene.input(), area_for(view, scene.input(), stage));
  return canvas;
}

RecordingCanvas picture_of(const View& view, const ViewInput& input, const Rect& area, bool file) {
  RecordingCanvas canvas(light_theme(), file);
  view.picture(canvas, input, area);
  return canvas;
}

std::vector<std::string> complaints(const View& view, const ViewInput& input, Shapes shapes) {
  // Of windows of 1024 x 768 and 1600 x 1000 at font scale 1 and 2, and larger.
  constexpr Point kStages[] = {{512, 240}, {560, 400}, {720, 520},  {760, 560},
                               {800, 320}, {976, 483}, {1000, 660}, {1400, 900}};
  std::vector<std::string> found;
  // A file waits for what is worked out aside, so that it comes between no two pictures.
  RecordingCanvas file(light_theme(), true);
  view.picture(file, input, area_for(view, input, kStages[6]));
  for (const Point& stage : kStages) {
    for (const bool dark : {false, true}) {
      const Rect area = area_for(view, input, stage);
      const std::string where = std::to_string(static_cast<int>(stage.x)) + (dark ? " dark: " : " light: ");
      RecordingCanvas canvas(dark ? dark_theme() : light_theme()), again(canvas.theme());
      view.picture(canvas, input, area);
      view.picture(again, input, area);
      if (canvas.texts.size() < 4) found.push_back(where + "hardly any text");
      if (shapes == Shapes::many && canvas.rectangles.size() + canvas.lines.size() < 10 &&
          canvas.grids.empty())
        found.push_back(where + "hardly any shape");
      if (canvas.clips != 0) found.push_back(where + "clips left open");
      for (const std::string& each : texts_outside(canvas, area)) found.push_back(where + "outside: " + each);
      for (const std::string& each : overlapping_texts(canvas)) found.push_back(where + "overlap: " + each);
      for (const std::string& each : texts_on_curves(canvas)) found.push_back(where + "on a curve: " + each);
      for (const std::string& each : texts_under(canvas, 10)) found.push_back(where + "tiny: " + each);
      for (const RecordingCanvas::Grid& each : canvas.grids)
        if (each.rect.x < area.x - 1 || each.rect.right() > area.right() + 1 ||
            each.rect.bottom() > area.bottom() + 1)
          found.push_back(where + "a heatmap outside, to " + std::to_string(each.rect.right()) + ", " +
                          std::to_string(each.rect.bottom()));
      for (const RecordingCanvas::Rectangle& each : canvas.rectangles)
        if (each.rect.x < area.x - 2 || each.rect.right() > area.right() + 2 ||
            each.rect.bottom() > area.bottom() + 2)
          found.push_back(where + "a box outside, at " + std::to_string(each.rect.x) + ", " +
                          std::to_string(each.rect.y));
      std::set<std::string> labels;
      for (const HitRegion& each : canvas.regions)
        if (!labels.insert(each.label).second) found.push_back(where + "twice: " + each.label);
      bool same =
          canvas.texts.size() == again.texts.size() && canvas.rectangles.size() == again.rectangles.size();
      for (size_t i = 0; same && i < canvas.texts.size(); ++i)
        same = canvas.texts[i].text == again.texts[i].text && canvas.texts[i].box == again.texts[i].box;
      for (size_t i = 0; same && i < canvas.rectangles.size(); ++i)
        same = canvas.rectangles[i].rect == again.rectangles[i].rect &&
               canvas.rectangles[i].box.fill == again.rectangles[i].box.fill;
      if (!same) found.push_back(where + "another picture the second time");
    }
  }
  return found;
}

std::string in_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

std::optional<HitRegion> live_part(const RecordingCanvas& canvas, const std::string& label) {
  for (const HitRegion& each : canvas.regions)
    if (each.label == label) return each;
  for (const HitGrid& grid : canvas.hit_grids)
    for (int row = 0; row < grid.rows; ++row)
      for (int column = 0; column < grid.columns; ++column)
        if (const HitRegion cell = region_at(grid, row, column); cell.label == label) return cell;
  return std::nullopt;
}

bool says(const RecordingCanvas& canvas, std::string_view part) {
  std::string all;
  for (const auto& text : canvas.texts) all += text.text + " ";
  return contains(all, part);
}

NumberTable titled(const std::vector<NumberTable>& tables, const std::string& title) {
  for (const NumberTable& each : tables)
    if (each.title == title) return each;
  throw std::runtime_error("no table " + title);
}

Selection pinned_by(const RecordingCanvas& canvas, const std::string& label) {
  const std::optional<HitRegion> part = live_part(canvas, label);
  if (!part || !part->click) throw std::runtime_error("nothing to click called " + label);
  return part->click->get<SetPin>().selection;
}

InspectorPage inspector_page(const View& view, const ViewInput& input) {
  const std::optional<InspectorPage> page = view.inspect(input);
  REQUIRE(page);
  return *page;
}

const InspectorSection* section_of(const InspectorPage& page, const std::string& heading) {
  for (const InspectorSection& section : page.sections)
    if (section.heading == heading) return &section;
  return nullptr;
}

std::unique_ptr<View> make_view(const std::string& name) {
  for (const ViewEntry& entry : view_table())
    if (name == entry.name) return entry.make();
  throw std::runtime_error("no view called " + name);
}

}  // namespace glassformer
