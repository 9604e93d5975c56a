// The right column: what the number that is pointed at or pinned is, how it was computed, and from what.
#pragma once

#include <optional>

#include "app/inspector/page.h"
#include "app/panels/panel_input.h"
#include "app/ui/ui.h"

namespace glassformer {

// The number explained, when the cell view can take it apart; of a mean over heads the first one's.
std::optional<CellRef> cell_to_work_out(const View& view, const ViewInput& input);

class InspectorPanel {
 public:
  void column(ui::Ui& ui, const PanelInput& in, const Rect& rect, bool drawer);
  void line(ui::Ui& ui, const PanelInput& in, const Rect& rect);  // of a small window
  // Of two that are compared the page says which one it shows.
  std::optional<InspectorPage> page(const PanelInput& in);

 private:
  std::optional<InspectorPage> page_of(const PanelInput& in, const ViewInput& input);
  float draw(ui::Ui& ui, const PanelInput& in, const InspectorPage& page, const Rect& rect);

  std::optional<CellRef> worked_out_;  // what it explains, when the cell view can take it apart
  bool full_value_ = false;            // every digit
  float height_ = 0;                   // of the page, in the last frame
};

// How a page of the inspector looks: its parts one under another, in a column.

class InspectorColumn {
 public:
  InspectorColumn(ui::Ui& ui, const Rect& rect);  // from the rectangle's top down, as far as it takes

  void subject(const InspectorPage& page);
  // True after a click on the number: every digit is asked for, or no longer.
  bool value(const InspectorPage& page, bool every_digit);
  void names(const InspectorPage& page);  // in the Trace
  // Beside the one before where there is room, else below; true after a click.
  bool link(const std::string& label, const char* tooltip);
  void choices(const InspectorPage& page);  // the switches
  void section(const InspectorSection& section, int number);
  void meaning(const InspectorPage& page);  // and where the paper says it

  float height() const;

 private:
  // The columns of a section's rows with bars: labels end where the bars begin.
  struct RowRoom {
    float label = 0, number = 52;
  };

  void divider();
  void formula(const Formula& formula);
  RowRoom room_for(const std::vector<InspectorRow>& rows) const;
  void row(const InspectorRow& row, const RowRoom& room, const std::string& name);

  ui::Ui& ui_;
  Canvas& canvas_;
  const Theme& theme_;
  const float x_, top_, width_, right_;
  float y_;
  float link_end_;  // where the next link begins
};

}  // namespace glassformer
