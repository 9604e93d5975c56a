// The head report: which heads and sub-blocks of the model matter, a row a part, sorted by any column; and
// how the model fares with its heads muted one after another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/view.h"
#include "app/views/heads/heads_data.h"

namespace glassformer {

class HeadsView : public View {
 public:
  HeadsView() : measuring_(std::make_shared<HeadMeasuring>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<HeadsView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Head report"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  static constexpr const char* kTitle = "Which heads matter";
  static constexpr float kRow = 20, kHead = 30, kName = 156, kCharts = 190, kNote = 66, kChartGap = 40;

  struct Layout {
    Rect table, charts;
    std::vector<float> rights;  // where each column ends
    Rect row(std::size_t line) const;
    Rect heading(std::size_t column) const;
  };
  Layout layout(const Rect& area, std::size_t rows) const;
  std::size_t rows_of(const ViewInput& input) const;
  HeadMeasuring::Found found(const ViewInput& input, bool at_once) const;
  // The row of the pinned head; null: none, or not measured.
  const PartRow* chosen(const ViewInput& input, const HeadReport& report) const;
  void sort_by(std::size_t column);
  // The rows of a report; of one that is being made those that are known, and the names of the others.
  void draw_table(Canvas& canvas, const ViewInput& input, const HeadReport& report, const Layout& at,
                  bool whole) const;
  // How many heads can be muted, in words: two lines above the charts.
  void draw_reach(Canvas& canvas, const HeadReport& report, const Layout& at) const;
  void draw_charts(Canvas& canvas, const HeadReport& report, const Rect& area) const;

  std::shared_ptr<HeadMeasuring> measuring_;  // shared with copies
  bool blocks_ = false;                       // sub-blocks instead of heads
  std::optional<std::size_t> sorted_ = 0;
  bool falling_ = true;
  bool asked_ = false;  // to measure, once
};

}  // namespace glassformer
