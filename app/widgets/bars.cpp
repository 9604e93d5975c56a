#include "app/widgets/bars.h"

#include <algorithm>
#include <cmath>

#include "app/widgets/line_chart.h"
#include "app/widgets/number_format.h"
#include "app/widgets/token_strip.h"

namespace glassformer {

float draw_bar_list(Canvas& canvas, const Rect& area, const std::vector<BarRow>& rows,
                    const BarListOptions& options) {
  const Theme& theme = canvas.theme();
  const TextStyle bold{.font = Font::semibold, .size = options.text_size};
  float labels = options.label_width;
  if (labels <= 0) {
    for (const BarRow& row : rows) labels = std::max(labels, canvas.measure(row.label, bold).x);
    labels = std::min(std::ceil(labels), area.width * 0.4f);
  }
  const float left = area.x + labels + 16, right = area.right() - options.value_width;
  int drawn = 0;
  for (const BarRow& row : rows) {
    const float y = area.y + (static_cast<float>(drawn) + 0.5f) * options.row_height;
    if (y + options.row_height / 2 > area.bottom() + 0.5f) break;
    const Color ink = row.wrong ? theme.wrong : row.emphasized ? theme.ink : theme.second_text;
    const TextStyle label{.font = row.emphasized ? Font::semibold : Font::regular,
                          .size = options.text_size,
                          .color = ink,
                          .x = options.labels_right ? AlignX::right : AlignX::left};
    const std::string word = elided(canvas, row.label, label, labels);
    const float label_x = options.labels_right ? area.x + labels : area.x;
    canvas.text({label_x, y}, word, label);
    if (row.wrong) {
      const float width = canvas.measure(word, label).x,
                  from = options.labels_right ? label_x - width : label_x;
      canvas.line({from, y + 8}, {from + width, y + 8}, {.color = theme.wrong});
    }
    const Color fill = row.color ? *row.color : row.emphasized ? theme.ink : theme.faint_text;
    const Rect track{left, std::round(y - options.bar_height / 2), right - left, options.bar_height};
    if (track.width > 4) {
      draw_share_bar(canvas, track, row.share, fill);
      if (row.target) {
        const float x = track.x + track.width * static_cast<float>(std::clamp(*row.target, 0.0, 1.0));
        canvas.line({x, track.y - 3}, {x, track.bottom() + 3}, {.color = theme.reference, .width = 2});
      }
    }
    canvas.text({area.right(), y}, row.value.empty() ? format_fixed(row.share, 3) : row.value,
                {.font = Font::mono,
                 .size = options.text_size,
                 .color = row.emphasized ? theme.ink : theme.second_text,
                 .x = AlignX::right});
    if (options.hit) {
      HitRegion region = options.hit(drawn);
      region.rect = {area.x, y - options.row_height / 2, area.width, options.row_height};
      canvas.hit(region);
    }
    ++drawn;
  }
  return static_cast<float>(drawn) * options.row_height;
}

void draw_column_chart(Canvas& canvas, const Rect& area, const std::vector<Column>& columns,
                       const ColumnChartOptions& options) {
  if (columns.empty()) return;
  const Theme& theme = canvas.theme();
  double low = options.low, high = options.high;
  if (low == 0 && high == 0) {
    for (const Column& column : columns) {
      if (!std::isfinite(column.value)) continue;
      low = std::min(low, column.value);
      high = std::max(high, column.value);
    }
    const std::vector<double> ticks = round_ticks(low, std::max(high, low + 1e-9), 2);
    if (ticks.size() > 1) {
      const double step = ticks[1] - ticks[0];
      low = std::floor(low / step + 1e-9) * step;
      high = std::ceil(high / step - 1e-9) * step;
    }
  }
  if (!(high > low)) high = low + 1;

  // The plot, with room for tick values left and labels below.
  const TextStyle mono{.font = Font::mono, .size = 12, .color = theme.second_text};
  const std::vector<double> ticks = round_ticks(low, high, 2);
  float margin = 0;
  for (double tick : ticks) margin = std::max(margin, canvas.measure(format_short(tick), mono).x);
  const float bottom = 24 + (options.x_title.empty() ? 0.0f : 20.0f);
  const Rect plot{area.x + std::ceil(margin) + 12, area.y + 16, area.width - std::ceil(margin) - 12,
                  area.height - 16 - bottom};
  const auto to_y = [&](double value) {
    return plot.bottom() - plot.height * static_cast<float>((value - low) / (high - low));
  };
  for (double tick : ticks) {
    canvas.line({plot.x, to_y(tick)}, {plot.right(), to_y(tick)}, {.color = theme.border});
    TextStyle right = mono;
    right.x = AlignX::right;
    canvas.text({plot.x - 10, to_y(tick)}, format_short(tick), right);
  }

  // Columns of equal whole-pixel width.
  const auto count = static_cast<float>(columns.size());
  const float pitch = plot.width / count, width = std::max(1.0f, std::floor(pitch - (pitch > 6   ? 4
                                                                                     : pitch > 3 ? 1
                                                                                                 : 0)));
  float widest = 1;
  for (const Column& column : columns) widest = std::max(widest, canvas.measure(column.label, mono).x);
  const int label_step = std::max(1, static_cast<int>(std::ceil((widest + 6) / pitch)));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const float x = plot.x + (static_cast<float>(i) + 0.5f) * pitch;
    const Color fill = column.emphasized         ? theme.query
                       : options.color.visible() ? options.color
                                                 : theme.faint_text;
    if (std::isfinite(column.value)) {
      const float y = to_y(std::clamp(column.value, low, high)), zero = to_y(std::clamp(0.0, low, high));
      const float top = std::min(y, zero), height = std::max(1.0f, std::abs(y - zero));
      canvas.rectangle({std::round(x - width / 2), top, width, height},
                       {.fill = fill, .radius = width > 6 ? 2.0f : 0.0f});
      if (column.emphasized) {
        const std::string value = format_fixed(column.value, options.value_decimals);
        const float half = canvas.measure(value, mono).x / 2;
        canvas.text({std::clamp(x, plot.x + half, plot.right() - half), top - 9}, value,
                    {.font = Font::mono, .size = 12, .color = theme.ink, .x = AlignX::center});
      }
    }
    if (static_cast<int>(i) % label_step == 0 || (column.emphasized && label_step == 1)) {
      canvas.text({x, plot.bottom() + 13}, column.label,
                  {.font = Font::mono,
                   .size = 12,
                   .color = column.emphasized ? theme.ink : theme.second_text,
                   .x = AlignX::center});
    }
    if (options.hit) {
      HitRegion region = options.hit(static_cast<int>(i));
      region.rect = {x - pitch / 2, plot.y, pitch, plot.height + 24};
      canvas.hit(region);
    }
  }
  if (!options.x_title.empty()) {
    canvas.text({plot.right(), plot.bottom() + 34}, options.x_title,
                {.size = 12, .color = theme.second_text, .x = AlignX::right});
  }
}

}  // namespace glassformer
