// The left column: the paper's block diagram with this model's numbers, or what the open view puts there.
#pragma once

#include <optional>
#include <string>

#include "app/panels/map.h"
#include "app/panels/panel_input.h"

namespace glassformer {

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

  bool walk_shows_map_ = false;           // the map stands where the Walk's steps would
  std::optional<int> encoder_, decoder_;  // layers unfolded by hand
  std::string shows_;                     // the step's value that the map was last scrolled to
};

}  // namespace glassformer
