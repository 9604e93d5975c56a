// What a line chart's curves and its words share.
#pragma once

#include "app/widgets/label_place.h"
#include "app/widgets/line_chart.h"

namespace glassformer {

// The axis's own ticks, or about `count` round ones.
std::vector<AxisTick> ticks_of(const Axis& axis, int count);

// Where the cursor's flag is under the plot; width 0: there is none.
Rect flag_place(const Canvas& canvas, const ChartLayout& chart, const ChartOptions& options);
TextStyle flag_style();

// Grid lines and tick labels; those inside the plot are in the space.
void draw_axes(Canvas& canvas, const ChartLayout& chart, const ChartOptions& options, LabelSpace& space);

// A curve's label where it was asked for, or as near as curves and other labels leave room; off the grid's
// lines too where that is possible.
void draw_label(Canvas& canvas, const ChartLayout& chart, const Series& series, LabelSpace& space,
                LabelSpace& without_grid);

// A dashed line with its words, beside it where there is room.
void draw_marker(Canvas& canvas, const ChartLayout& chart, const ChartMarker& marker, LabelSpace& space);

// A small triangle on the foot of the plot; hovering it shows what happened. In files the words are over it
// where there is room.
void draw_event(Canvas& canvas, const ChartLayout& chart, const ChartMarker& event, LabelSpace& space);

}  // namespace glassformer
