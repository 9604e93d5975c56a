#include "app/views/common/stage_head.h"

#include "app/ui/scroll.h"
#include "app/views/common/stage_text.h"

namespace glassformer {

StageHead::StageHead(ui::Ui& ui, const Rect& area, std::string_view title, Point control) : ui_(ui) {
  const Rect seen = ui.seen(area);
  const bool wider = seen.width < area.width - 0.5f, higher = seen.height < area.height - 0.5f;
  const float top = ui.heads_scroll() ? area.y : seen.y;
  covers_ = wider || top > area.y + 0.5f;
  // Where both bars lie beside the picture it has lost their room: the control has not.
  const float right = seen.right() - kStagePadding + (wider && higher ? ui::kBesideScrollBars : 0);
  // One that is wider than the stage begins where the picture does, and is scrolled with it.
  const bool fits = control.x <= seen.width - 2 * kStagePadding;
  const float left = fits ? right - control.x : area.x + kStagePadding;
  control_ = {left, top + 25 - control.y / 2, control.x, control.y};
  if (!covers_) return;
  const Rect strip{seen.x, top, seen.width - (higher ? ui::kBesideScrollBars : 0), kStageTopBare};
  ui.begin_layer(intersection(strip, seen), false);
  ui.canvas().push_clip(seen);
  ui.canvas().rectangle(strip, {.fill = ui.theme().paper});
  draw_stage_title(ui.canvas(), strip, title, "", control.x + 16);
}

StageHead::~StageHead() {
  if (!covers_) return;
  ui_.canvas().pop_clip();
  ui_.end_layer();
}

void turn_to_top(ui::Ui& ui) {
  for (const char* const stage : {"stage", "second stage", "both stages", "lecture"}) ui.scroll_to(stage, {});
}

}  // namespace glassformer
