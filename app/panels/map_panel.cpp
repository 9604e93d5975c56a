#include "app/panels/map_panel.h"
#include "app/panels/lesson_guide.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/comparing.h"
#include "app/panels/map_blocks.h"
#include "app/panels/styles.h"
#include "app/widgets/block_diagram.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

// The layer that a value of this stack lies in: "decoder.layers.1.norm2" gives 1.
std::optional<int> layer_in(const std::string& name, bool encoder) {
  const std::optional<ValueName> read = read_name(name);
  if (!read || !in_layer(read->block) || read->encoder != encoder) return std::nullopt;
  return read->layer;
}

}  // namespace

// The layers of what is looked at are open: of the step, else of what is pinned, unless opened by hand.
MapDiagram MapPanel::unfolded(const PanelInput& in, const Config& config, const Rect& rect) const {
  const Selection& pinned = in.session.pinned();
  const bool encoder_kind = pinned.kind == AttentionKind::encoder;
  const auto computed = [&in](bool encoder) { return layer_in(in.computing, encoder); };
  return map_diagram(config, rect,
                     encoder_.value_or(computed(true).value_or(encoder_kind ? pinned.layer : 0)),
                     decoder_.value_or(computed(false).value_or(encoder_kind ? 0 : pinned.layer)));
}

void MapPanel::column(ui::Ui& ui, const PanelInput& in, const Rect& whole, bool drawer) {
  Rect rect = whole;
  const Theme& t = in.theme;
  if (drawer)
    ui.canvas().line({rect.right() - 0.5f, rect.y}, {rect.right() - 0.5f, rect.bottom()},
                     {.color = t.border});
  // The Walk puts its steps here; a switch brings the map back.
  const bool steps = in.view_name == "walk" && in.input && in.input->result.gradients;
  if (steps) {
    const float y = rect.y + kBreadcrumb / 2, width = ui.segmented_width({"Map", "Steps"});
    ui.canvas().text({rect.x + kPadding, y}, "Walk", styles::heading(t));
    int shown = walk_shows_map_ ? 0 : 1;
    if (ui.Segmented({rect.right() - kPadding - width, y - 16, width, 32}, "Left column", {"Map", "Steps"},
                     shown))
      walk_shows_map_ = shown == 0;
    rect.y += kBreadcrumb, rect.height -= kBreadcrumb;
  }
  const bool map_wanted = in.view_name == "walk" && walk_shows_map_;
  if (in.input && !map_wanted &&
      in.view->column(ViewColumn::left, ui, in.comparing.shown_input(in.session, *in.input), rect))
    return;
  const Snapshot* snapshot = in.result ? in.result->snapshot.get() : in.session.snapshot();
  if (!snapshot) {
    paragraph(ui.canvas(), {rect.x + kPadding, rect.y + 16}, rect.width - 2 * kPadding,
              "The model's blocks will stand here, drawn as in the paper.", styles::caption(t));
    return;
  }
  const Config& config = snapshot->config;
  MapDiagram map = unfolded(in, config, rect);
  const bool scrolls = map.height > rect.height + 0.5f;
  if (scrolls) {
    // The block of the step that the stage has come to is brought into sight.
    if (shows_ != in.computing) {
      shows_ = in.computing;
      for (const MapItem& item : map.items)
        if (!in.computing.empty() && map_item_open(in, item))
          ui.scroll_to("map", {0, item.rect.center().y - rect.center().y});
    }
    const Rect content = ui.begin_scroll(rect, "map", {rect.width, map.height});
    map = unfolded(in, config, {content.x, content.y, rect.width, map.height});
  }
  draw(ui, in, map, config);
  if (scrolls) ui.end_scroll();
}

// The small window's map: every block as an outline, the open one in ink.
void MapPanel::rail(ui::Ui& ui, const PanelInput& in, const Rect& rect) const {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const float y_key = rect.bottom() - 56;
  const Snapshot* snapshot = in.result ? in.result->snapshot.get() : in.session.snapshot();
  if (snapshot) {
    // The diagram of the wide window, squeezed: a block is 14 wide.
    const MapDiagram map = unfolded(in, snapshot->config, {0, 0, 280, 704});
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
    const WhatIf& what_if = in.session.scene().what_if;
    std::vector<Rect> changed;  // dots lie over what stands close above
    for (const MapFrame& frame : map.frames) {
      if (!frame.closed) continue;
      const Rect small = squeezed(frame.rect, frame.decoder);
      canvas.rectangle(small, {.fill = t.sunken, .outline = t.border, .radius = 2});
      if (touched(what_if, frame)) changed.push_back(small);
    }
    for (const MapItem& item : map.items) {
      if (item.part == MapPart::positions) continue;
      const Rect small = squeezed(item.rect, item.decoder);
      const ui::Response response = ui.area(small, item.label, "block", false);
      ui.tooltip(small,
                 item.name + (item.layer >= 0 ? ", layer " + std::to_string(item.layer + 1) : std::string()));
      // Where positions are added has no room of its own: the embedding stands for it.
      const bool positions =
          item.part == MapPart::embedding && std::ranges::any_of(map.items, [&](const MapItem& each) {
            return each.part == MapPart::positions && each.decoder == item.decoder && map_item_open(in, each);
          });
      const bool open = positions || map_item_open(in, item);
      if (touched(what_if, item)) changed.push_back(small);
      if (open) ui.mark_selected(item.label);
      const bool strip = item.part == MapPart::add_norm || item.part == MapPart::norm;
      canvas.rectangle(small, {.fill = response.hovered ? t.hover
                                       : strip          ? t.sunken
                                                        : t.panel,
                               .outline = open ? t.ink : t.control,
                               .outline_width = open ? 2.0f : 1.0f,
                               .radius = 3});
      if (response.clicked) open_map_item(ui, in, item);
      offer_changes(ui, in, item, small, response);
      if (open && item.part == MapPart::attention && item.kind == AttentionKind::cross && foot > 0) {
        line_to(small.center().y - 2, t.key, 14, foot - 2);
        line_to(small.center().y + 2, t.value, 17, foot - 2);
      }
    }
    for (const Rect& block : changed) draw_changed_dot(canvas, block, 3);
  }
  const ui::Response response = ui.area({rect.x, y_key - 14, rect.width, 52}, "Open the map", "button");
  canvas.text({rect.center().x, y_key}, in.view_name == "training" ? "data" : "map",
              styles::center({.size = 12, .color = response.hovered ? t.ink : t.second_text}));
  draw_keycap(canvas, {rect.center().x - 11, y_key + 22}, "M");
  if (response.clicked) in.opened.map = !in.opened.map;
}

}  // namespace glassformer
