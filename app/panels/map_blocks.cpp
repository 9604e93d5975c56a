#include "app/panels/map_blocks.h"

#include <algorithm>
#include <string>

#include "app/panels/navigation.h"
#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

namespace {

// The first number that a block computes: where its steps begin in the Walk.
CellRef first_cell(const PanelInput& in, const MapItem& item) {
  const auto named = [&](BlockKind block, ValueKind value) { return name_in(item, block, value); };
  const Selection& pinned = in.session.pinned();
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
      const bool scaled = in.result && in.result->trace && in.result->trace->find(lookup) != nullptr;
      return {scaled ? lookup : named(BlockKind::embedding, ValueKind::embedding), {sentence, 0, 0}};
    }
    case MapPart::positions:
      return {named(BlockKind::embedding, ValueKind::positions), {0, 0}};
    case MapPart::output:
      return {output_value(ValueKind::logits), {sentence, 0, 0}};
  }
  return {};
}

// Which value of the Trace a block's click explains.
CellRef map_cell(const PanelInput& in, const MapItem& item) {
  const int row = in.session.pinned().query.value_or(0);
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

// The value is made by this block of the map.
bool makes(const MapItem& item, const ValueName& value) {
  const bool same_layer = value.encoder == !item.decoder && value.layer == item.layer;
  switch (item.part) {
    case MapPart::attention:
      return attention_of(value) == item.kind && value.layer == item.layer;
    case MapPart::feed_forward:
      return value.block == BlockKind::feed_forward && same_layer;
    case MapPart::add_norm:
      return value.block == BlockKind::add_norm && same_layer && value.sublayer == item.norm &&
             (value.value == ValueKind::residual || value.value == ValueKind::normed);
    case MapPart::norm:
      return value.block == BlockKind::add_norm && same_layer && value.sublayer == item.norm &&
             value.value == ValueKind::normed;
    case MapPart::embedding:
      return in_embedding(value.block) && value.encoder == !item.decoder &&
             value.value != ValueKind::positions;
    case MapPart::positions:
      return value.value == ValueKind::positions && value.encoder == !item.decoder;
    case MapPart::output:
      return value.value == ValueKind::logits || value.value == ValueKind::log_probabilities;
  }
  return false;
}

// The pinned number belongs to another block than an attention.
bool cell_outside_attention(const Session& session) {
  const auto& cell = session.pinned().cell;
  if (!cell) return false;
  const std::optional<ValueName> read = read_name(cell->name);
  return !read || !is_attention(read->block);
}

bool shows_one_attention(const View& view) {
  const ViewTraits traits = view.traits();
  return traits.shows_weights || traits.follows_kind;
}

void open_map_view(ui::Ui& ui, const PanelInput& in, const MapItem& item) {
  switch (item.part) {
    case MapPart::attention: {
      Selection s = selection_of(in.session, item.kind);
      s.layer = item.layer;
      s.cell.reset();
      ui.push(SetPin{s});
      if (in.view_name != "masks" || item.kind != AttentionKind::decoder) ui.push(OpenView{"attention"});
      break;
    }
    case MapPart::embedding:
      ui.push(OpenView{"embedding"});
      break;
    case MapPart::positions:
      ui.push(OpenView{"positions"});
      break;
    case MapPart::output:
      ui.push(OpenView{"output"});
      break;
    case MapPart::feed_forward:
    case MapPart::add_norm:
    case MapPart::norm:
      break;
  }
}

}  // namespace

std::string name_in(const MapItem& item, BlockKind block, ValueKind value) {
  return written({block, value, !item.decoder, item.layer, item.norm});
}

std::optional<ValueName> block_of(const MapItem& item) {
  switch (item.part) {
    case MapPart::attention:
      return value_in(item.kind, item.layer, ValueKind::whole);
    case MapPart::feed_forward:
      return ValueName{BlockKind::feed_forward, ValueKind::whole, !item.decoder, item.layer};
    case MapPart::embedding:
    case MapPart::positions:
      return ValueName{BlockKind::embedding, ValueKind::whole, !item.decoder};
    case MapPart::output:
      return ValueName{BlockKind::output};
    case MapPart::add_norm:
    case MapPart::norm:
      break;
  }
  return std::nullopt;
}

bool touched(const WhatIf& what_if, const MapItem& item) {
  if (what_if.empty()) return false;
  if (const std::optional<ValueName> block = block_of(item)) return touches(what_if, *block);
  return touches(what_if, {BlockKind::add_norm, ValueKind::whole, !item.decoder, item.layer, item.norm});
}

bool touched(const WhatIf& what_if, const MapFrame& frame) {
  const auto in_layer = [&](MapPart part, AttentionKind kind, int norm) {
    return touched(
        what_if,
        MapItem{.part = part, .decoder = frame.decoder, .kind = kind, .layer = frame.layer, .norm = norm});
  };
  const AttentionKind own = frame.decoder ? AttentionKind::decoder : AttentionKind::encoder;
  const int sub_blocks = frame.decoder ? 3 : 2;
  bool any = in_layer(MapPart::attention, own, 0) || in_layer(MapPart::feed_forward, own, 0) ||
             (frame.decoder && in_layer(MapPart::attention, AttentionKind::cross, 0));
  for (int norm = 1; norm <= sub_blocks; ++norm) any = any || in_layer(MapPart::norm, own, norm);
  return any;
}

void open_map_item(ui::Ui& ui, const PanelInput& in, const MapItem& item) {
  const bool around =
      item.part == MapPart::feed_forward || item.part == MapPart::add_norm || item.part == MapPart::norm;
  const bool walks =
      in.view_name == "walk" || around || (item.part == MapPart::attention && in.view->traits().shows_block);
  if (walks) ui.push(OpenStep{.cell = first_cell(in, item), .pin = false});
  if (!walks) open_map_view(ui, in, item);
  if (in.opened.map && in.layout.map_place == MapPlace::hidden) in.opened.map = false;
}

bool map_item_open(const PanelInput& in, const MapItem& item) {
  if (!in.computing.empty()) {
    const std::optional<ValueName> made = read_name(in.computing);
    return made && makes(item, *made);
  }
  const Selection& s = in.session.pinned();
  switch (item.part) {
    case MapPart::attention:
      return in.input && in.view && shows_one_attention(*in.view) &&
             in.view->place(*in.input).attention.value_or(s.kind) == item.kind && s.layer == item.layer &&
             !cell_outside_attention(in.session);
    case MapPart::embedding:
      return in.view_name == "embedding" || in.view_name == "tokens";
    case MapPart::positions:
      return in.view_name == "positions";
    case MapPart::output:
      return in.view_name == "output";
    default:
      return s.cell && s.cell->name == map_cell(in, item).name;
  }
}

}  // namespace glassformer
