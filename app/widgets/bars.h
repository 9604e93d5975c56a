// Bars: a list of labelled shares (top-k, one row of attention).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/canvas/canvas.h"
#include "app/canvas/hit_region.h"

namespace glassformer {

struct BarRow {
  std::string label = {};
  bool word_start = false;            // a bar before the label
  double share = 0;                   // of the track, 0 to 1
  std::string value = {};             // mono, right; empty: three decimals of the share
  bool emphasized = false;            // SemiBold label, ink bar; others are second text
  bool wrong = false;                 // label in the colour of mistakes, underlined
  std::optional<double> target = {};  // a reference-coloured tick on the track: the smoothed target
  std::optional<Color> color = {};
};

struct BarListOptions {
  float row_height = 24;
  float label_width = 0;  // 0: the widest label, at most 40 % of the width
  float value_width = 52;
  float bar_height = 9;
  bool labels_right = true;  // labels end at the bars, as in the mock-ups; false: start at the left edge
  float text_size = 12;
  std::function<HitRegion(int row)> hit = {};
};

// From the area's top; rows that do not fit are left out. Returns the height used.
float draw_bar_list(Canvas& canvas, const Rect& area, const std::vector<BarRow>& rows,
                    const BarListOptions& options = {});

// A bar that shows the sign.

// From the middle to the right for a share above 0, to the left below; -1 and 1 reach the ends.
void draw_signed_bar(Canvas& canvas, const Rect& rect, double share);

}  // namespace glassformer
