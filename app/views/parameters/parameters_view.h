// Every weight of the model: how many there are and where, each matrix as colours and as a histogram, and
// what Adam knows about it while it learns.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/views/common/view.h"
#include "app/views/parameters/parameter_sheets.h"

namespace glassformer {

class ParametersView : public View {
 public:
  ParametersView();
  std::unique_ptr<View> clone() const override { return std::make_unique<ParametersView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell) { return !cell.gradient && is_name_of_parameter(cell.name); }
  bool show_like(const View& first) override {
    tensor_ = dynamic_cast<const ParametersView&>(first).tensor_;
    return true;
  }
  std::string no_difference(const ViewInput& input) const override;

 private:
  struct Parts {
    Rect tree, name, map, figures, learning;
    float row_height = 24;
  };
  static Parts parts(const Rect& area, std::size_t tree_rows);

  std::string open_tensor(const ViewInput& input) const;
  SheetKey key(const ViewInput& input, SheetKind kind) const;  // without a model: not kept
  SheetCache::Found sheet(const ViewInput& input, SheetKind kind, bool at_once) const;

  void draw_tree(Canvas& canvas, const Rect& part, const std::vector<TreeRow>& rows, float row_height) const;
  void draw_weight(Canvas& canvas, const Parts& at, const ViewInput& input, const TensorSheet& sheet) const;
  void draw_figures(Canvas& canvas, const Rect& part, const ViewInput& input, const TensorSheet& sheet) const;
  void draw_learning(Canvas& canvas, const Rect& part, const ViewInput& input) const;

  std::string tensor_;  // chosen in the tree; empty: the first, or the one of the pinned cell
  std::shared_ptr<std::array<SheetCache, kSheetKinds.size()>> caches_;  // shared with copies
};

}  // namespace glassformer
