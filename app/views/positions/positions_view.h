// How a word knows its place: the waves, the whole table, how alike two places are by their distance, and the
// same in the sentence at hand. One pinned number lights up in all four.
#pragma once

#include <optional>

#include "app/views/common/view.h"
#include "app/views/positions/position_tables.h"

namespace glassformer {

class PositionsView : public View {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<PositionsView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  bool open_panel(std::string_view name) override {
    part_ = name;
    return true;
  }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  static bool shows(const CellRef& cell) {
    return !cell.gradient &&
           (is_name_of(ValueKind::positions, cell.name) || is_name_of(ValueKind::position_table, cell.name));
  }
  bool show_like(const View& first) override {
    *this = dynamic_cast<const PositionsView&>(first);
    return true;
  }

 private:
  // Where the four parts stand.
  struct Parts {
    Rect waves, table, distance, sentence;
    float divider = 0;
  };
  static Parts parts(const Rect& area, bool shifting);
  static Rect columns_plot(const Rect& distance);  // of the distance part: the columns alone
  static Rect column(const Rect& plot, int index, int count);

  PositionKind kind(const ViewInput& input) const;
  bool shifts(const PositionTable& table) const;
  PositionTable table(const ViewInput& input) const;
  // In the tables of both sides of a comparison, which share their scales.
  double largest_magnitude_of(const ViewInput& input) const;
  int distances(const PositionTable& table) const;

  void draw_waves(Canvas& canvas, const Rect& part, const ViewInput& input, const PositionTable& table) const;
  void draw_table(Canvas& canvas, const Rect& part, const ViewInput& input, const PositionTable& table) const;
  void draw_angles(Canvas& canvas, const Rect& part, const ViewInput& input,
                   const PositionTable& table) const;
  void draw_distance(Canvas& canvas, const Rect& part, const ViewInput& input,
                     const PositionTable& table) const;
  void draw_shift(Canvas& canvas, const Rect& part, const ViewInput& input, const PositionTable& table) const;
  void draw_sentence(Canvas& canvas, const Rect& part, const ViewInput& input, const PositionTable& table,
                     bool alone = false) const;
  std::vector<NumberTable> without_numbers(const ViewInput& input) const;
  void draw_without(Canvas& canvas, const Rect& content, const ViewInput& input) const;

  std::optional<PositionKind> kind_;  // chosen for comparison; nothing: the model's own
  TextSide side_ = TextSide::source;
  std::string part_;  // that alone is described; empty: all of it
  // The lower left part shows the rotation instead of the similarity; nothing: where it is the matter.
  std::optional<bool> shift_;
  int distance_ = 2;  // chosen distance, and the k of the rotation
};

}  // namespace glassformer
