// One number, worked out term by term from the numbers it was made of: level 4 of the four levels. A gradient
// is worked out by its chain rule. A click on an operand goes on to how that was made, and so back to weights
// and ids.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/inspector/walk_pages.h"
#include "app/views/cell/cell_drawing.h"
#include "app/views/common/model_switch.h"
#include "app/views/common/step_transport.h"

namespace glassformer {

class CellView : public View {
 public:
  CellView()
      : caches_(std::make_shared<CellCaches>()),
        walks_(std::make_shared<WalkCache>()),
        checks_(std::make_shared<CheckCache>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<CellView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;
  bool set(std::string_view control, std::string_view value) override { return model_.set(control, value); }

  // The cell of a step of the Walk but the optimizer's, from 0; throws Error where there is none. For
  // figures.
  Selection cell_of_step(const ViewInput& input, int step, int row, int column) const;

 private:
  static constexpr int kLast = 1 << 20;

  // A cell just opened shows everything, whatever the one before stood at.
  bool just_opened(const CellScene& scene) const { return current_ && *current_ != scene.cell; }
  CellShown shown(const CellScene& scene) const;
  std::optional<InspectorPage> gradient_page(const ViewInput& input, const CellRef& cell) const;
  void transformer_controls(ui::Ui& ui, const ViewInput& input, const Rect& area);
  void choose_product(ui::Ui& ui, const CellScene& scene, const Rect& content);
  void scroll_table(ui::Ui& ui, const CellScene& scene, const Rect& content);
  void follow(const CellScene& scene);
  void deeper(const ViewInput& input, Commands& commands) const;  // to the operand that weighs most
  void up(int levels, const ViewInput& input, Commands& commands) const;
  void to_neighbour(ui::Ui& ui, const CellScene& scene);

  ModelSwitch model_;
  StepTransport transport_{kLast};  // opened with everything worked out
  std::vector<CellRef> trail_;      // the cells that led here, the first one first
  std::optional<CellRef> current_;
  int product_ = 0, first_row_ = 0;  // of several products; of a table that is too long
  std::optional<CellRef> just_scrolled_;
  std::shared_ptr<CellCaches> caches_;  // these are shared with copies
  std::shared_ptr<WalkCache> walks_;
  std::shared_ptr<CheckCache> checks_;
};

}  // namespace glassformer
