// The title's row with a control at its right end, for a view that may be larger than the stage: it stands
// still, however far the stage is scrolled and whether scroll bars come or go; in a lecture it goes with the
// picture.
#pragma once

#include <string_view>

#include "app/ui/ui.h"

namespace glassformer {

// Draws nothing over a stage that shows all of its view. Over a scrolled one it covers what would lie there
// and says the title again; ends with the scope.
class StageHead {
 public:
  StageHead(ui::Ui& ui, const Rect& area, std::string_view title, Point control);
  ~StageHead();
  StageHead(const StageHead&) = delete;
  StageHead& operator=(const StageHead&) = delete;

  const Rect& control() const { return control_; }

 private:
  ui::Ui& ui_;
  bool covers_;
  Rect control_;
};

// Another page of a view begins at its top, however far the one before was scrolled.
void turn_to_top(ui::Ui& ui);

}  // namespace glassformer
