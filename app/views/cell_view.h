// One number, worked out term by term from the numbers it was made of: level 4 of the four levels. A click on
// an operand goes on to how that was made, and so back to weights and ids.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/views/cell_drawing.h"
#include "app/views/step_transport.h"

namespace glassformer {

class CellView : public View {
 public:
  CellView() : lists_(std::make_shared<StepLists>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<CellView>(*this); }
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput&) const override { return {760, 520}; }
  std::vector<std::string> path(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool deeper(const ViewInput&, Commands&) override { return true; }  // there is nothing below a cell
  bool up(int levels, const ViewInput& input, Commands& commands) override;
  std::string state() const override;

  // The cell of a step of the Walk, from 0; throws Error where there is none. For figures.
  Selection cell_of_step(const ViewInput& input, int step, int row, int column) const;

 private:
  static constexpr int kLast = 1 << 20;

  // A cell just opened shows everything, whatever the one before stood at.
  CellProgress progress(const CellScene& scene) const {
    return cell_progress(scene.work, current_ && *current_ != scene.cell ? kLast : transport_.at);
  }
  void follow(const CellScene& scene);
  void to_neighbour(ui::Ui& ui, const CellScene& scene);

  StepTransport transport_{kLast};  // opened with everything worked out
  std::vector<CellRef> trail_;      // the cells that led here, the first one first
  std::optional<CellRef> current_;
  std::shared_ptr<StepLists> lists_;  // shared with copies
};

}  // namespace glassformer
