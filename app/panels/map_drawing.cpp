// What the map draws: layers, connectors, and the numbers in every block.
#include <algorithm>
#include <cmath>

#include "app/panels/change_menu.h"
#include "app/panels/map_blocks.h"
#include "app/panels/map_panel.h"
#include "app/panels/styles.h"
#include "app/widgets/block_diagram.h"

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

struct Shown {
  int heads = 0;  // of the model
  int query = 0;
  std::optional<CoveredRow> covered = {};  // by a lesson
};

// What a block shows of the Trace: its heads, or a strip or bars of its numbers.
void add_numbers(MapBlock& block, Numbers& numbers, const MapItem& item, const Trace& trace,
                 const Shown& shown) {
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

// How a block stands in this frame.
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
      ui.area(title, "map: decoder layer " + std::to_string(frame.layer + 1) + " by layer", "button");
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
    const std::string name = "Layer " + std::to_string(frame.layer + 1);
    if (!frame.closed) {
      draw_layer_frame(canvas, frame.rect, name);
      if (frame.decoder) open_by_name(ui, frame, name);
      continue;
    }
    const std::string stack = frame.decoder ? "decoder" : "encoder";
    const std::string label = "map: " + stack + " layer " + std::to_string(frame.layer + 1);
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

}  // namespace glassformer
