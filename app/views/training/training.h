// What the files of this view share, part by part.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/reading/view_input.h"
#include "app/ui/ui.h"
#include "app/views/common/step_charts.h"
#include "app/views/common/training_curves.h"
#include "app/views/common/view.h"

namespace glassformer {

// What is left and right of the curves: facts of the run, and the held-out sentences with what was made
// of them. False where there is no room.

inline constexpr float kNarrowestColumn = 180;  // a rail or a line under the stage stays what it is

bool facts_column(ui::Ui& ui, const ViewInput& input, const Rect& rect);
bool held_out_column(ui::Ui& ui, const ViewInput& input, const Rect& rect, long step);

// Learning as it happens: loss, words right, gradient and speed over the learning rate, all on one axis of
// steps under one cursor; facts of the run on the left, held-out sentences and their attempts on the right.

// The charts of the stack, from the top.
inline constexpr std::array<const char*, 5> kChartNames{"Loss", "Words right", "Gradient norm",
                                                        "Tokens per second", "Learning rate"};
// Of one of them, in px.
inline constexpr float kChartHeading = 24;
inline constexpr float kNameRow = 22;  // over the charts, where there are several variants
inline constexpr float kTickRow = 18;  // over the plot, for the label of its highest line

// One chart of the stack.
struct TrainingPanel {
  enum class Kind { loss, right, gradient, speed, rate } kind = Kind::loss;
  Rect rect;           // heading and plot
  bool alone = false;  // with the steps under it, which else are under the last of the stack
  Rect plot() const { return {rect.x, rect.y + kChartHeading, rect.width, rect.height - kChartHeading - 6}; }
};

// What all of them share.
struct TrainingCharts {
  const ViewInput& input;
  Axis axis;             // of steps
  long cursor = 0;       // the step under it: the mouse's, else the newest
  bool hovered = false;  // by the mouse
  bool log = false;      // the loss on a logarithmic scale
  CurveCache& curves;
  CurveColumns curve(CurveOf which, float width) const {
    return curves.get(input.run.curves, which, axis, width);
  }
};

void draw_panel(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel);
void draw_cursor(Canvas& canvas, const TrainingCharts& charts, const std::vector<TrainingPanel>& panels);
void draw_events(Canvas& canvas, const TrainingCharts& charts, const std::vector<TrainingPanel>& panels);
void draw_empty(Canvas& canvas, const ViewInput& input, const Rect& area);
Axis loss_axis(const TrainingCharts& charts, const CurveColumns& training, const CurveColumns& validation);

// The names of all runs beside their lines; none where one variant has its name at its curve.
float names_height(const ViewInput& input, float width);
void draw_names(Canvas& canvas, const ViewInput& input, const Rect& area);

// The numbers under the cursor, and the box they are in.
std::vector<std::pair<std::string, std::string>> readings(const TrainingCharts& charts);
Rect readings_box(const TrainingCharts& charts, const Rect& plot);
void draw_readings(Canvas& canvas, const TrainingCharts& charts, const TrainingPanel& panel);

class TrainingView : public StepCharts {
 public:
  std::unique_ptr<View> clone() const override { return std::make_unique<TrainingView>(*this); }
  ViewTraits traits() const override;
  void picture(Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void panel(std::string_view name, Canvas& canvas, const ViewInput& input, const Rect& area) const override;
  void controls(ui::Ui& ui, const ViewInput& input, const Rect& area) override;
  Point minimum_size(const ViewInput& input) const override;
  ViewPlace place(const ViewInput& input) const override;
  std::optional<InspectorPage> inspect(const ViewInput& input) const override;
  std::vector<NumberTable> numbers(const ViewInput& input) const override;
  std::string caption(const ViewInput& input) const override;
  std::vector<std::string> sentences(const ViewInput& input) const override;
  bool open_panel(std::string_view name) override;
  bool column(ViewColumn which, ui::Ui& ui, const ViewInput& input, const Rect& rect) override;

 private:
  std::vector<TrainingPanel> panels(const ViewInput& input, const Rect& area) const;
  TrainingPanel::Kind kind_of(std::string_view name) const;
  TrainingCharts charts(const ViewInput& input) const;

  std::optional<TrainingPanel::Kind> alone_;  // that alone is described
  bool log_ = false;                          // the loss on a logarithmic scale
  std::optional<long> hovered_;               // step under the mouse
  mutable CurveCache curves_;
};

// The loss that a model cannot go below, because the smoothed target itself is not certain.
double lowest_loss(const ViewInput& input);
bool has_curves(const RunState& run);
// How a variant's curves are drawn: each in its own colour and dashes.
Stroke beside_stroke(const Theme& theme, const RunBeside& run);
// Whether it was validated on pairs that it does not learn from; else its training loss is used.
bool held_out(const RunState& run);

}  // namespace glassformer
