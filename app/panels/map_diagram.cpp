#include <algorithm>
#include <cmath>
#include <string>

#include "app/panels/map.h"
#include "app/panels/stage.h"
#include "engine/model/place_words.h"
#include "engine/model/what_if/change_kinds.h"

namespace glassformer {

namespace {

constexpr float kTitle = 19, kMapStrip = 16, kDiagramGap = 6, kFeedForward = 38, kAttention = 50,
                kFrameGap = 12;
constexpr float kClosed = 24, kEmbedding = 32, kOutput = 44, kInset = 6;
constexpr float kMapFoot = 134;  // from the frames' bottom to the area's: sum, embedding, caption
constexpr float kMapHead = 80;   // above the decoder's frames: "next word", output block

// A layer unfolded: title, then blocks each with its norm, bottom up.
float open_height(int attentions) {
  return kTitle + kMapStrip + kDiagramGap + kFeedForward +
         static_cast<float>(attentions) * (kDiagramGap + kMapStrip + kDiagramGap + kAttention) + 3;
}

float stack_height(int layers, int attentions, bool collapse) {
  if (layers == 0) return 0;
  const float gaps = static_cast<float>(layers - 1) * (collapse ? kDiagramGap : kFrameGap);
  if (!collapse) return static_cast<float>(layers) * open_height(attentions) + gaps;
  return static_cast<float>(layers - 1) * kClosed + open_height(attentions) + gaps;
}

struct Builder {
  const Config& config;
  MapDiagram& map;
  float frame_width;
  bool narrow;  // short names

  void layer(bool decoder, int index, float x, float top) {
    const std::string prefix =
        std::string("map: ") + (decoder ? "decoder" : "encoder") + " " + layer_words(index) + " ";
    const float block = x + kInset, width = frame_width - 2 * kInset;
    const bool pre = config.norm == NormPlace::pre;
    const int sublayers = decoder ? 3 : 2;
    float y = top + kTitle;
    for (int s = sublayers; s >= 1; --s) {
      const bool feed_forward = s == sublayers;
      const float height = feed_forward ? kFeedForward : kAttention;
      // Post-norm: the norm is above its block; pre-norm: below it, where the block's input passes.
      const auto strip = [&] {
        map.items.push_back({.part = pre ? MapPart::norm : MapPart::add_norm,
                             .decoder = decoder,
                             .layer = index,
                             .norm = s,
                             .name = pre ? "Norm" : "Add & norm",
                             .label = prefix + (pre ? "norm " : "add & norm ") + std::to_string(s),
                             .rect = {block, y, width, kMapStrip}});
        y += kMapStrip + kDiagramGap;
      };
      if (!pre) strip();
      MapItem item{.part = feed_forward ? MapPart::feed_forward : MapPart::attention,
                   .decoder = decoder,
                   .layer = index};
      if (feed_forward) {
        item.name = "Feed-forward";
        item.label = prefix + "feed-forward";
      } else {
        item.kind = !decoder ? AttentionKind::encoder
                    : s == 2 ? AttentionKind::cross
                             : AttentionKind::decoder;
        item.name = !decoder ? "Self-attention"
                    : s == 2 ? (narrow ? "Cross-att." : "Cross-attention")
                    : narrow ? "Masked att."
                             : "Masked self-att.";
        item.label = prefix + (!decoder ? "self-attention"
                               : s == 2 ? "cross-attention"
                                        : "masked self-attention");
      }
      item.rect = {block, y, width, height};
      map.items.push_back(item);
      y += height + kDiagramGap;
      if (pre) strip();
    }
  }

  // Returns the top of the stack.
  float stack(bool decoder, int layers, bool collapse, int open, float x, float bottom) {
    const int attentions = decoder ? 2 : 1;
    float y = bottom;
    for (int i = 0; i < layers; ++i) {
      const bool closed = collapse && i != open;
      const float height = closed ? kClosed : open_height(attentions);
      map.frames.push_back(
          {.decoder = decoder, .layer = i, .closed = closed, .rect = {x, y - height, frame_width, height}});
      if (!closed) layer(decoder, i, x, y - height);
      const float above = y - height - (collapse ? kDiagramGap : kFrameGap);
      if (i + 1 < layers)
        map.lines.push_back({{x + frame_width / 2, y - height}, {x + frame_width / 2, above}});
      y = i + 1 < layers ? above : y - height;
    }
    return y;
  }
};

}  // namespace

MapDiagram map_diagram(const Config& config, const Rect& area, int open_encoder, int open_decoder) {
  MapDiagram map;
  const bool narrow = area.width < 270;
  const float side = narrow ? 8 : 16, frame = std::floor((area.width - 2 * side - 8) / 2);
  const float encoder_x = area.x + side, decoder_x = area.right() - side - frame;
  Builder builder{config, map, frame, narrow};
  const int encoders = config.encoder_layers, decoders = config.decoder_layers;
  open_encoder = std::clamp(open_encoder, 0, std::max(0, encoders - 1));
  open_decoder = std::clamp(open_decoder, 0, std::max(0, decoders - 1));

  // Closed layers collapse where all of them would not fit.
  const bool collapse =
      std::max(stack_height(decoders, 2, false) + kMapHead, stack_height(encoders, 1, false)) + kMapFoot >
      area.height;
  const float stacks =
      std::max(stack_height(decoders, 2, collapse) + kMapHead, stack_height(encoders, 1, collapse) + 40);
  map.width = area.width;
  map.height = std::max(area.height, stacks + kMapFoot);
  const float bottom = area.y + map.height - kMapFoot;
  const float encoder_top = builder.stack(false, encoders, collapse, open_encoder, encoder_x, bottom);
  const float decoder_top = builder.stack(true, decoders, collapse, open_decoder, decoder_x, bottom);

  // Below: embedding, the sum with the positions, the words.
  for (const bool decoder : {false, true}) {
    const float x = decoder ? decoder_x : encoder_x, middle = x + frame / 2;
    const std::string words = decoder ? "target" : "source";
    const float embedding = bottom + 36;
    const bool positions = config.adds_positions();
    map.items.push_back({.part = MapPart::embedding,
                         .decoder = decoder,
                         .name = "Embedding",
                         .label = "map: " + words + " embedding",
                         .rect = {x + kInset, embedding, frame - 2 * kInset, kEmbedding}});
    if (positions)
      map.items.push_back({.part = MapPart::positions,
                           .decoder = decoder,
                           .name = "Positions",
                           .label = "map: " + words + " positions",
                           .rect = {middle - 10, bottom + 8, 64, 20}});
    map.lines.push_back({{middle, embedding}, {middle, positions ? bottom + 26 : bottom}});
    if (positions) map.lines.push_back({{middle, bottom + 10}, {middle, bottom}});
    (decoder ? map.target_caption : map.source_caption) = {middle, embedding + kEmbedding + 13};
  }

  // Above the decoder: the next word.
  const Rect output{decoder_x + kInset, decoder_top - kFrameGap - kOutput, frame - 2 * kInset, kOutput};
  map.items.push_back({.part = MapPart::output,
                       .decoder = true,
                       .name = narrow ? "Softmax" : "Linear, softmax",
                       .label = "map: output",
                       .rect = output});
  map.lines.push_back({{output.center().x, decoder_top}, {output.center().x, output.bottom()}});
  map.next_caption = {output.center().x, output.y - 11};

  // The memory reaches every cross-attention that is unfolded, as keys and as values.
  if (encoders > 0) {
    const float up = encoder_top - 15, middle = encoder_x + frame / 2;
    const float gap_left = encoder_x + frame, key_x = gap_left + 2, value_x = gap_left + 5;
    map.memory_caption = {middle - 8, up - 16};
    for (const MapItem& item : map.items) {
      if (item.part != MapPart::attention || item.kind != AttentionKind::cross) continue;
      const float y = item.rect.center().y;
      map.memory_key.push_back({{middle - 2, encoder_top},
                                {middle - 2, up - 1},
                                {key_x, up - 1},
                                {key_x, y - 3},
                                {item.rect.x, y - 3}});
      map.memory_value.push_back({{middle + 2, encoder_top},
                                  {middle + 2, up + 3},
                                  {value_x, up + 3},
                                  {value_x, y + 3},
                                  {item.rect.x, y + 3}});
    }
  }
  return map;
}

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
      return {named(BlockKind::feed_forward,
                    in.input && feed_forward_traits(in.input->snapshot.config.feed_forward).gated
                        ? ValueKind::gate
                        : ValueKind::pre_activation),
              {sentence, 0, 0}};
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
