// Which kind of model a view shows, where a recurrent one stands beside the Transformer.
#pragma once

#include <string_view>

#include "app/ui/ui.h"
#include "app/views/common/view.h"

namespace glassformer {

class ModelSwitch {
 public:
  // Two Scenes are compared as Transformers.
  static bool offered(const ViewInput& input) {
    return input.recurrent.scene && !input.other && !input.difference_to;
  }
  bool recurrent(const ViewInput& input) const { return recurrent_ && offered(input); }
  void turn(bool recurrent) { recurrent_ = recurrent; }
  // Kept free at the right of the title; a file has no switch.
  static float reserved(const Canvas& canvas, const ViewInput& input);
  bool turned() const { return recurrent_; }  // where there is no input to ask for a scene
  // At the right end of the title's row.
  void show(ui::Ui& ui, const ViewInput& input, const Rect& area, std::string_view title);
  bool set(std::string_view control, std::string_view value);

 private:
  bool recurrent_ = false;
};

}  // namespace glassformer
