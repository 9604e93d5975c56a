#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/canvas/hit_region.h"
#include "app/format/number_format.h"
#include "app/widgets/chart_parts.h"

namespace glassformer {
namespace {

constexpr float kLabelHeight = 16;

Color label_color(const Series& series, const Theme& theme) {
  if (series.color.visible()) return series.color;
  if (series.kind == CurveKind::reference) return theme.reference;
  return series.kind == CurveKind::raw ? theme.second_text : theme.ink;
}

// Places over the highest (under the lowest) point of the curve that the words reach: near the place asked
// for first, then further along, then further off. Most labels take one of the first, so that the curve is
// asked only where a place is tried.
class LabelPlaces {
 public:
  LabelPlaces(const ChartLayout& chart, const Series& series, float width)
      : chart_(chart), series_(series), width_(width) {
    const float most = std::max(chart.plot.x, chart.plot.right() - width);
    for (float shift = 0; shift <= 0.9f; shift = shift > 0 ? -shift : -shift + 0.04f) {
      const float asked = static_cast<float>(series.label_at) + shift;
      if (asked < -0.1f || asked > 1.1f) continue;
      const float wanted = std::clamp(chart.plot.x + chart.plot.width * asked, chart.plot.x, most);
      columns_.push_back({.left = std::round(wanted)});
    }
  }

  std::optional<Rect> first_free(const LabelSpace& space) {
    for (const float away : {5.0f, 10.0f, 20.0f, 34.0f, 52.0f}) {
      for (Column& column : columns_) {
        look(column);
        if (!column.high) continue;
        const Rect above{column.left, *column.high - away - kLabelHeight, width_, kLabelHeight},
            below{column.left, *column.low + away, width_, kLabelHeight};
        for (const Rect& wish : {series_.label_below ? below : above, series_.label_below ? above : below}) {
          if (space.is_free(wish)) return wish;
        }
      }
    }
    return std::nullopt;
  }

 private:
  struct Column {
    float left = 0;
    bool looked_at = false;
    std::optional<float> high = {}, low = {};  // of the curve, over the label's width
  };

  void look(Column& column) const {
    if (std::exchange(column.looked_at, true)) return;
    for (float px = column.left; px <= column.left + width_; px += 4) {
      const auto at = curve_at(series_, chart_.x_at(px));
      if (!at) continue;
      const float y = chart_.to_y(*at);
      column.high = std::min(column.high.value_or(y), y);
      column.low = std::max(column.low.value_or(y), y);
    }
  }

  const ChartLayout& chart_;
  const Series& series_;
  float width_;
  std::vector<Column> columns_;
};

}  // namespace

std::vector<AxisTick> ticks_of(const Axis& axis, int count) {
  if (!axis.ticks.empty()) return axis.ticks;
  std::vector<AxisTick> ticks;
  if (axis.kind == AxisKind::log) {
    for (double value = axis.low; value <= axis.high * 1.0001; value *= 10)
      ticks.push_back({value, format_short(value)});
  } else {
    for (double value : round_ticks(axis.low, axis.high, count))
      ticks.push_back({value, format_short(value)});
  }
  return ticks;
}

TextStyle flag_style() {
  return {.font = Font::semibold, .size = 12, .x = AlignX::center};
}

Rect flag_place(const Canvas& canvas, const ChartLayout& chart, const ChartOptions& options) {
  if (!options.cursor || options.cursor_flag.empty()) return {};
  const float width = std::round(canvas.measure(options.cursor_flag, flag_style()).x) + 24;
  const float most = std::max(chart.plot.x, chart.plot.right() - width);
  return {std::clamp(chart.to_x(*options.cursor) - width / 2, chart.plot.x, most), chart.plot.bottom() + 4,
          width, 24};
}

void draw_axes(Canvas& canvas, const ChartLayout& chart, const ChartOptions& options, LabelSpace& space) {
  const Theme& theme = canvas.theme();
  const Rect& plot = chart.plot;
  const TextStyle style{.font = Font::mono, .size = 12, .color = theme.second_text};
  std::vector<AxisTick> heights = ticks_of(chart.y, plot.height < 120 ? 2 : 4);
  std::erase_if(heights, [&](const AxisTick& tick) {
    const float y = chart.to_y(tick.value);
    return y < plot.y - 1 || y > plot.bottom() + 1;
  });
  // Over its line: under it, it would be read as the next line's.
  constexpr float kRight = -1;
  const auto label_at = [&](const AxisTick& tick, float from) {
    const float width = canvas.measure(tick.label, style).x;
    return Rect{from == kRight ? plot.right() - width : plot.x + from, chart.to_y(tick.value) - 18, width,
                kLabelHeight};
  };
  const auto free_at = [&](float from) {
    return std::ranges::count_if(heights,
                                 [&](const AxisTick& tick) { return space.is_free(label_at(tick, from)); });
  };
  // All at the end where more of them are free of curves, or behind what rises at the left.
  float column = 0;
  if (options.labels_inside)
    for (const float from : {kRight, 36.0f, 72.0f, 108.0f})
      if (free_at(from) > free_at(column)) column = from;
  // A single one at the other end would look like another scale.
  const bool one_side = free_at(column) > 1;
  for (const AxisTick& tick : heights) {
    const float y = chart.to_y(tick.value);
    if (chart.y.grid) canvas.line({plot.x, y}, {plot.right(), y}, {.color = theme.border});
    if (tick.label.empty()) continue;
    if (options.labels_inside) {
      const std::array wishes{label_at(tick, column), label_at(tick, column == kRight ? 0 : kRight)};
      const auto place = space.first_free(std::span(wishes).first(one_side ? 1 : 2));
      if (!place) continue;
      canvas.text({place->x, place->center().y}, tick.label, style);
      space.keep_off(Rect{place->x - 6, place->y, place->width + 12, place->height});
    } else {
      TextStyle before = style;
      before.x = AlignX::right;
      canvas.text({plot.x - 8, y}, tick.label, before);
    }
  }
  if (!options.x_labels) return;
  // Ticks from both ends inwards, as far as they leave each other room.
  float taken = plot.x - 100;
  const Rect flag = flag_place(canvas, chart, options);
  const std::vector<AxisTick> ticks = ticks_of(chart.x, 5);
  const float last_start =
      ticks.empty() ? plot.right()
                    : chart.to_x(ticks.back().value) - canvas.measure(ticks.back().label, style).x - 6;
  for (const AxisTick& tick : ticks) {
    const float x = chart.to_x(tick.value), width = canvas.measure(tick.label, style).x;
    float from = std::clamp(x - width / 2, plot.x, plot.right() - width);
    const bool last = &tick == &ticks.back();
    if (from < taken + 8 || (!last && from + width > last_start)) continue;
    if (flag.width > 0 && from < flag.right() + 4 && from + width > flag.x - 4) continue;
    canvas.text({from, plot.bottom() + 14}, tick.label, style);
    taken = from + width;
  }
  if (!chart.x.title.empty()) {
    // Under the flag, where there is one.
    canvas.text({plot.right(), plot.bottom() + (flag.width > 0 ? 37 : 32)}, chart.x.title,
                {.size = 12, .color = theme.second_text, .x = AlignX::right});
  }
}

void draw_label(Canvas& canvas, const ChartLayout& chart, const Series& series, LabelSpace& space,
                LabelSpace& without_grid) {
  if (series.label.empty() || series.x.empty()) return;
  const TextStyle style{.font = series.kind == CurveKind::run ? Font::semibold : Font::regular,
                        .size = 12,
                        .color = label_color(series, canvas.theme())};
  LabelPlaces places(chart, series, canvas.measure(series.label, style).x);
  std::optional<Rect> place = places.first_free(without_grid);
  if (!place || !space.is_free(*place)) place = places.first_free(space);
  if (!place) return;
  space.keep_off(*place);
  without_grid.keep_off(*place);
  canvas.text({place->x, place->center().y}, series.label, style);
}

void draw_marker(Canvas& canvas, const ChartLayout& chart, const ChartMarker& marker, LabelSpace& space) {
  const Theme& theme = canvas.theme();
  const float x = chart.to_x(marker.x);
  canvas.line({x, chart.plot.y}, {x, chart.plot.bottom()}, {.color = theme.faint_text, .dashed = true});
  const TextStyle style{.size = 12, .color = theme.second_text};
  const float width = canvas.measure(marker.text, style).x;
  std::vector<Rect> wishes;
  for (float up = 18; up < chart.plot.height; up += 12)
    for (float left : {x + 8, x - 8 - width})
      wishes.push_back({left, chart.plot.bottom() - up, width, kLabelHeight});
  if (const auto place = space.first_free(wishes))
    canvas.text({place->x, place->center().y}, marker.text, style);
}

void draw_event(Canvas& canvas, const ChartLayout& chart, const ChartMarker& event, LabelSpace& space) {
  constexpr float kHalf = 5, kHeight = 8;
  const float x = std::round(chart.to_x(event.x)), foot = chart.plot.bottom();
  if (x < chart.plot.x - 1 || x > chart.plot.right() + 1) return;
  const Color color = canvas.theme().second_text;
  canvas.polygon(std::array{Point{x, foot - kHeight}, Point{x + kHalf, foot}, Point{x - kHalf, foot}}, color);
  const std::string step = "step " + format_count(std::lround(event.x));
  canvas.hit({.rect = {x - 8, foot - 14, 16, 20},
              .label = "event at " + step + ": " + event.text,
              .tooltip = step + "\n" + event.text});
  if (!canvas.is_file()) return;
  const TextStyle style{.size = 11, .color = color};
  const float width = canvas.measure(event.text, style).x;
  std::vector<Rect> wishes;
  for (float up = kHeight + 18; up < chart.plot.height; up += 14)
    for (float left : {x - width / 2, x + 4, x - 4 - width})
      wishes.push_back({left, foot - up, width, kLabelHeight});
  if (const auto place = space.first_free(wishes))
    canvas.text({place->x, place->center().y}, event.text, style);
}

}  // namespace glassformer
