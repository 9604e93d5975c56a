// Whether a run learns well: gradients and updates layer by layer, units that do nothing, and how widely or
// how narrowly every head reads, over the steps, under one cursor; each plot says what to look at.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reading/background.h"
#include "app/views/common/step_charts.h"
#include "app/views/common/view.h"
#include "app/views/diagnosis/diagnosis_data.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

class DiagnosisView : public View, public StepCharts {
 public:
  DiagnosisView() : now_(std::make_shared<LookNow>()) {}
  std::unique_ptr<View> clone() const override { return std::make_unique<DiagnosisView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;

 private:
  static constexpr const char* kTitle = "Whether the model learns well";
  // The open model looked at once, for its open sentences.
  // Of weights and how many sentences of the training text they read; without any of the Scene's trace.
  using LookNow = Background<
      std::tuple<std::shared_ptr<const Transformer<float>>, std::size_t, std::shared_ptr<const Trace>>, Look>;

  // One plot with its words.
  struct Panel {
    const FindingTable* table = nullptr;
    Rect rect;                          // all of it
    Rect plot;                          // curves, or the rows of all heads
    Rect legend;                        // right of curves
    bool last = false;                  // of its column: the steps stand below
    float pitch = 0;                    // of the rows of heads
    Rect row(std::size_t index) const;  // of a head, or of a layer in the legend
  };
  // What is drawn: the tables, and where the cursor stands in them.
  struct Shown {
    std::size_t fixed = 0;           // one look, at so many sentences of the training text
    std::string read_words() const;  // of one look: "4 sentences of the training text"
    Findings found;
    Axis axis;
    std::size_t look = 0;  // the last one up to the step under the mouse, or that is looked back at
    long cursor = 0;       // its step
  };
  Shown shown(const ViewInput& input) const;
  // Their tables belong to `shown`.
  std::vector<Panel> panels(const Canvas& canvas, const Rect& area, const Shown& shown) const;
  // Of one table: `words` high from its top to its plot.
  static Panel panel_of(const FindingTable& table, const Rect& rect, float words, bool recorded);
  void draw_panel(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;
  // One cursor over all plots, and the row under the mouse; a click on a head pins it.
  void follow_mouse(ui::Ui& ui, const ViewInput& input, const Rect& area, const Shown& now);
  bool is_hovered(const Panel& panel, std::size_t row) const;
  // Of the head under the mouse, else the pinned one.
  std::optional<std::size_t> chosen_head(const Panel& panel, const ViewInput& input) const;

  void draw_curves(Canvas& canvas, const Shown& shown, const Panel& panel) const;
  void draw_legend(Canvas& canvas, const Shown& shown, const Panel& panel) const;
  void draw_heads(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;
  void draw_reading(Canvas& canvas, const ViewInput& input, const Shown& shown, const Panel& panel) const;

  std::optional<long> hovered_;  // step under the mouse
  std::optional<std::pair<Finding, std::size_t>> hovered_row_;
  std::shared_ptr<LookNow> now_;  // shared with copies
};

}  // namespace glassformer
