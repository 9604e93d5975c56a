#include "app/panels/map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "app/panels/shell.h"
#include "app/panels/styles.h"
#include "app/widgets/block_diagram.h"

namespace glassformer {

namespace {

// Rows of a decoder that do not see a key: the future.
HeatmapData attention_tile(const Trace& trace, const MapItem& item, int head) {
  HeatmapData data{.values =
                       trace.plane(attention_value(item.kind, item.layer, ValueKind::weights), 0, head)};
  // Shapes are padded to the longest of the batch; the first sentence alone is shown.
  const auto queries = (item.decoder ? trace.target_in : trace.source).front().size();
  data.values.rows = std::min(data.values.rows, static_cast<int>(queries));
  return data;
}

// The layer that a value of this stack lies in: "decoder.layers.1.norm2" gives 1.
std::optional<int> layer_in(const std::string& name, bool encoder) {
  const std::optional<ValueName> read = read_name(name);
  if (!read || !in_layer(read->block) || read->encoder != encoder) return std::nullopt;
  return read->layer;
}

// The name of a value of this block.
std::string name_in(const MapItem& item, BlockKind block, ValueKind value) {
  return written({block, value, !item.decoder, item.layer, item.norm});
}

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

// What a block shows of the Trace: its heads, or a strip or bars of its numbers. `strip` holds what the block
// draws from.
void add_numbers(MapBlock& block, Strip& strip, const MapItem& item, const Trace& trace, int heads,
                 int query) {
  const auto strip_of = [&](const std::string& name, int most_rows) {
    const int rows = static_cast<int>((item.decoder ? trace.target_in : trace.source).front().size());
    if (trace.find(name)) fill_strip(strip, trace.plane(name), rows, most_rows, 48);
    if (strip.data.values.data) block.strip = strip.data;
  };
  if (item.part == MapPart::attention) {
    for (int h = 0; h < std::min(heads, 8); ++h) block.heads.push_back(attention_tile(trace, item, h));
  } else if (item.part == MapPart::feed_forward) {
    strip_of(name_in(item, BlockKind::feed_forward, ValueKind::hidden), 4);
  } else if (item.part == MapPart::embedding) {
    strip_of(name_in(item, BlockKind::embedding, ValueKind::embedding), 3);
  } else if (item.part == MapPart::output && trace.find("log_probabilities")) {
    const Plane p = trace.plane("log_probabilities");
    const int row = std::clamp(
        query, 0, std::max(0, std::min(p.rows, static_cast<int>(trace.target_in.front().size())) - 1));
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
  if (item.part == MapPart::embedding) block.changed = what_if.drop_positions;
  if (item.part != MapPart::attention) return;
  for (int h = 0; h < static_cast<int>(block.heads.size()); ++h) {
    const bool muted = std::ranges::any_of(what_if.muted_heads, [&](const MutedHead& m) {
      return m.layer == item.layer && m.head == h && m.block == item.kind;
    });
    block.muted_heads.push_back(muted);
    block.changed = block.changed || muted;
  }
  if (item.kind == AttentionKind::decoder && what_if.drop_causal_mask) block.changed = true;
  if (what_if.drop_scale) block.changed = true;
}

}  // namespace

// The first number that a block computes: where its steps begin in the Walk.
CellRef Shell::first_cell(const MapItem& item) const {
  const auto named = [&](BlockKind block, ValueKind value) { return name_in(item, block, value); };
  const Selection& pinned = session_.pinned();
  const int sentence = pinned.sentence;
  switch (item.part) {
    case MapPart::attention:
      return {attention_value(item.kind, item.layer, ValueKind::query),
              {sentence, std::max(0, pinned.head), 0, 0}};
    case MapPart::feed_forward:
      return {named(BlockKind::feed_forward, ValueKind::pre_activation), {sentence, 0, 0}};
    case MapPart::add_norm:
      return {named(BlockKind::add_norm, ValueKind::residual), {sentence, 0, 0}};
    case MapPart::norm:
      return {named(BlockKind::add_norm, ValueKind::normed), {sentence, 0, 0}};
    case MapPart::embedding: {
      const std::string lookup = named(BlockKind::embedding, ValueKind::lookup);
      const bool scaled = result_ && result_->trace && result_->trace->find(lookup) != nullptr;
      return {scaled ? lookup : named(BlockKind::embedding, ValueKind::embedding), {sentence, 0, 0}};
    }
    case MapPart::positions:
      return {named(BlockKind::embedding, ValueKind::positions), {0, 0}};
    case MapPart::output:
      return {"logits", {sentence, 0, 0}};
  }
  return {};
}

// Which value of the Trace a block's click explains.
CellRef Shell::map_cell(const MapItem& item) const {
  const int row = session_.pinned().query.value_or(0);
  switch (item.part) {
    case MapPart::feed_forward:
      return {name_in(item, BlockKind::feed_forward, ValueKind::hidden), {0, row, 0}};
    case MapPart::add_norm:
    case MapPart::norm:
      return {name_in(item, BlockKind::add_norm, ValueKind::normed), {0, row, 0}};
    default:
      return {name_in(item, BlockKind::embedding, ValueKind::input), {0, row, 0}};
  }
}

void Shell::open_map_item(const MapItem& item) {
  const bool around =
      item.part == MapPart::feed_forward || item.part == MapPart::add_norm || item.part == MapPart::norm;
  const bool walks =
      view_ == "walk" || around || (item.part == MapPart::attention && current_view()->shows_block());
  if (walks) ui_->push(OpenStep{.cell = first_cell(item), .pin = false});
  if (!walks) open_map_view(item);
  if (map_open_ && layout_.map_place == MapPlace::hidden) map_open_ = false;
}

void Shell::open_map_view(const MapItem& item) {
  switch (item.part) {
    case MapPart::attention: {
      Selection s = selection_of(item.kind);
      s.layer = item.layer;
      s.cell.reset();
      ui_->push(SetPin{s});
      if (view_ != "masks" || item.kind != AttentionKind::decoder) ui_->push(OpenView{"attention"});
      break;
    }
    case MapPart::embedding:
      ui_->push(OpenView{"embedding"});
      break;
    case MapPart::positions:
      ui_->push(OpenView{"positions"});
      break;
    case MapPart::output:
      ui_->push(OpenView{"output"});
      break;
    case MapPart::feed_forward:
    case MapPart::add_norm:
    case MapPart::norm:
      break;
  }
}

bool Shell::map_item_open(const MapItem& item) {
  if (!computing_.empty()) {
    const std::string name = first_cell(item).name;
    const bool block = item.part == MapPart::attention || item.part == MapPart::feed_forward;
    if (block) return computing_.starts_with(name.substr(0, name.rfind('.') + 1));
    if (item.part == MapPart::output) return computing_ == name || computing_ == "log_probabilities";
    if (item.part == MapPart::embedding)
      return computing_.starts_with(name.substr(0, name.find('.'))) && !computing_.ends_with(".positions");
    if (item.part == MapPart::positions) return computing_ == name;
    return computing_ == name || computing_ == name_in(item, BlockKind::add_norm, ValueKind::normed);
  }
  const Selection& s = session_.pinned();
  const auto input = view_input();
  const View* view = current_view();
  switch (item.part) {
    case MapPart::attention:
      return input && view && (view->shows_weights() || view->follows_kind()) &&
             view->attention_kind(*input) == item.kind && s.layer == item.layer && !cell_outside_attention();
    case MapPart::embedding:
      return view_ == "embedding" || view_ == "tokens";
    case MapPart::positions:
      return view_ == "positions";
    case MapPart::output:
      return view_ == "output";
    default:
      return s.cell && s.cell->name == map_cell(item).name;
  }
}

// The pinned number belongs to another block than an attention.
bool Shell::cell_outside_attention() const {
  const auto& cell = session_.pinned().cell;
  if (!cell) return false;
  const std::optional<ValueName> read = read_name(cell->name);
  return !read || !is_attention(read->block);
}

// The layers of what is looked at are open: of the step, else of what is pinned, unless opened by hand.
MapDiagram Shell::unfolded_map(const Config& config, const Rect& rect) const {
  const Selection& pinned = session_.pinned();
  const bool encoder_kind = pinned.kind == AttentionKind::encoder;
  const auto computed = [this](bool encoder) { return layer_in(computing_, encoder); };
  return map_diagram(config, rect,
                     map_encoder_.value_or(computed(true).value_or(encoder_kind ? pinned.layer : 0)),
                     map_decoder_.value_or(computed(false).value_or(encoder_kind ? 0 : pinned.layer)));
}

void Shell::map_column(const Rect& whole, bool drawer) {
  ui::Ui& ui = *ui_;
  Rect rect = whole;
  const Theme& t = theme_;
  if (drawer)
    ui.canvas().line({rect.right() - 0.5f, rect.y}, {rect.right() - 0.5f, rect.bottom()},
                     {.color = t.border});
  // The Walk puts its steps here; a switch brings the map back.
  const auto input = view_input();
  const bool steps = view_ == "walk" && input && input->result.gradients;
  if (steps) {
    const float y = rect.y + kBreadcrumb / 2, width = ui.segmented_width({"Map", "Steps"});
    ui.canvas().text({rect.x + kPadding, y}, "Walk", styles::heading(t));
    int shown = walk_map_ ? 0 : 1;
    if (ui.Segmented({rect.right() - kPadding - width, y - 16, width, 32}, "Left column", {"Map", "Steps"},
                     shown))
      walk_map_ = shown == 0;
    rect.y += kBreadcrumb, rect.height -= kBreadcrumb;
  }
  const bool map_wanted = view_ == "walk" && walk_map_;
  if (input && !map_wanted && current_view()->left_column(ui, shown_input(*input), rect)) return;
  const Snapshot* snapshot = result_ ? result_->snapshot.get() : session_.snapshot();
  if (!snapshot) {
    paragraph(ui.canvas(), {rect.x + kPadding, rect.y + 16}, rect.width - 2 * kPadding,
              "The model's blocks will stand here, drawn as in the paper.", styles::caption(t));
    return;
  }
  const Config& config = snapshot->config;
  MapDiagram map = unfolded_map(config, rect);
  const bool scrolls = map.height > rect.height + 0.5f;
  if (scrolls) {
    // The block of the step that the stage has come to is brought into sight.
    if (map_shows_ != computing_) {
      map_shows_ = computing_;
      for (const MapItem& item : map.items)
        if (!computing_.empty() && map_item_open(item))
          ui.scroll_to("map", {0, item.rect.center().y - rect.center().y});
    }
    const Rect content = ui.begin_scroll(rect, "map", {rect.width, map.height});
    map = unfolded_map(config, {content.x, content.y, rect.width, map.height});
  }
  draw_map(map, config);
  if (scrolls) ui.end_scroll();
}

void Shell::draw_map(const MapDiagram& map, const Config& config) {
  ui::Ui& ui = *ui_;
  Canvas& canvas = ui.canvas();
  const Theme& t = theme_;
  const Trace* trace = result_ ? result_->trace.get() : nullptr;
  const Stroke connector{.color = t.second_text, .width = 1};

  for (const MapFrame& frame : map.frames) {
    const std::string name = "Layer " + std::to_string(frame.layer + 1);
    if (!frame.closed) {
      draw_layer_frame(canvas, frame.rect, name);
      continue;
    }
    const std::string label = std::string("map: ") + (frame.decoder ? "decoder " : "encoder ") + "layer " +
                              std::to_string(frame.layer + 1);
    const ui::Response response = ui.area(frame.rect, label, "layer");
    draw_closed_layer(canvas, frame.rect, name, response.hovered);
    if (response.clicked) (frame.decoder ? map_decoder_ : map_encoder_) = frame.layer;
  }
  for (const auto& line : map.lines) draw_connector(canvas, line, connector);
  for (const auto& line : map.memory_key) draw_connector(canvas, line, {.color = t.key, .width = 1.5f}, true);
  for (const auto& line : map.memory_value)
    draw_connector(canvas, line, {.color = t.value, .width = 1.5f}, true);
  const TextStyle caption = styles::center(styles::caption(t));
  if (!map.memory_key.empty()) canvas.text(map.memory_caption, "memory", caption);
  canvas.text(map.next_caption, "next word", caption);
  const ModelTitle& title = session_.title();
  canvas.text(map.source_caption, title.source_language, caption);
  canvas.text(map.target_caption, title.target_language + " so far", caption);

  const WhatIf& what_if = session_.scene().what_if;
  for (const MapItem& item : map.items) {
    const ui::Response response = ui.area(item.rect, item.label, "block");
    const bool open = map_item_open(item);
    if (open) ui.mark_selected(item.label);
    if (response.clicked) open_map_item(item);
    if (item.part == MapPart::positions) {
      const bool lit = open || response.hovered;
      draw_position_sum(canvas, {item.rect.x + 10, item.rect.center().y});
      if (lit) canvas.circle({item.rect.x + 10, item.rect.center().y}, 9, {}, {.color = t.ink, .width = 2});
      continue;
    }
    if (item.part == MapPart::add_norm) {
      draw_add_norm(canvas, item.rect, response.hovered, open);
      continue;
    }
    if (item.part == MapPart::norm) {
      canvas.rectangle(item.rect, {.fill = response.hovered ? t.hover : t.sunken,
                                   .outline = open ? t.ink : t.border,
                                   .outline_width = open ? 2.0f : 1.0f,
                                   .radius = 4});
      canvas.text(item.rect.center(), item.name, styles::center(styles::caption(t)));
      continue;
    }

    MapBlock block{.name = item.name, .hovered = response.hovered, .open = open};
    Strip strip;
    if (trace) add_numbers(block, strip, item, *trace, config.heads, session_.shown().query.value_or(0));
    mark_changes(block, item, what_if);
    draw_map_block(canvas, item.rect, block);
  }
}

}  // namespace glassformer
