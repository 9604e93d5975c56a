// The head report: which heads can go, in a sentence; which heads and sub-blocks of the model matter, a row a
// part, sorted by any column; and how the model fares with its heads taken out one after another.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/views/common/measures.h"
#include "app/views/common/view.h"
#include "app/views/heads/heads_data.h"

namespace glassformer {

class HeadsView : public View, public Measures {
 public:
  HeadsView() : measuring_(std::make_shared<HeadMeasuring>()) {}
  std::unique_ptr<View> clone() const override;
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void finish(const ViewInput& input) const override { found(input, true); }
  std::string prepare(const ViewInput& input) const override;
  void stop_with(StopFlag stop) override { stop_ = std::move(stop); }
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput&) const override { return {.path = {"Head report"}}; }
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  bool key(ViewKey key, const ViewInput& input, Commands& commands) override;

 private:
  static constexpr float kRow = 24, kHead = 30, kName = 140, kReads = 224, kCanGo = 76;
  static constexpr float kFoot = 92, kCurve = 204, kCurveHeight = 260, kCurveGap = 32;

  struct Layout {
    Rect box, table, foot, curve;
    float numbers = 0;                 // where what it reads ends
    std::vector<std::size_t> columns;  // that are shown
    std::vector<float> rights;         // where each of them ends
    float can_go = 0;                  // where its words begin
    Rect row(std::size_t line) const;
    Rect heading(std::size_t column, float y) const;
  };
  Layout layout(const Rect& area, const ViewInput& input, const HeadMeasuring::Found& now) const;
  std::size_t rows_of(const ViewInput& input) const;
  static bool learns(const ViewInput& input);
  HeadMeasuring::Found found(const ViewInput& input, bool at_once) const;
  const char* title() const;
  // The row of the pinned head; null: none, or not measured.
  const PartRow* chosen(const ViewInput& input, const HeadReport& report) const;
  void sort_by(std::size_t column);
  void sort_controls(ui::Ui& ui, const Layout& at, float y);
  void headings(ui::Ui& ui, const Layout& at, float top);
  void row_controls(ui::Ui& ui, const ViewInput& input, const HeadReport& report, const Layout& at);
  NumberTable shown_table(const HeadReport& report, const ViewInput& input) const;
  void draw_nothing_measured(Canvas& canvas, const Rect& area, const HeadMeasuring::Found& now) const;
  // What they say, from the top of `area`; returns how high they are.
  float draw_sentences(Canvas& canvas, const Rect& area, const HeadReport& report) const;
  void draw_box(Canvas& canvas, const HeadMeasuring::Found& now, const Rect& box) const;
  // The words above the columns, from `y` down: they stay in sight when the rows are scrolled.
  void draw_headings(Canvas& canvas, const Layout& at, float y) const;
  // The rows of a report; of one that is being made those that are known, and the names of the others.
  void draw_table(Canvas& canvas, const ViewInput& input, const HeadReport& report, const Layout& at,
                  bool whole) const;
  void draw_row(Canvas& canvas, const ViewInput& input, const HeadReport& report, const PartRow& row,
                const Layout& at, const Rect& place) const;
  void draw_curve_of(Canvas& canvas, const HeadReport& report, const Rect& area) const;

  std::shared_ptr<HeadMeasuring> measuring_;  // shared with copies
  StopFlag stop_;
  bool blocks_ = false;  // sub-blocks instead of heads
  bool all_ = false;     // all columns
  std::optional<std::size_t> sorted_ = kLostColumn;
  bool falling_ = false;
  bool asked_ = false;  // to measure, once
  float stage_ = 0;     // what of the width is in sight; 0: not on a screen
};

}  // namespace glassformer
