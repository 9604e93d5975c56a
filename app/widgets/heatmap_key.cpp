// A line under a printed heatmap that says which column is which word, where not all have room.
#include "app/widgets/heatmap_parts.h"
#include "app/widgets/marks.h"

namespace glassformer {

namespace {

TextStyle key_style(const Canvas& canvas) {
  return {.size = 11, .color = canvas.theme().second_text};
}

}  // namespace

std::vector<std::string> column_key(const Canvas& canvas, const HeatmapOptions& options,
                                    const HeatmapLayout& layout, float width) {
  std::vector<std::string> lines;
  const TextStyle over{.font = Font::semibold, .size = layout.column_size}, style = key_style(canvas);
  for (std::size_t i = 0; i < options.column_labels.size(); ++i) {
    const std::string& word = options.column_labels[i];
    std::string entry = std::to_string(i) + " " + word;
    if (layout.column_words) {
      const std::string shown = elided(canvas, word, over, column_room(layout) + 0.5f);
      if (shown == word) continue;
      entry = shown + " = " + word;
    }
    const std::string longer = lines.empty() ? entry : lines.back() + ",  " + entry;
    if (lines.empty() || canvas.measure(longer, style).x > width)
      lines.push_back(entry);
    else
      lines.back() = longer;
  }
  return lines;
}

void draw_column_key(Canvas& canvas, const HeatmapLayout& layout, Point top_left) {
  float y = top_left.y + kKeyLine / 2;
  for (const std::string& line : layout.key) {
    canvas.text({top_left.x, y}, line, key_style(canvas));
    y += kKeyLine;
  }
}

}  // namespace glassformer
