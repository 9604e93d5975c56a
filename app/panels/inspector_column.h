// How a page of the inspector looks: its parts one under another, in a column.
#pragma once

#include "app/inspector/page.h"
#include "app/ui/ui.h"

namespace glassformer {

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
