#include <algorithm>
#include <cmath>

#include "app/panels/map.h"

namespace glassformer {

namespace {

constexpr float kTitle = 19, kMapStrip = 16, kGap = 6, kFeedForward = 38, kAttention = 50, kFrameGap = 12;
constexpr float kClosed = 24, kEmbedding = 32, kOutput = 44, kInset = 6;
constexpr float kMapFoot = 134;  // from the frames' bottom to the area's: sum, embedding, caption
constexpr float kHead = 80;      // above the decoder's frames: "next word", output block

// A layer unfolded: title, then blocks each with its norm, bottom up.
float open_height(int attentions) {
  return kTitle + kMapStrip + kGap + kFeedForward +
         static_cast<float>(attentions) * (kGap + kMapStrip + kGap + kAttention) + 3;
}

float stack_height(int layers, int attentions, bool collapse) {
  if (layers == 0) return 0;
  const float gaps = static_cast<float>(layers - 1) * (collapse ? kGap : kFrameGap);
  if (!collapse) return static_cast<float>(layers) * open_height(attentions) + gaps;
  return static_cast<float>(layers - 1) * kClosed + open_height(attentions) + gaps;
}

struct Builder {
  const Config& config;
  MapDiagram& map;
  float frame_width;
  bool narrow;  // short names

  void layer(bool decoder, int index, float x, float top) {
    const std::string prefix = std::string("map: ") + (decoder ? "decoder" : "encoder") + " layer " +
                               std::to_string(index + 1) + " ";
    const float block = x + kInset, width = frame_width - 2 * kInset;
    const bool pre = config.norm == NormPlace::pre;
    const int sublayers = decoder ? 3 : 2;
    float y = top + kTitle;
    for (int s = sublayers; s >= 1; --s) {
      const bool feed_forward = s == sublayers;
      const float height = feed_forward ? kFeedForward : kAttention;
      // Post-norm: the norm stands above its block; pre-norm: below it, where the block's input passes.
      const auto strip = [&] {
        map.items.push_back({.part = pre ? MapPart::norm : MapPart::add_norm,
                             .decoder = decoder,
                             .layer = index,
                             .norm = s,
                             .name = pre ? "Norm" : "Add & norm",
                             .label = prefix + (pre ? "norm " : "add & norm ") + std::to_string(s),
                             .rect = {block, y, width, kMapStrip}});
        y += kMapStrip + kGap;
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
      y += height + kGap;
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
      const float above = y - height - (collapse ? kGap : kFrameGap);
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
      std::max(stack_height(decoders, 2, false) + kHead, stack_height(encoders, 1, false)) + kMapFoot >
      area.height;
  const float stacks =
      std::max(stack_height(decoders, 2, collapse) + kHead, stack_height(encoders, 1, collapse) + 40);
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

}  // namespace glassformer
