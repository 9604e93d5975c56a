#include "app/views/common/model_switch.h"

#include "app/views/common/stage_head.h"

namespace glassformer {

namespace {

constexpr const char* kName = "Model";
const std::vector<std::string> kKinds{"Transformer", "Recurrent"};
constexpr float kWidth = 208;

}  // namespace

float ModelSwitch::reserved(const Canvas& canvas, const ViewInput& input) {
  return canvas.is_file() || !offered(input) ? 0 : kWidth + 12;
}

void ModelSwitch::show(ui::Ui& ui, const ViewInput& input, const Rect& area, std::string_view title) {
  if (!offered(input)) {
    recurrent_ = false;
    return;
  }
  const StageHead head(ui, area, title, {kWidth, 32});
  int chosen = recurrent_ ? 1 : 0;
  if (ui.Segmented(head.control(), kName, kKinds, chosen)) recurrent_ = chosen == 1;
}

bool ModelSwitch::set(std::string_view control, std::string_view value) {
  if (control != kName || (value != kKinds[0] && value != kKinds[1])) return false;
  recurrent_ = value == kKinds[1];
  return true;
}

}  // namespace glassformer
