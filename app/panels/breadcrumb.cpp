#include "app/panels/breadcrumb.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/navigation.h"
#include "app/panels/styles.h"

namespace glassformer {

namespace {

// Save figure stands at the right end; a moment after copying or saving it says so there. Returns where the
// path must end.
float draw_right_end(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const float y = rect.center().y;
  float right = rect.right() - kPadding;
  if (in.input) {
    const float width = std::ceil(ui.text_width("Save figure", 12)) + 26;
    const Rect save{right - width, y - 16, width, 32};
    const ui::Response response = ui.area(save, "Save figure", "button");
    ui.tooltip(save, "PNG, SVG, PDF or CSV (S)");
    const Color color = response.hovered ? t.ink : t.second_text;
    canvas.text({save.x, y}, "Save figure", {.size = 12, .color = color});
    ui::draw_icon(canvas, ui::Icon::save, {right - 8, y}, color);
    if (response.clicked) ui.push(OpenDialog{"save figure"});
    right = save.x - 16;
  }
  // Where no line under the stage leads to the inspector, this does.
  if (in.input && in.layout.inspector_place == InspectorPlace::hidden) {
    const float width = ui.text_width("Inspector", 12);
    if (ui.LinkButton({right - width, y - 10}, "Inspector",
                      {.tooltip = "What a number is and how it was computed (I)"}))
      in.opened.inspector = !in.opened.inspector;
    right -= width + 16;
  }
  const bool saving = in.said.saving;
  if (saving || in.time < in.said.until) {
    const std::string words =
        elided(canvas, saving ? "saving…" : in.said.text, styles::caption(t), rect.width * 0.5f);
    canvas.text({right, y}, words, styles::right(styles::caption(t)));
    ui.note({right - 80, y - 10, 80, 20}, "said", saving ? words : in.said.text);
    right -= ui.text_width(words, 12) + 16;
    ui.ask_frame(saving ? 0.2 : in.said.until - in.time);
  }
  return right;
}

}  // namespace

void draw_breadcrumb(ui::Ui& ui, const PanelInput& in, const Rect& rect) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  canvas.line({rect.x, rect.bottom() - 0.5f}, {rect.right(), rect.bottom() - 0.5f}, {.color = t.border});
  const float y = rect.center().y, right = draw_right_end(ui, in, rect);

  std::vector<std::string> parts{"Model"};
  if (in.input && in.view)
    for (std::string& part : in.view->place(*in.input).path) parts.push_back(std::move(part));
  // Too long a path loses its beginning.
  size_t first = 0;
  const auto width_from = [&](size_t from) {
    float width = 0;
    for (size_t i = from; i < parts.size(); ++i)
      width += ui.text_width(parts[i], 14, i + 1 == parts.size() ? Font::semibold : Font::regular) + 22;
    return width;
  };
  while (first + 1 < parts.size() && width_from(first) > right - rect.x - kPadding) ++first;
  float x = rect.x + kPadding;
  for (size_t i = first; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    const float width = ui.text_width(parts[i], 14, last ? Font::semibold : Font::regular);
    if (last) {
      canvas.text({x, y}, elided(canvas, parts[i], styles::heading(t), right - x), styles::heading(t));
    } else {
      const ui::Response response =
          ui.area({x - 4, y - 14, width + 8, 28}, "breadcrumb: " + parts[i], "button");
      canvas.text({x, y}, parts[i], response.hovered ? styles::body(t) : styles::body_second(t));
      if (response.clicked) go_up(ui, in, static_cast<int>(parts.size() - 1 - i));
    }
    x += width + 11;
    if (!last) ui::draw_icon(canvas, ui::Icon::chevron, {x, y}, t.second_text);
    x += 11;
  }
  std::string whole;
  for (const std::string& part : parts) whole += (whole.empty() ? "" : " > ") + part;
  ui.note({rect.x, rect.y, right - rect.x, rect.height}, "breadcrumb", whole);
}

}  // namespace glassformer
