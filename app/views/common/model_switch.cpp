#include "app/views/common/model_switch.h"

#include "app/views/common/stage_head.h"

namespace glassformer {

namespace {

constexpr const char* kName = "Model";
const std::vector<std::string> kKinds{"Transformer", "Recurrent"};
constexpr float kWidth = 208;

bool same_place(const Selection& a, const Selection& b) {
  return a.kind == b.kind && a.layer == b.layer && a.head == b.head && a.query == b.query && a.key == b.key &&
         a.cell == b.cell;
}

}  // namespace

float ModelSwitch::reserved(const Canvas& canvas, const ViewInput& input) {
  return canvas.is_file() || !offered(input) ? 0 : kWidth + 12;
}

void ModelSwitch::show(ui::Ui& ui, const ViewInput& input, const Rect& area, std::string_view title) {
  if (pinned_ && !same_place(*pinned_, input.pinned)) recurrent_ = false;
  pinned_ = input.pinned;
  if (!offered(input)) return;
  const StageHead head(ui, area, title, {kWidth, 32});
  int chosen = recurrent_ ? 1 : 0;
  if (ui.Segmented(head.control(), kName, kKinds, chosen)) recurrent_ = chosen == 1;
}

bool ModelSwitch::set(std::string_view control, std::string_view value) {
  if (control != kName || (value != kKinds[0] && value != kKinds[1])) return false;
  recurrent_ = value == kKinds[1];
  pinned_.reset();
  return true;
}

}  // namespace glassformer
