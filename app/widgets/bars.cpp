#include "app/widgets/bars.h"

#include <algorithm>
#include <cmath>

#include "app/format/number_format.h"
#include "app/widgets/colormap.h"
#include "app/widgets/line_chart.h"
#include "app/widgets/marks.h"
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
    const float width = canvas.measure(word, label).x,
                from = options.labels_right ? label_x - width : label_x;
    if (row.word_start) draw_word_start(canvas, {from, y});
    if (row.wrong) {
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

void draw_signed_bar(Canvas& canvas, const Rect& rect, double share) {
  const Theme& theme = canvas.theme();
  const float middle = std::round(rect.center().x);
  canvas.rectangle(rect, {.fill = theme.sunken, .radius = 2});
  const float length = static_cast<float>(std::min(1.0, std::abs(share))) * rect.width / 2;
  if (length >= 0.5f)
    canvas.rectangle({share < 0 ? middle - length : middle, rect.y, length, rect.height},
                     {.fill = signed_color(share < 0 ? -0.8 : 0.8, theme)});
  canvas.line({middle, rect.y - 3}, {middle, rect.bottom() + 3}, {theme.control, 1});
}

}  // namespace glassformer
