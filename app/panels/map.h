// The paper's block diagram, laid out for a model's own configuration: as many layers as it has, norms before
// or after the blocks as it has them. Only places and names; the map panel fills in the live thumbnails.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_input.h"
#include "app/reading/attention_table.h"
#include "app/scene/selection.h"
#include "app/theme/geometry.h"
#include "engine/model/config.h"
#include "engine/model/names.h"
#include "engine/model/what_if/what_if.h"

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

// The blocks of the map: which of them the stage shows, and where a click on one leads.

// One head's thumbnail: the tokens of the first sentence, without the padding of the batch.
AttentionTable map_tile(const Trace& trace, const MapItem& item, int head);

// The name of a value of this block.
std::string name_in(const MapItem& item, BlockKind block, ValueKind value);

// What of the model it draws; nothing for a norm.
std::optional<ValueName> block_of(const MapItem& item);

// Whether a change reaches into this block, or into any of a closed layer's.
bool touched(const WhatIf& what_if, const MapItem& item);
bool touched(const WhatIf& what_if, const MapFrame& frame);

void open_map_item(ui::Ui& ui, const PanelInput& in, const MapItem& item);
bool map_item_open(const PanelInput& in, const MapItem& item);
// Its menu of changes, where it was asked for.
void offer_changes(ui::Ui& ui, const PanelInput& in, const MapItem& item, const Rect& at,
                   const ui::Response& response);

// The left column: the paper's block diagram with this model's numbers, or what the open view puts there.

class MapPanel {
 public:
  void column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer);
  void rail(ui::Ui& ui, const PanelInput& in, const Rect& rect) const;
  // The layers unfolded by hand fold again: another one is looked at.
  void fold() { encoder_.reset(), decoder_.reset(); }

 private:
  MapDiagram unfolded(const PanelInput& in, const Config& config, const Rect& rect) const;
  void draw(ui::Ui& ui, const PanelInput& in, const MapDiagram& map, const Config& config);
  void draw_ground(ui::Ui& ui, const PanelInput& in, const MapDiagram& map);

  bool walk_shows_map_ = false;           // the map is where the Walk's steps would
  std::optional<int> encoder_, decoder_;  // layers unfolded by hand
  std::string shows_;                     // the step's value that the map was last scrolled to
};

}  // namespace glassformer
