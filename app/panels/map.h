// The paper's block diagram, laid out for a model's own configuration: as many layers as it has, norms before
// or after the blocks as it has them. Only places and names; the map panel fills in the live thumbnails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/scene/selection.h"
#include "app/theme/geometry.h"
#include "engine/model/config.h"

namespace glassformer {

enum class MapPart { attention, feed_forward, add_norm, norm, embedding, positions, output };

struct MapItem {
  MapPart part = MapPart::attention;
  bool decoder = false;
  AttentionKind kind = AttentionKind::encoder;  // of an attention
  int layer = -1;                               // -1: outside the layers
  int norm = 0;                                 // which norm of the layer, from 1
  std::string name;                             // "Cross-attention"
  std::string label;                            // unique: "map: decoder layer 2 cross-attention"
  Rect rect;
};

struct MapFrame {
  bool decoder = false;
  int layer = 0;
  bool closed = false;  // one row; a click unfolds it
  Rect rect;
};

struct MapDiagram {
  std::vector<MapItem> items;
  std::vector<MapFrame> frames;
  std::vector<std::vector<Point>> lines;                     // connectors, from below upwards
  std::vector<std::vector<Point>> memory_key, memory_value;  // to each open cross-attention
  Point memory_caption;
  Point source_caption, target_caption, next_caption;
  float height = 0, width = 0;
};

// From the top left of `area`; `open_encoder` and `open_decoder` are unfolded where layers must collapse.
MapDiagram map_diagram(const Config& config, const Rect& area, int open_encoder, int open_decoder);

}  // namespace glassformer
