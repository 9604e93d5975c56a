// The screen of a model that is watched as it learns from noise: what each row reads, what it would write,
// its loss.
#pragma once

#include <optional>

#include "app/panels/panel_input.h"
#include "app/scene/watch_state.h"

namespace glassformer {

class WatchPage {
 public:
  // True when the way back was chosen.
  bool draw(ui::Ui& ui, const PanelInput& in, const WatchState& state, const Rect& rect);

 private:
  void head_and_rows(ui::Ui& ui, const PanelInput& in, const WatchState& state, const Rect& rect);

  std::optional<int> head_;  // that is enlarged, layer by layer; nothing: the last layer's first
};

}  // namespace glassformer
