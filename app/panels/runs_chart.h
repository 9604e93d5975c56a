// The chart of the kept runs, drawn on any canvas: in the dialog, and as a figure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/views/common/training_curves.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

struct RunCurve {
  std::size_t row = 0;  // of the table
  std::string name = {};
  std::size_t seeds = 1;
  std::optional<std::size_t> selected = {};  // its place among the selected lines; 0: the chosen one
  CurveColumns points;
  std::vector<double> deviation = {};  // over the seeds; empty: of one run
  bool validated = true;               // of held-out pairs; else it is the training loss
};

struct RunCurves {
  std::vector<RunCurve> all;
  std::string title;
  double last = 1;       // step
  bool several = false;  // those that are selected stand alone
  bool log = false;
};

class RunsChart {
 public:
  using Note = std::function<void(const Rect& place, const std::string& label, const std::string& words)>;

  // `note`: told of names and bands, for who reads the picture.
  RunsChart(Canvas& canvas, const Rect& area, const RunCurves& curves, Note note = {});

  const Rect& plot() const { return chart_.plot; }
  std::optional<std::size_t> curve_under(Point mouse) const;  // of the curves
  // `under` is drawn stronger, and named at the mouse.
  void draw(std::optional<std::size_t> under = {}, Point mouse = {});

 private:
  void add(const RunCurve& curve);
  void draw_band(std::size_t i);
  void draw_name(const Rect& place, const std::string& words, bool chosen);
  Rect name_place(std::size_t which, float width) const;
  std::string words_of(std::size_t i) const;
  float width_of(std::size_t i) const;

  Canvas& canvas_;
  const Rect area_;
  const RunCurves& curves_;
  Note note_;
  std::vector<Series> series_;
  std::optional<std::size_t> chosen_;  // of the curves
  ChartOptions options_;
  ChartLayout chart_;
};

// How the curve of the n-th selected line is drawn.
Stroke selected_stroke(const Theme& theme, std::size_t n);
constexpr std::size_t kMostSelected = 8;

}  // namespace glassformer
