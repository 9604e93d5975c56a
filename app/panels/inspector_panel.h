// The right column: what the number that is pointed at or pinned is, how it was computed, and from what.
#pragma once

#include <optional>

#include "app/inspector/page.h"
#include "app/panels/panel_input.h"

namespace glassformer {

// The number explained, when the cell view can take it apart; of a mean over heads the first one's.
std::optional<CellRef> cell_to_work_out(const View& view, const ViewInput& input);

class InspectorPanel {
 public:
  void column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer);
  void line(ui::Ui& ui, const PanelInput& in, const Rect& rect);  // inspector_line.cpp: of a small window
  // Of two that are compared the page says which one it tells of.
  std::optional<InspectorPage> page(const PanelInput& in);

 private:
  std::optional<InspectorPage> page_of(const PanelInput& in, const ViewInput& input);
  float draw(ui::Ui& ui, const PanelInput& in, const InspectorPage& page, const Rect& rect);

  std::optional<CellRef> worked_out_;  // what it explains, when the cell view can take it apart
  bool full_value_ = false;            // every digit
  float height_ = 0;                   // of the page, in the last frame
};

}  // namespace glassformer
