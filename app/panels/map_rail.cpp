#include <algorithm>
#include <cmath>

#include "app/panels/map.h"
#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/marks.h"

namespace glassformer {

// The small window's map: every block as an outline, the open one in ink.
void Shell::map_rail(const Rect& rect) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  const float y_key = rect.bottom() - 56;
  const Snapshot* snapshot = result_ ? result_->snapshot.get() : session_.snapshot();
  if (snapshot) {
    // The diagram of the wide window, squeezed: a block is 14 wide.
    const MapDiagram map = unfolded_map(snapshot->config, {0, 0, 280, 704});
    const Rect to{rect.x, rect.y + 16, rect.width, std::min(y_key - 24 - rect.y - 16, 320.0f)};
    const float top = 20, factor = to.height / (map.height - top - 40);
    const auto squeezed = [&](const Rect& r, bool decoder) {
      const float y = std::round(to.y + (r.y - top) * factor),
                  end = std::round(to.y + (r.bottom() - top) * factor);
      return Rect{to.x + (decoder ? 26.0f : 8.0f), y, 14, std::max(3.0f, end - y)};
    };
    const auto line_to = [&](float y, Color color, float x, float foot) {
      const std::vector<Point> line{{to.x + x, foot}, {to.x + x, y}, {to.x + 26, y}};
      canvas.polyline(line, {.color = color, .width = 1.5f});
    };
    float foot = 0;
    for (const MapFrame& frame : map.frames)
      if (!frame.decoder)
        foot = foot == 0 ? squeezed(frame.rect, false).y : std::min(foot, squeezed(frame.rect, false).y);
    for (const MapFrame& frame : map.frames)
      if (frame.closed)
        canvas.rectangle(squeezed(frame.rect, frame.decoder),
                         {.fill = t.sunken, .outline = t.border, .radius = 2});
    for (const MapItem& item : map.items) {
      if (item.part == MapPart::positions) continue;
      const Rect small = squeezed(item.rect, item.decoder);
      const ui::Response response = ui.area(small, item.label, "block", false);
      ui.tooltip(small,
                 item.name + (item.layer >= 0 ? ", layer " + std::to_string(item.layer + 1) : std::string()));
      const bool open = map_item_open(item);
      if (open) ui.mark_selected(item.label);
      const bool strip = item.part == MapPart::add_norm || item.part == MapPart::norm;
      canvas.rectangle(small, {.fill = response.hovered ? t.hover
                                       : strip          ? t.sunken
                                                        : t.panel,
                               .outline = open ? t.ink : t.control,
                               .outline_width = open ? 2.0f : 1.0f,
                               .radius = 3});
      if (response.clicked) open_map_item(item);
      if (open && item.part == MapPart::attention && item.kind == AttentionKind::cross && foot > 0) {
        line_to(small.center().y - 2, t.key, 14, foot - 2);
        line_to(small.center().y + 2, t.value, 17, foot - 2);
      }
    }
  }
  const ui::Response response = ui.area({rect.x, y_key - 14, rect.width, 52}, "Open the map", "button");
  canvas.text({rect.center().x, y_key}, view_ == "training" ? "data" : "map",
              styles::center({.size = 12, .color = response.hovered ? t.ink : t.second_text}));
  draw_keycap(canvas, {rect.center().x - 11, y_key + 22}, "M");
  if (response.clicked) map_open_ = !map_open_;
}

}  // namespace glassformer
