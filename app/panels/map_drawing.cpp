// What the map draws: layers, connectors, and the numbers in every block.
#include <algorithm>
#include <cmath>
#include <vector>

#include "app/panels/comparing.h"
#include "app/panels/lesson_guide.h"
#include "app/panels/map.h"
#include "app/panels/styles.h"
#include "app/panels/what_if_strip.h"
#include "app/widgets/block_diagram.h"
#include "app/widgets/marks.h"
#include "engine/model/place_words.h"

namespace glassformer {

namespace {

// A strip of at most so many rows and columns of a value, thinned evenly.
struct Strip {
  std::vector<float> values;
  HeatmapData data;
};

void fill_strip(Strip& strip, const Plane& plane, int rows, int most_rows, int most_columns) {
  rows = std::min(rows, plane.rows);
  const int out_rows = std::min(rows, most_rows), out_columns = std::min(plane.columns, most_columns);
  if (out_rows <= 0 || out_columns <= 0) return;
  strip.values.clear();
  for (int r = 0; r < out_rows; ++r)
    for (int c = 0; c < out_columns; ++c)
      strip.values.push_back(plane(r * rows / out_rows, c * plane.columns / out_columns));
  strip.data.values = {strip.values.data(), out_rows, out_columns};
}

// What a block draws from.
struct Numbers {
  Strip strip;
  std::vector<AttentionTable> heads;
};

struct ShownOfModel {
  int heads = 0;  // of the model
  int query = 0;
  std::optional<CoveredRow> covered = {};  // by a lesson
};

// What a block shows of the Trace: its heads, or a strip or bars of its numbers.
void add_numbers(MapBlock& block, Numbers& numbers, const MapItem& item, const Trace& trace,
                 const ShownOfModel& shown) {
  const auto strip_of = [&](const std::string& name, int most_rows) {
    const int rows = static_cast<int>((item.decoder ? trace.target_in : trace.source).front().size());
    if (trace.find(name)) fill_strip(numbers.strip, trace.plane(name), rows, most_rows, 48);
    if (numbers.strip.data.values.data) block.strip = numbers.strip.data;
  };
  if (item.part == MapPart::attention) {
    for (int h = 0; h < std::min(shown.heads, 8); ++h) {
      numbers.heads.push_back(map_tile(trace, item, h));
      if (const auto row = covered_row(shown.covered, item.kind, item.layer, h, 0))
        numbers.heads.back().cover(*row);
    }
    for (const AttentionTable& head : numbers.heads) block.heads.push_back(head.data());
  } else if (item.part == MapPart::feed_forward) {
    strip_of(name_in(item, BlockKind::feed_forward, ValueKind::hidden), 4);
  } else if (item.part == MapPart::embedding) {
    strip_of(name_in(item, BlockKind::embedding, ValueKind::embedding), 3);
  } else if (item.part == MapPart::output && trace.find(output_value(ValueKind::log_probabilities))) {
    const Plane p = trace.plane(output_value(ValueKind::log_probabilities));
    const int row = std::clamp(
        shown.query, 0, std::max(0, std::min(p.rows, static_cast<int>(trace.target_in.front().size())) - 1));
    // The likeliest of each of 40 equal parts of the vocabulary.
    const int bars = std::min(40, p.columns);
    for (int bar = 0; bar < bars; ++bar) {
      float most = -1e30f;
      for (int c = bar * p.columns / bars; c < (bar + 1) * p.columns / bars; ++c)
        most = std::max(most, p(row, c));
      block.bars.push_back(std::exp(most));
    }
  }
}

// What a what-if has done to it.
void mark_changes(MapBlock& block, const MapItem& item, const WhatIf& what_if) {
  block.changed = touched(what_if, item);
  if (item.part != MapPart::attention) return;
  block.muted = [&what_if, &item](int head, int row) {
    return what_if.mutes(item.kind, item.layer, head, row);
  };
}

// How a block is in this frame.
struct ItemNow {
  int heads = 0;  // of the model
  bool hovered = false, open = false;
};

void draw_item(ui::Ui& ui, const PanelInput& in, const MapItem& item, ItemNow now) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  if (item.part == MapPart::positions) {
    const bool lit = now.open || now.hovered;
    draw_position_sum(canvas, {item.rect.x + 10, item.rect.center().y});
    if (lit) canvas.circle({item.rect.x + 10, item.rect.center().y}, 9, {}, {.color = t.ink, .width = 2});
    return;
  }
  if (item.part == MapPart::add_norm) {
    draw_add_norm(canvas, item.rect, now.hovered, now.open);
    return;
  }
  if (item.part == MapPart::norm) {
    canvas.rectangle(item.rect, {.fill = now.hovered ? t.hover : t.sunken,
                                 .outline = now.open ? t.ink : t.border,
                                 .outline_width = now.open ? 2.0f : 1.0f,
                                 .radius = 4});
    canvas.text(item.rect.center(), item.name, styles::center(styles::caption(t)));
    return;
  }

  MapBlock block{.name = item.name, .hovered = now.hovered, .open = now.open};
  Numbers numbers;
  const Trace* trace = in.result ? in.result->trace.get() : nullptr;
  if (trace)
    add_numbers(block, numbers, item, *trace,
                {.heads = now.heads,
                 .query = in.session.shown().query.value_or(0),
                 .covered = in.input ? in.input->covered : std::nullopt});
  mark_changes(block, item, in.session.scene().what_if);
  draw_map_block(canvas, item.rect, block);
}

}  // namespace

AttentionTable map_tile(const Trace& trace, const MapItem& item, int head) {
  AttentionTable table = attention_table(trace, item.kind, item.layer, head, 0);
  table.hidden.clear();  // so small, the future is as dark as what is not read
  return table;
}

void offer_changes(ui::Ui& ui, const PanelInput& in, const MapItem& item, const Rect& at,
                   const ui::Response& response) {
  const std::optional<ValueName> block = response.menu ? block_of(item) : std::nullopt;
  if (block) open_block_menu(ui, in, *block, at);
}

void MapPanel::draw(ui::Ui& ui, const PanelInput& in, const MapDiagram& map, const Config& config) {
  draw_ground(ui, in, map);
  for (const MapItem& item : map.items) {
    const ui::Response response = ui.area(item.rect, item.label, "block");
    const bool open = map_item_open(in, item);
    if (open) ui.mark_selected(item.label);
    if (response.clicked) open_map_item(ui, in, item);
    offer_changes(ui, in, item, item.rect, response);
    draw_item(ui, in, item, {config.heads, response.hovered, open});
    const bool strip = item.part == MapPart::add_norm || item.part == MapPart::norm;
    if (strip && touched(in.session.scene().what_if, item)) draw_changed_dot(ui.canvas(), item.rect);
  }
}

namespace {

// The name of an open layer leads to what the decoder would write after each part.
void open_by_name(ui::Ui& ui, const MapFrame& frame, const std::string& name) {
  const Rect title{frame.rect.x + 2, frame.rect.y + 2, frame.rect.width - 4, 15};
  const ui::Response response =
      ui.area(title, "map: decoder " + layer_words(frame.layer) + " by layer", "button");
  ui.tooltip(title, "What the decoder would write after each part");
  if (response.hovered) {
    const TextStyle style{.size = 12, .color = ui.theme().ink};
    const float width = ui.canvas().measure(name, style).x;
    ui.canvas().text({frame.rect.x + 6, frame.rect.y + 11}, name, style);
    ui.canvas().line({frame.rect.x + 6, title.bottom()}, {frame.rect.x + 6 + width, title.bottom()},
                     {.color = ui.theme().ink});
  }
  if (response.clicked) ui.push(OpenView{"layers"});
}

}  // namespace

// What lies between the blocks: layers, a click on a closed one unfolds it, connectors and words.
void MapPanel::draw_ground(ui::Ui& ui, const PanelInput& in, const MapDiagram& map) {
  Canvas& canvas = ui.canvas();
  const Theme& t = in.theme;
  const Stroke connector{.color = t.second_text, .width = 1};
  for (const MapFrame& frame : map.frames) {
    const std::string name = capitalized(layer_words(frame.layer));
    if (!frame.closed) {
      draw_layer_frame(canvas, frame.rect, name);
      if (frame.decoder) open_by_name(ui, frame, name);
      continue;
    }
    const std::string stack = frame.decoder ? "decoder" : "encoder";
    const std::string label = "map: " + stack + " " + layer_words(frame.layer);
    const ui::Response response = ui.area(frame.rect, label, "layer");
    draw_closed_layer(canvas, frame.rect, name, response.hovered);
    if (touched(in.session.scene().what_if, frame)) draw_changed_dot(canvas, frame.rect);
    if (response.clicked) (frame.decoder ? decoder_ : encoder_) = frame.layer;
  }
  for (const auto& line : map.lines) draw_connector(canvas, line, connector);
  for (const auto& line : map.memory_key) draw_connector(canvas, line, {.color = t.key, .width = 1.5f}, true);
  for (const auto& line : map.memory_value)
    draw_connector(canvas, line, {.color = t.value, .width = 1.5f}, true);
  const TextStyle caption = styles::center(styles::caption(t));
  if (!map.memory_key.empty()) canvas.text(map.memory_caption, "memory", caption);
  canvas.text(map.next_caption, "next word", caption);
  const ModelTitle& title = in.session.title();
  canvas.text(map.source_caption, title.source_language, caption);
  canvas.text(map.target_caption, title.target_language + " so far", caption);
}

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
    if (Segmented(ui, {rect.right() - kPadding - width, y - 16, width, 32}, "Left column", {"Map", "Steps"},
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
          ui.scroll.to("map", {0, item.rect.center().y - rect.center().y});
    }
    const Rect content = ui.scroll.begin(rect, "map", {rect.width, map.height});
    map = unfolded(in, config, {content.x, content.y, rect.width, map.height});
  }
  draw(ui, in, map, config);
  if (scrolls) ui.scroll.end();
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
    std::vector<Rect> changed;  // dots lie over what is close above
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
      ui.tooltip(small, item.name + (item.layer >= 0 ? ", " + layer_words(item.layer) : std::string()));
      // Where positions are added has no box: the embedding represents it.
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
